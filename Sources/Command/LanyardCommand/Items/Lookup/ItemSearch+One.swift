internal import LanyardConfiguration
internal import Keychains
internal import KeychainServices
internal import LinuxSystem

/// The one item that a name means to a command that gives its secret away.
extension ItemSearch {
    /// An item that matches.
    typealias Match = ItemChoice.Match

    /// Returns the command that names a match, for the hint; nil if the command can't.
    typealias Naming = (_ match: MatchWords) -> String?

    /// The variable of the user's environment that names the account where a name has none.
    static let accountVariable = "LANYARD_ACCOUNT"

    /// Returns the account that the user's environment names, nil if it names none.
    static func accountOfEnvironment() throws(KeychainError) -> String? {
        try Environment.value(accountVariable)
    }

    /// Returns the only match in the first keychain that has one. If the variable ``accountVariable`` is set, that is the
    /// one of its account, or one without any. Of several it is the default; nil without a match.
    ///
    /// - Parameters:
    ///   - what: The name from the arguments.
    ///   - naming: Names a match, for the hint.
    /// - Throws: ``Status/param`` for several, ``Status/itemNotFound`` if all belong to other accounts than the variable's,
    ///   what the keychain throws.
    func one(
        _ what: String, in keychain: Keychain, _ store: SearchListStore?, returns: ReturnOptions,
        naming: Naming
    ) throws(KeychainError) -> MatchedItem? {
        guard name.attributes.account == nil,
            let account = try ItemSearch.accountOfEnvironment()
        else {
            return try oneOfAnyAccount(what, in: keychain, store, returns: returns, naming: naming)
        }
        let ofAccount = named(name.ofAccount(account))
        let own = try ofAccount.oneOfAnyAccount(
            what, in: keychain, store, returns: returns, naming: naming)
        if let own {
            return own
        }
        let others = meant(try matches(in: keychain), what)
        let other = others.first { !($0.attributes.account ?? "").isEmpty }
        guard let other else {
            return try oneOfAnyAccount(what, in: keychain, store, returns: returns, naming: naming)
        }
        throw self.others(others, what, than: account, store, naming, first: other)
    }

    /// Returns the error for matches that all belong to other accounts than the environment names.
    func others(
        _ others: [Match], _ what: String, than account: String, _ store: SearchListStore?,
        _ naming: Naming, first: Match? = nil
    ) -> KeychainError {
        let hint = (first ?? others.first).flatMap {
            naming(MatchWords($0, among: others, of: self, store, hasAccount: true))
        }
        return KeychainError(
            .itemNotFound,
            "'\(what)' has no account '\(account)', which \(ItemSearch.accountVariable) names: "
                + "it has \(ItemChoice.listed(others))", hint: hint)
    }

    private func oneOfAnyAccount(
        _ what: String, in keychain: Keychain, _ store: SearchListStore?, returns: ReturnOptions,
        naming: Naming
    ) throws(KeychainError) -> MatchedItem? {
        store?.endsAtFirstKeychain = true
        defer { store?.endsAtFirstKeychain = false }
        // By their attributes: reading a secret may ask, and is a use in the log.
        let all = try matches(in: keychain)
        guard !all.isEmpty else {
            return try searchWithoutServersUser?.oneOfAnyAccount(
                what, in: keychain, store, returns: returns, naming: naming)
        }
        let match = try chosen(meant(all, what), what, in: keychain, store, naming)
        return try keychain.firstMatch(
            of: Query(match.reference, returns: returns.union(.attributes)))
    }

    /// Returns the matches without their secrets: those that the name means exactly, or else all.
    private func matches(in keychain: Keychain) throws(KeychainError) -> [Match] {
        var all: [Match] = []
        for meaning in meanings {
            for pass in meaning.passes {
                try forEach(meaning, pass, in: keychain, returns: .reference) { item, attributes in
                    if let reference = item.reference {
                        all.append(Match(reference: reference, attributes: attributes))
                    }
                    return .next
                }
                if all.contains(where: { isExact($0.reference.itemClass, $0.attributes) }) {
                    return all
                }
            }
        }
        return all
    }

    /// Returns the matches that a name means: those with exactly this name, or else all of the first one's class.
    func meant(_ all: [Match], _ what: String) -> [Match] {
        // A URL can identify the login next to a service of this name, but nothing else can identify the
        // service.
        let sameClass = all.filter { $0.reference.itemClass == all[0].reference.itemClass }
        let exact = sameClass.filter { isExact($0.reference.itemClass, $0.attributes) }
        // A list shows names that differ only in capitals or slashes.
        let name = ItemName.withoutUser(what)
        let listed = exact.filter { $0.attributes.name == name }
        return listed.isEmpty ? exact.isEmpty ? sameClass : exact : listed
    }

    /// Returns the chosen one of several matches.
    ///
    /// - Throws: ``Status/param`` if none is chosen.
    func chosen(
        _ matches: [Match], _ what: String, in keychain: Keychain, _ store: SearchListStore?,
        _ naming: Naming
    ) throws(KeychainError) -> Match {
        guard matches.count > 1 else {
            return matches[0]
        }
        let defaults = matches.filter(\.attributes.isDefault)
        guard defaults.count == 1 else {
            throw several(matches, what, in: keychain, store, naming)
        }
        return defaults[0]
    }

    /// Returns the error for several matches: it lists them, and hints at the commands that choose one.
    func several(
        _ matches: [Match], _ what: String, in keychain: Keychain, _ store: SearchListStore?,
        _ naming: Naming
    ) -> KeychainError {
        let match = matches.first { !($0.attributes.account ?? "").isEmpty } ?? matches[0]
        let words = MatchWords(match, among: matches, of: self, store)
        // It looks in all groups and keychains.
        let edit = words.forChange(in: keychain, store)
        return KeychainError(
            .param, "\(ItemChoice.count(matches, what)): \(ItemChoice.listed(matches))",
            // The commands that read don't have these options.
            hint: [
                words.parts.isEmpty ? naming(words) : nil,
                "lanyard edit \(edit.arguments("--default"))",
            ].compactMap(\.self)
                .joined(separator: ", or "))
    }
}

extension ItemAttributes {
    /// The type of the item that a name means if several match: no tool uses this attribute of passwords.
    static let defaultType: FourCharacterCode = "dflt"

    /// Whether the item is the default of its name.
    var isDefault: Bool { type == ItemAttributes.defaultType }
}
