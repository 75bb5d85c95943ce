internal import KeychainServices
internal import StrictJSON

/// Answers pip, uv and others as the program `keyring` does, from a keychain.
struct KeyringCredentialHelper {
    /// The access group of the logins that it stores.
    static let accessGroup: ByteString = "keyring"

    /// The groups in which it looks.
    static let accessGroups = AccessGroups(accessGroup, others: ["login"])

    let keychain: Keychain

    /// An account and its password.
    struct Login: ~Copyable {
        let account: ByteString
        let password: Secret

        /// Returns what `get` prints.
        ///
        /// - Throws: ``Status/decode`` for an account or a password that the form can't carry.
        consuming func text(
            _ mode: KeyringCall.Mode, _ output: KeyringCall.Output
        ) throws(KeychainError) -> Secret {
            let account = account
            let password = password
            if output == .json {
                return try JSONWriter.writeObject { writer throws(KeychainError) in
                    if mode == .creds {
                        try writer.member("username", account)
                    }
                    try writer.member("password", password)
                }
            }
            var text = SecretBuilder(capacity: account.bytes.count + password.count + 2)
            if mode == .creds {
                // The plain form has no other end of either.
                let isLine = password.withBytes { bytes in
                    bytes.indices.allSatisfy { !bytes[$0].endsLine }
                }
                guard isLine, !account.bytes.contains(where: { $0.endsLine }) else {
                    throw KeychainError(
                        .decode, "the account or the password has more than one line",
                        hint: "add --output json")
                }
                text.append(account)
                text.append("\n")
            }
            text.append(password)
            text.append("\n")
            return text.finish()
        }
    }

    /// Returns the login for a service: one stored under exactly this name, else one for a server that the name is
    /// the address of.
    ///
    /// - Throws: ``Status/itemNotFound``; what the keychain throws.
    func get(_ service: ByteString, account: ByteString?) throws(KeychainError) -> Login {
        for group in KeyringCredentialHelper.accessGroups.all {
            if let login = try stored(service, account, group) {
                return login
            }
        }
        if let url = KeyringCredentialHelper.address(service, account) {
            for group in KeyringCredentialHelper.accessGroups.all {
                if let login = try keychain.serverLogin(for: url, account: account, in: group) {
                    return Login(
                        account: login.attributes.account ?? "", password: login.secret.copy())
                }
            }
        }
        throw KeychainError(.itemNotFound, "found no login for '\(service)'")
    }

    /// Returns the address that a service is; nil for any other name.
    private static func address(_ service: ByteString, _ account: ByteString?) -> ServerURL? {
        ServerURL(account == nil ? service : withoutUser(service))
    }

    /// Returns an address without a user, which PDM leaves in it: the account names the user.
    private static func withoutUser(_ address: ByteString) -> ByteString {
        let parts = address.bytes.split(
            separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)
        // After one of these marks an at sign is no longer before the host.
        guard parts.count > 2, parts[1].isEmpty,
            let at = parts[2].lastIndex(of: UInt8(ascii: "@")),
            !parts[2][..<at].contains(where: { "?#\\".utf8.contains($0) })
        else {
            return address
        }
        return ByteString(
            Array(address.bytes[..<parts[2].startIndex] + address.bytes[(at + 1)...]))
    }

    private func stored(
        _ service: ByteString, _ account: ByteString?, _ group: ByteString
    ) throws(KeychainError) -> Login? {
        var query = Query(.genericPassword, returns: [.attributes, .data])
        query.attributes.accessGroup = group
        query.attributes.service = service
        query.attributes.account = account
        query.attributes.isNegative = false
        guard let item = try keychain.firstMatch(of: query) else {
            return nil
        }
        let account = item.attributes?.account ?? ""
        guard let password = item.secret else {
            return nil
        }
        return Login(account: account, password: password)
    }

    /// Stores a password. That of a URL is a server's login, as `lanyard set --for keyring` stores it: two items for one
    /// URL would have different passwords after a change.
    ///
    /// - Throws: ``Status/param`` for an empty one and one with a NUL; what the keychain throws.
    func set(
        _ service: ByteString, account: ByteString, _ password: borrowing Secret
    ) throws(KeychainError) {
        guard password.count > 0 else {
            throw KeychainError(.param, "the password is empty")
        }
        try KeyringCredentialHelper.check(password)
        guard let login = KeyringCredentialHelper.serverLogin(service, account) else {
            try keychain.store(.genericPassword, item(service, account), secret: password)
            return
        }
        try keychain.store(.internetPassword, login, secret: password)
        // An imported one would come first.
        _ = try keychain.remove(.genericPassword, identifiedBy: item(service, account))
    }

    /// Deletes a password that ``set(_:account:_:)`` stores.
    ///
    /// - Throws: ``Status/itemNotFound``; what the keychain throws.
    func delete(_ service: ByteString, account: ByteString) throws(KeychainError) {
        var isDeleted = try keychain.remove(
            .genericPassword, identifiedBy: item(service, account))
        if let url = KeyringCredentialHelper.address(service, account), url.scheme != nil,
            try keychain.removeServerLogins(
                for: url, account: account, in: KeyringCredentialHelper.accessGroup)
        {
            isDeleted = true
        }
        guard isDeleted else {
            throw KeychainError(.itemNotFound, "found no login for '\(service)'")
        }
    }

    /// Returns the attributes of the login for a URL; nil for another service, such as a host alone.
    private static func serverLogin(
        _ service: ByteString, _ account: ByteString
    ) -> ItemAttributes? {
        guard let url = address(service, account)?.normalized, let scheme = url.scheme else {
            return nil
        }
        var attributes = ItemAttributes()
        attributes.accessGroup = accessGroup
        attributes.account = account
        attributes.protocol = ProtocolType(scheme: scheme)
        attributes.server = url.host
        attributes.port = url.port
        attributes.path = url.path
        return attributes
    }

    private func item(_ service: ByteString, _ account: ByteString) -> ItemAttributes {
        var attributes = ItemAttributes()
        attributes.accessGroup = KeyringCredentialHelper.accessGroup
        attributes.service = service
        attributes.account = account
        return attributes
    }

    /// Throws for a password with a NUL, which many programs would cut there.
    ///
    /// - Throws: ``Status/param``.
    static func check(_ password: borrowing Secret) throws(KeychainError) {
        let hasNUL = password.withBytes { bytes in bytes.indices.contains { bytes[$0] == 0 } }
        guard !hasNUL else {
            throw KeychainError(.param, "the password contains a NUL")
        }
    }
}

extension UInt8 {
    fileprivate var endsLine: Bool { self == 0x0A || self == 0x0D }
}

extension AccessGroups {
    fileprivate var all: [ByteString] { [first] + others }
}
