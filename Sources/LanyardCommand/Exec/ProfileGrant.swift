internal import KeychainServices
internal import LinuxSystem
internal import Prompting
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

    /// Looks up the values for a program.
    ///
    /// - Returns: Nil if the items are for other scopes than the program is asked for: a warning says so.
    /// - Throws: ``Status/itemNotFound`` for a missing one, ``Status/param`` for one that a file's format
    ///   can't express and for several of which none is chosen, what the keychain throws.
    func values(
        _ lookup: SecretLookup, _ request: ProgramRequest
    ) throws(KeychainError) -> ProfileValues? {
        if profile.hasAllItems {
            return try allValues(lookup, request)
        }
        let scopes = profile.scope.map { request.scopes($0) }
        let wanted = scopes?.names.first ?? profile.scope?.fallback
        if let scope = profile.scope, let scopes {
            for name in scopes.names {
                let account = account ?? request.activeAccount(scope, in: name)
                if let item = try find(lookup, in: name, account) {
                    return ProfileValues(profile, [.init(item, scope: name)], wanted, lookup)
                }
                // The account of an item for any scope may be its name.
                if self.account == nil, !profile.values.contains(.account),
                    let item = try find(lookup, in: nil, name)
                {
                    return ProfileValues(profile, [.init(item, scope: nil)], wanted, lookup)
                }
            }
        }
        if let item = try find(lookup, in: nil, account) {
            return ProfileValues(profile, [.init(item, scope: nil)], wanted, lookup)
        }
        guard let scope = profile.scope, let scopes else {
            throw try missing(lookup)
        }
        if let account, !scopes.areAsked, let item = try find(lookup, in: account, nil) {
            return ProfileValues(profile, [.init(item, scope: account)], account, lookup)
        }
        let places = try lookup.places(of: profile, account: account)
        guard !places.isEmpty else {
            throw try missing(lookup)
        }
        let defaults = places.filter(\.isDefault)
        if scopes.names.isEmpty, let place = (defaults.count == 1 ? defaults : places).first,
            defaults.count == 1 || places.count == 1, let item = try lookup.find(place)
        {
            return ProfileValues(
                profile, [.init(item, scope: place.scope)], place.scope, lookup)
        }
        warn(scope, wanted: scopes.names.first, places)
        return nil
    }

    /// Returns the item of a scope. An account that only a file names is no obstacle.
    private func find(
        _ lookup: SecretLookup, in scope: String?, _ account: String?
    ) throws(KeychainError) -> SecretLookup.Found? {
        let service = profile.service(of: .secret, in: scope) ?? ""
        if let item = try lookup.find(service, account: account) {
            return item
        }
        return account == nil || account == self.account || scope == nil
            ? nil : try lookup.find(service, account: nil)
    }

    /// Returns the values of all items for the program's server; the program chooses among them.
    private func allValues(
        _ lookup: SecretLookup, _ request: ProgramRequest
    ) throws(KeychainError) -> ProfileValues? {
        let places = try lookup.places(of: profile, account: account)
        guard !places.isEmpty else {
            throw try missing(lookup)
        }
        var meant = places
        if let scope = profile.scope {
            let target = PostgreSQLTarget(
                request.program, request.words,
                systemUser: request.variable("USER") ?? "", request.variable)
            meant = places.filter { $0.scope.map(target.matches) ?? true }
            if let user = target.user {
                meant = meant.filter { $0.account == ByteString(user) || $0.account.isEmpty }
            }
            guard !meant.isEmpty else {
                warn(scope, wanted: target.shown, places)
                return nil
            }
            // The line of one server comes before those of all.
            meant = meant.filter { $0.scope != nil } + meant.filter { $0.scope == nil }
        }
        var items: [ProfileValues.Item] = []
        for place in meant {
            if let item = try lookup.find(place) {
                items.append(.init(item, scope: place.scope))
            }
        }
        return ProfileValues(profile, items, nil, lookup)
    }

    private func missing(_ lookup: SecretLookup) throws(KeychainError) -> KeychainError {
        let command = profile.setCommand(account: account)
        return try lookup.missing(
            profile.name, account: account,
            hint: profile.origin.map { "\(command) stores the secret from \($0)" } ?? command)
    }

    /// Says that the program gets no secret.
    private func warn(_ scope: ToolScope, wanted: String?, _ places: [SecretLookup.Place]) {
        let name = wanted.map { $0.contains("://") ? ToolScope(.host, "").canonical($0) : $0 }
        let others = Set(places.compactMap(\.scope)).sorted()
        let listed =
            others.prefix(5).map { "'\(harmless($0))'" }.joined(separator: ", ")
            + (others.count > 5 ? " …" : "")
        let what = name.map { "the \(scope.word) '\(harmless($0))'" } ?? "no \(scope.word)"
        printWarning("\(profile.name) gets no secret: it is asked for \(what), and has \(listed)")
        let place = others.first.map { "\(profile.name)@\($0)" } ?? profile.name
        printHint(
            scope.kind == .server || name == nil
                ? "lanyard set \(place.shellWord) stores one for a \(scope.word)"
                : SecretLookup.setCommand("\(profile.name)@\(name ?? "")", nil))
    }
}

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

    fileprivate init(
        _ profile: ToolProfile, _ items: [Item], _ wanted: String?, _ lookup: SecretLookup
    ) {
        self.profile = profile
        self.items = items
        self.wanted = wanted
        self.lookup = lookup
    }

    /// Returns the value of a variable, nil for a missing optional one, and for one that is for other scopes.
    func value(_ variable: ToolProfile.Variable) throws(KeychainError) -> Secret? {
        let item = items[0]
        if let scopes = variable.scopes, let scope = item.scope, !scopes.contains(scope) {
            return nil
        }
        let value = item.scope == nil ? variable.value : variable.scoped ?? variable.value
        // Of several items, only the account that all of them have is sure.
        guard value != .account || Set(items.map(\.secret.account)).count == 1 else {
            return nil
        }
        var text = SecretBuilder()
        guard try append(value, of: item, .none, to: &text) else {
            guard variable.isOptional else {
                throw missing(value, for: "the variable \(variable.name)")
            }
            return nil
        }
        return text.finish().locked()
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
            // A scope has the file's own escapes, and only that of a file's line has a user.
            text.append(ByteString("\(item.scope ?? "*:*:*"):"))
            if item.scope == nil || item.secret.account.isEmpty {
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
