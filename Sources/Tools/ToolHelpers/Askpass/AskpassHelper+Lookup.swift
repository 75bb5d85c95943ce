internal import GitCredential
internal import KeychainServices

extension AskpassHelper {
    /// Returns the keychain's answer to a prompt, nil without one.
    ///
    /// - Throws: ``Status/decode`` for a secret that is not one line; what the keychain throws.
    func stored(for prompt: AskpassPrompt) throws(KeychainError) -> Secret? {
        switch prompt {
        case .keyPassphrase(let path, _):
            return try line(.genericPassword, .key(path))
        case .sudoPassword(let user):
            return try line(.genericPassword, .sudo(user))
        case .hostPassword(let user, let host):
            return try line(.internetPassword, .host(host, user))
        case .gitUsername(let url): return try git(url, "username=")
        case .gitPassword(let url): return try git(url, "password=")
        case .unknownSudo, .question, .consent, .notice, .unknown: return nil
        }
    }

    private func line(
        _ itemClass: ItemClass, _ attributes: ItemAttributes
    ) throws(KeychainError) -> Secret? {
        var attributes = attributes
        attributes.accessGroup = AskpassHelper.accessGroup
        // A negative item says that there is no secret.
        attributes.isNegative = false
        let found = try keychain.firstSecret(of: Query(itemClass, attributes, returns: .data))
        switch found {
        case .some(let secret): try ToolFormat.checkLine(secret, .decode)
        case .none: break
        }
        return found
    }

    /// Returns a value from the answer of Lanyard's git helper.
    private func git(_ url: PromptURL, _ key: StaticString) throws(KeychainError) -> Secret? {
        let helper = GitCredentialHelper(keychain: keychain, now: now, stateDigest: { _ in nil })
        let request = GitCredentialRequest(
            protocol: url.protocol, host: url.host, path: url.path, username: url.username,
            password: Secret(""))
        switch request {
        case .some(let request):
            return try helper.get(request).withBytes { value(of: key, in: $0) }
        case .none: return nil
        }
    }

    private func value(of key: StaticString, in lines: Span<UInt8>) -> Secret? {
        var start = 0
        while let end = lines.firstIndex(of: UInt8(ascii: "\n"), from: start) {
            let line = lines.extracting(start..<end)
            if line.starts(with: key) {
                return Secret(copying: line.extracting(droppingFirst: key.utf8CodeUnitCount))
            }
            start = end + 1
        }
        return nil
    }
}

/// The items that answer prompts.
extension ItemAttributes {
    /// Matches the passphrase of a key, in the form of ssh-add on macOS.
    static func key(_ path: ByteString) -> ItemAttributes {
        var attributes = ItemAttributes()
        attributes.service = "OpenSSH"
        attributes.account = path
        return attributes
    }

    /// Matches a user's password for sudo.
    static func sudo(_ user: ByteString) -> ItemAttributes {
        var attributes = ItemAttributes()
        attributes.service = "sudo"
        attributes.account = user
        return attributes
    }

    /// Matches a user's password on a host; ssh does not show the port.
    static func host(_ host: ByteString, _ user: ByteString) -> ItemAttributes {
        var attributes = ItemAttributes()
        attributes.protocol = .ssh
        attributes.server = host
        attributes.account = user
        return attributes
    }
}
