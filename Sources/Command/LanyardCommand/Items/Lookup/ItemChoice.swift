internal import Keychains
internal import KeychainServices
internal import ToolSetup

/// The items that match a name, of which a command changes one.
struct ItemChoice {
    struct Match {
        let reference: ItemReference
        let attributes: ItemAttributes
    }

    private let search: ItemSearch
    /// Whether the name was read as `NAME/ACCOUNT`.
    let isNameAndAccount: Bool
    /// The name from the arguments.
    private let what: String
    private let opened: OpenKeychains

    /// - Parameters:
    ///   - named: The name from the arguments.
    init(_ named: NamedItem, _ narrowing: ItemNarrowing, in opened: OpenKeychains)
        throws(KeychainError)
    {
        let name = try named.name()
        let exact = narrowing.search(name)
        var search = exact
        if try !exact.isThere(in: opened.keychain) {
            for other in exact.further where try other.isThere(in: opened.keychain) {
                search = other
                break
            }
        }
        self.search = search
        isNameAndAccount = search.name == name.ofNameAndAccount
        what = named.what
        self.opened = opened
    }

    /// Returns all matches.
    ///
    /// - Throws: ``Status/itemNotFound`` without a match.
    func all() throws(KeychainError) -> [Match] {
        var matches: [Match] = []
        try search.forEach(in: opened.keychain, returns: .reference) {
            item, attributes throws(KeychainError) in
            if let reference = item.reference {
                matches.append(Match(reference: reference, attributes: attributes))
            }
            return .next
        }
        guard !matches.isEmpty else {
            throw search.nothing(what, in: opened.keychain, opened.store)
        }
        return matches
    }

    /// Returns the intended item: the only match, or the only one with exactly this name.
    ///
    /// - Parameter other: A command's option for all of them, for example `, or remove all with --all`.
    /// - Throws: ``Status/itemNotFound`` without a match, ``Status/param`` for several.
    func one(other: String = "") throws(KeychainError) -> Match {
        let all = try all()
        try check(all.map { ($0.attributes.accessGroup ?? "").description }, "group", other)
        try check(
            all.compactMap { opened.store.keychainName(of: $0.reference) }, "keychain", other)
        let meant = search.meant(all, what)
        if meant.count > 1 {
            throw several(meant, other)
        }
        return meant[0]
    }

    private func check(
        _ names: [String], _ kind: String, _ other: String
    ) throws(KeychainError) {
        let names = Set(names).sorted()
        guard names.count <= 1 else {
            throw KeychainError(
                .param, "'\(what)' is in several \(kind)s: \(names.joined(separator: ", "))",
                hint: "choose one with --\(kind)\(other)")
        }
    }

    private func several(_ matches: [Match], _ other: String) -> KeychainError {
        let accounts = Set(matches.map { $0.attributes.account ?? "" })
        if accounts.count == 1, matches.count == 2,
            Set(matches.map { $0.attributes.synchronizable == true }).count == 2
        {
            return KeychainError(
                .param, "two items match '\(what)', and one is synchronizable",
                hint: "choose one with --synchronizable or --no-synchronizable\(other)")
        }
        let parts =
            accounts.count == 1 && Set(matches.map(\.attributes.name)).count == 1
            ? LoginPart.differing(matches.map(\.attributes)) : []
        let options = parts.map {
            $0.value(of: matches[0].attributes).description.asValue(of: $0.option)
        }
        return KeychainError(
            .param, "\(ItemChoice.count(matches, what)): \(ItemChoice.listed(matches))",
            hint: (options.isEmpty
                ? "name the account or the path (see lanyard list)"
                : "choose one, for example with \(options.joined(separator: " "))") + other)
    }

    /// Returns how many items match a name.
    static func count(_ matches: [Match], _ what: String) -> String {
        "\(matches.count) items match '\(what)'"
    }

    /// Returns what tells matches apart, not too many: accounts, or names if those differ, and groups.
    static func listed(_ matches: [Match]) -> String {
        let attributes = matches.map(\.attributes)
        let haveOneName = Set(attributes.map(\.name)).count == 1
        let haveOneGroup = Set(attributes.map { $0.accessGroup ?? "" }).count == 1
        let areSynchronizable = attributes.allSatisfy { $0.synchronizable == true }
        let names = attributes.map { item in
            let peers = attributes.filter {
                $0.name == item.name && $0.account ?? "" == item.account ?? ""
            }
            let account = (item.account ?? "").description
            let ofAccount = account.isEmpty ? "" : " of '\(account)'"
            let shown = account.isEmpty ? "no account" : "'\(account)'"
            var words = [haveOneName ? shown : "'\(item.name)'\(ofAccount)"]
            if !haveOneGroup {
                words.append("group '\((item.accessGroup ?? "").description)'")
            }
            if item.synchronizable == true, !areSynchronizable {
                words.append("synchronizable")
            }
            words += LoginPart.differing(peers).map { $0.text(of: item) }
            return words.joined(separator: ", ")
        }
        // Two texts of other bytes may be equal: an é in one character, and in two.
        var seen: Set<[UInt8]> = []
        let unique = names.filter { seen.insert(Array($0.utf8)).inserted }.sorted()
        return unique.prefix(listedLimit).joined(separator: "; ")
            + (unique.count > listedLimit ? " …" : "")
    }

    private static let listedLimit = 5
}
