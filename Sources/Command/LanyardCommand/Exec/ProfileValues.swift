internal import KeychainServices
internal import LinuxSystem
internal import ToolCatalog

/// The values of a profile, whose secrets have been found.
struct ProfileValues {
    /// An item with a secret, and its scope; nil for any.
    struct Item {
        let secret: SecretLookup.Found
        let scope: String?

        init(_ secret: SecretLookup.Found, scope: String?) {
            self.secret = secret
            self.scope = scope
        }
    }

    let profile: ToolProfile
    private let items: [Item]
    /// The scope that the program is asked for, nil if it is unknown.
    private let wanted: String?
    private let lookup: SecretLookup

    init(
        _ profile: ToolProfile, _ items: [Item], _ wanted: String?, _ lookup: SecretLookup
    ) {
        self.profile = profile
        self.items = items
        self.wanted = wanted
        self.lookup = lookup
    }

    /// The scope of the secret, nil for any.
    var scope: String? { items[0].scope }

    /// The secret of the first item.
    var secret: SecretLookup.Found { items[0].secret }

    /// Returns the value of a part, nil without one.
    func text(of part: String) throws(KeychainError) -> String? {
        try self.part(.part(part), of: items[0])?.secret.withBytes {
            ByteString(copying: $0).description
        }
    }

    /// Returns the address of the secret's server, nil if it is for any.
    func text(of address: ServerAddress) throws(KeychainError) -> String? {
        if let own = try text(of: address.part) {
            return own
        }
        guard items[0].scope != nil, let usual = address.usual else {
            return nil
        }
        guard let other = address.usualNextTo else {
            return usual
        }
        return try text(of: other) == nil ? nil : usual
    }

    /// Returns the value of a variable, nil for a missing optional one, and for one that is for other scopes.
    func value(_ variable: ToolProfile.Variable) throws(KeychainError) -> Secret? {
        let item = items[0]
        if let scopes = variable.scopes, let scope = item.scope, !scopes.contains(scope) {
            return nil
        }
        let scoped = item.scope == nil ? nil : variable.scoped
        for value in [scoped, variable.value].compactMap(\.self) {
            // Of several items, only the account that all of them have is sure.
            guard value != .account || Set(items.map(\.secret.account)).count == 1 else {
                return nil
            }
            var text = SecretBuilder()
            if try append(value, of: item, .none, to: &text) {
                return text.finish().locked()
            }
        }
        guard variable.isOptional else {
            throw missing(variable.value, for: "the variable \(variable.name)")
        }
        return nil
    }

    /// Returns the content of a file.
    func content(_ file: ToolProfile.File) throws(KeychainError) -> Secret {
        var text = SecretBuilder()
        text.append(ByteString(file.frame?.head ?? ""))
        for item in items {
            for value in file.content {
                guard try append(value, of: item, file.quoting, to: &text) else {
                    throw missing(value, for: "a file for \(profile.name)")
                }
            }
            for (name, start) in file.optionalParts.sorted(by: <) {
                if let part = try part(.part(name), of: item) {
                    text.append(ByteString(start))
                    try file.quoting.append(
                        part.secret, to: &text, profile: profile.name)
                    text.append(UInt8(ascii: "\n"))
                }
            }
        }
        text.append(ByteString(file.frame?.tail ?? ""))
        return text.finish().locked()
    }

    /// - Returns: Whether there is such a value.
    private func append(
        _ value: ProfileValue, of item: Item, _ quoting: ValueQuoting, to text: inout SecretBuilder
    ) throws(KeychainError) -> Bool {
        switch value {
        case .secret: try quoting.append(item.secret.secret, to: &text, profile: profile.name)
        case .account:
            guard !item.secret.account.isEmpty else {
                return false
            }
            let bytes = item.secret.account.bytes
            let account = Secret(copying: bytes.span)
            try quoting.append(account, to: &text, profile: profile.name)
        case .scope:
            guard profile.scope?.kind == .server else {
                guard let scope = item.scope ?? wanted ?? profile.scope?.fallback else {
                    return false
                }
                try quoting.append(Secret(scope), to: &text, profile: profile.name)
                return true
            }
            // A scope has the file's own escapes.
            text.append(ByteString("\(item.scope ?? "*:*:*"):"))
            if item.secret.account.isEmpty {
                text.append(UInt8(ascii: "*"))
            } else {
                let user = Secret(item.secret.account.description)
                try quoting.append(user, to: &text, profile: profile.name)
            }
        case .part:
            guard let part = try part(value, of: item) else {
                return false
            }
            try quoting.append(part.secret, to: &text, profile: profile.name)
        case .text(let own): text.append(ByteString(own))
        }
        return true
    }

    /// Parts belong to the account of the secret, or to none: never to another account or scope.
    private func part(
        _ value: ProfileValue, of item: Item
    ) throws(KeychainError) -> SecretLookup.Found? {
        guard let service = profile.service(of: value, in: item.scope) else {
            return nil
        }
        if let own = try lookup.find(service, account: item.secret.account.description) {
            return own
        }
        return try lookup.find(service, account: "")
    }

    private func missing(_ value: ProfileValue, for what: String) -> KeychainError {
        guard value != .account, let service = profile.service(of: value, in: items[0].scope) else {
            return KeychainError(
                .itemNotFound, "the item '\(profile.name)' has no account for \(what)",
                hint: profile.setCommand())
        }
        return KeychainError(
            .itemNotFound, "item '\(service)' for \(what) not found",
            hint: SecretLookup.setCommand(service, nil))
    }
}

extension ValueQuoting {
    /// Appends a value in the file's format.
    ///
    /// - Throws: ``Status/param`` for a value that the format can't express.
    fileprivate func append(
        _ value: borrowing Secret, to text: inout SecretBuilder, profile: String
    ) throws(KeychainError) {
        let special: String
        switch self {
        case .none: return text.append(value)
        case .line: special = ""
        case .pgpass: special = ":\\"
        case .optionFile: special = "\"\\"
        case .xml: special = "&<>"
        }
        let isOneLine = value.withBytes { bytes in
            bytes.indices.allSatisfy { ![0, 0x0A, 0x0D].contains(bytes[$0]) }
        }
        guard isOneLine else {
            throw KeychainError(
                .param, "a secret for \(profile) contains a line break or a NUL")
        }
        value.withBytes { bytes in
            for index in bytes.indices {
                let byte = bytes[index]
                guard special.utf8.contains(byte) else {
                    text.append(byte)
                    continue
                }
                text.append(ByteString(self == .xml ? "&#\(byte);" : "\\"))
                if self != .xml {
                    text.append(byte)
                }
            }
        }
    }
}
