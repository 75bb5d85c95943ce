internal import KeychainServices
internal import LinuxSystem
internal import ToolProfiles

/// The secrets of a profile for a program.
struct ProfileGrant {
    let profile: ToolProfile
    /// The account that the user chose, nil for any.
    let account: String?

    init(_ profile: ToolProfile, account: String?) {
        self.profile = profile
        self.account = account
    }

    /// Parses the value of `--profile`: `NAME` or `NAME/ACCOUNT`.
    init(_ text: String, in catalog: ProfileCatalog) throws(KeychainError) {
        let words = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        profile = try catalog.profile(named: String(words.first ?? ""))
        account = words.count == 2 ? String(words[1]) : nil
    }

    /// Looks up the values.
    ///
    /// - Throws: ``Status/itemNotFound`` for a missing one, ``Status/param`` for one that a file's format
    ///   can't express, what the keychain throws.
    func values(_ lookup: SecretLookup) throws(KeychainError) -> ProfileValues {
        guard let item = try lookup.find(profile.name, account: account) else {
            let command = profile.setCommand(account: account)
            throw try lookup.missing(
                profile.name, account: account,
                hint: profile.origin.map { "\(command) stores the secret from \($0)" } ?? command)
        }
        return ProfileValues(self, item, lookup)
    }
}

/// The values of a profile, whose secret has been found.
struct ProfileValues {
    let profile: ToolProfile
    private let item: SecretLookup.Found
    private let lookup: SecretLookup

    fileprivate init(_ grant: ProfileGrant, _ item: SecretLookup.Found, _ lookup: SecretLookup) {
        profile = grant.profile
        self.item = item
        self.lookup = lookup
    }

    /// Returns the value of a variable, nil for a missing optional one.
    func value(_ variable: ToolProfile.Variable) throws(KeychainError) -> Secret? {
        var text = SecretBuilder()
        guard try append(variable.value, .none, to: &text) else {
            guard variable.isOptional else {
                throw missing(variable.value, for: "the variable \(variable.name)")
            }
            return nil
        }
        return text.finish().locked()
    }

    /// Returns the content of a file.
    func content(_ file: ToolProfile.File) throws(KeychainError) -> Secret {
        var text = SecretBuilder()
        for value in file.content {
            guard try append(value, file.quoting, to: &text) else {
                throw missing(value, for: "a file for \(profile.name)")
            }
        }
        return text.finish().locked()
    }

    /// - Returns: Whether there is such a value.
    private func append(
        _ value: ProfileValue, _ quoting: ValueQuoting, to text: inout SecretBuilder
    ) throws(KeychainError) -> Bool {
        switch value {
        case .secret: try quoting.append(item.secret, to: &text, profile: profile.name)
        case .account:
            guard !item.account.isEmpty else {
                return false
            }
            let bytes = item.account.bytes
            let account = Secret(copying: bytes.span)
            try quoting.append(account, to: &text, profile: profile.name)
        case .part:
            guard let part = try part(value) else {
                return false
            }
            try quoting.append(part.secret, to: &text, profile: profile.name)
        case .text(let own): text.append(ByteString(own))
        }
        return true
    }

    /// Parts belong to the account of the secret, or to none: never to another account.
    private func part(_ value: ProfileValue) throws(KeychainError) -> SecretLookup.Found? {
        guard let service = profile.service(of: value) else {
            return nil
        }
        if let own = try lookup.find(service, account: item.account.description) {
            return own
        }
        return try lookup.find(service, account: "")
    }

    private func missing(_ value: ProfileValue, for what: String) -> KeychainError {
        guard value != .account, let service = profile.service(of: value) else {
            return KeychainError(
                .itemNotFound, "the item '\(profile.name)' has no account for \(what)",
                hint: profile.setCommand())
        }
        return KeychainError(
            .itemNotFound, "item '\(service)' for \(what) not found",
            hint: SecretLookup.setCommand(service, nil))
    }
}

extension ToolProfile {
    /// Where its secret comes from, in a sentence: an address, or a command in quotes.
    var origin: String? {
        signIn.map { $0.hasPrefix("https://") ? $0 : "'\($0)'" }
    }

    /// Returns the command that stores its secret, with an account if the program needs one.
    func setCommand(account: String? = nil) -> String {
        SecretLookup.setCommand(name, account ?? (needsAccount ? accountWord : nil))
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
