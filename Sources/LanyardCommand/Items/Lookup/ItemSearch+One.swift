internal import Configuration
internal import Keychains
internal import KeychainServices
internal import LinuxSystem

/// The one item that a name means to a command that gives its secret away.
extension ItemSearch {
    /// An item that matches.
    typealias Match = ItemChoice.Match

    /// Returns the command, or the words of one, that name a match: for the hint.
    typealias Naming = (_ arguments: String, _ attributes: ItemAttributes) -> String

    /// The variable of the user's environment that names an account where several match.
    static let accountVariable = "LANYARD_ACCOUNT"

    /// Returns the only match in the first keychain that has one. Of several it is the one whose account the variable
    /// ``accountVariable`` names, or else the default; nil without a match.
    ///
    /// - Parameters:
    ///   - what: The name from the arguments.
    ///   - naming: Names a match, for the hint.
    /// - Throws: ``Status/param`` for several, what the keychain throws.
    func one(
        _ what: String, in keychain: Keychain, _ store: SearchListStore?, returns: ReturnOptions,
        naming: Naming
    ) throws(KeychainError) -> MatchedItem? {
        store?.endsAtFirstKeychain = true
        defer { store?.endsAtFirstKeychain = false }
        // The usual case, a single match, takes one query.
        if meanings[0].isExact, let item = try only(meanings[0], in: keychain, returns: returns) {
            return item
        }
        let all = try matches(in: keychain)
        guard !all.isEmpty else {
            return try searchWithoutServersUser?.one(
                what, in: keychain, store, returns: returns, naming: naming)
        }
        let match = try chosen(meant(all, what), what, naming)
        return try keychain.firstMatch(
            of: Query(match.reference, returns: returns.union(.attributes)))
    }

    /// Returns the match of a meaning, nil if there is none, or another one.
    private func only(
        _ meaning: Meaning, in keychain: Keychain, returns: ReturnOptions
    ) throws(KeychainError) -> MatchedItem? {
        for ignoresCase in meaning.passes {
            var found: MatchedItem?
            var count = 0
            do throws(KeychainError) {
                try forEach(meaning, ignoresCase: ignoresCase, in: keychain, returns: returns) {
                    item, _ in
                    count += 1
                    guard count == 1 else {
                        return .stop
                    }
                    found = consume item
                    return .next
                }
            } catch {
                // The attributes of the others tell whether they match.
                if count == 0 {
                    throw error
                }
                return nil
            }
            if count > 0 {
                return count == 1 ? found.take() : nil
            }
        }
        return nil
    }

    /// Returns the matches without their secrets: those that the name means exactly, or else all.
    private func matches(in keychain: Keychain) throws(KeychainError) -> [Match] {
        var all: [Match] = []
        for meaning in meanings {
            for ignoresCase in meaning.passes {
                try forEach(
                    meaning, ignoresCase: ignoresCase, in: keychain, returns: .reference
                ) { item, attributes in
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
        let listed = exact.filter { $0.attributes.name == ByteString(what) }
        return listed.isEmpty ? exact.isEmpty ? sameClass : exact : listed
    }

    /// Returns the chosen one of several matches.
    ///
    /// - Throws: ``Status/param`` if none is chosen.
    func chosen(
        _ matches: [Match], _ what: String, _ naming: Naming
    ) throws(KeychainError) -> Match {
        var matches = matches
        if matches.count > 1,
            let account = try Environment.value(ItemSearch.accountVariable), !account.isEmpty
        {
            let own = matches.filter { $0.attributes.account ?? "" == ByteString(account) }
            matches = own.isEmpty ? matches : own
        }
        guard matches.count > 1 else {
            return matches[0]
        }
        let defaults = matches.filter(\.attributes.isDefault)
        guard defaults.count == 1 else {
            throw ItemSearch.several(matches, what, naming)
        }
        return defaults[0]
    }

    /// Returns the error for several matches: it lists them, and hints at the commands that choose one.
    private static func several(
        _ matches: [Match], _ what: String, _ naming: Naming
    ) -> KeychainError {
        let arguments = matches[0].arguments(among: matches)
        return KeychainError(
            .param, "\(ItemChoice.count(matches, what)): \(ItemChoice.listed(matches))",
            hint: "\(naming(arguments, matches[0].attributes)), or "
                + "lanyard edit \(arguments) --default")
    }
}

extension ItemAttributes {
    /// The type of the item that a name means if several match: no tool uses this attribute of passwords.
    static let defaultType: FourCharacterCode = "dflt"

    /// Whether the item is the default of its name.
    var isDefault: Bool { type == ItemAttributes.defaultType }
}

extension ItemChoice.Match {
    /// Returns the words that name it for a command: name and account, and what else tells it from the others.
    func arguments(among all: [ItemChoice.Match]) -> String {
        func differ(_ value: (ItemAttributes) -> AttributeValue?) -> Bool {
            Set(all.map { value($0.attributes) }).count > 1
        }
        var words: [String] = []
        if differ({ .text($0.accessGroup ?? "") }) {
            words += ["--group", (attributes.accessGroup ?? "").description]
        }
        words.append(attributes.name.description)
        let account = (attributes.account ?? "").description
        if differ({ .text($0.account ?? "") }) {
            words.append(account)
        }
        let isTwin = all.contains {
            var other = $0.attributes.identity(of: reference.itemClass)
            let own = attributes.identity(of: reference.itemClass)
            other.synchronizable = own.synchronizable
            return $0.attributes.synchronizable ?? false != attributes.synchronizable ?? false
                && other == own
        }
        if isTwin {
            words.append(
                attributes.synchronizable == true ? "--synchronizable" : "--no-synchronizable")
        }
        return words.map(\.shellWord).joined(separator: " ")
    }
}
