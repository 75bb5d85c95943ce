internal import LanyardConfiguration
internal import Keychains
internal import KeychainServices
internal import OneTimeCodes

extension ItemSearch {
    /// Limits how many accounts or groups a hint names.
    private static let namedLimit = 5
    /// The hint if no item has the name.
    static let listHint = "see lanyard list"

    /// Returns the error for a search without results: it says which part of the name, account and options
    /// matches nothing.
    ///
    /// - Parameters:
    ///   - what: The name from the arguments.
    ///   - store: The keychains in use, if those are known.
    func nothing(
        _ what: String, in keychain: Keychain, _ store: SearchListStore? = nil
    ) -> KeychainError {
        guard let near = nearItems(in: keychain) else {
            let other = name.ofNameAndAccount.map { named($0) }
            if let other, other.nearItems(in: keychain) != nil {
                return other.nothing(
                    other.name.attributes.service?.description ?? what, in: keychain, store)
            }
            return KeychainError(
                .itemNotFound, "item '\(what)' not found",
                hint: otherKeychain() ?? other?.otherKeychain() ?? similarGroup(store)
                    ?? nameOfHost(what, in: keychain) ?? nameOfServer(in: keychain)
                    ?? similarName(what, in: keychain)
                    ?? other?.name.attributes.service.flatMap {
                        similarName($0.description, in: keychain)
                    } ?? ItemSearch.listHint)
        }
        let ofGroup = near.filter { group == nil || $0.accessGroup ?? "" == group }
        guard let group, ofGroup.isEmpty else {
            return nothing(what, near: ofGroup)
        }
        return KeychainError(
            .itemNotFound, "the group '\(group)' has no item '\(what)'",
            hint: "it is in \(ItemSearch.listed("the group", near.map { $0.accessGroup ?? "" }))")
    }

    /// Returns the hint that names a keychain with such an item which was not searched; nil without one. Attributes are
    /// all that is read, and no one is asked.
    func otherKeychain() -> String? {
        guard let configuration = try? Configuration().withoutAsking,
            let accessible = try? configuration.accessible()
        else {
            return nil
        }
        let other = (try? configuration.keychains())?.first { name in
            guard (try? configuration.kind(ofKeychain: name)) == .sealed,
                let store = try? configuration.openSealedKeychain(name)
            else {
                return false
            }
            let keychain = Keychain(store, accessGroups: .all(), accessible: accessible)
            return (nearItems(in: keychain) ?? []).contains {
                group == nil || $0.accessGroup == group
            }
        }
        return other.map { name in
            let list = (try? UnsearchedKeychain(name, configuration))?.command
            return "it is in the keychain '\(name)': use --keychain \(name)"
                + (list.map { ", or search it, too: \($0)" } ?? "")
        }
    }

    /// Returns the hint for a group that no item has; nil without a similar one.
    private func similarGroup(_ store: SearchListStore?) -> String? {
        guard let group, let store, let configuration = try? Configuration() else {
            return nil
        }
        return StoredNames.hint(atGroup: group.description, store.names, configuration)
    }

    /// Returns the hint for a host without a scheme whose login is stored under its URL; nil without one.
    func nameOfHost(_ what: String, in keychain: Keychain) -> String? {
        let url = "https://\(what)"
        guard name.itemClass == .genericPassword, let named = try? ItemName(url, account: nil),
            let items = ItemSearch(name: named, group: nil).nearItems(in: keychain),
            items.contains(where: { group == nil || $0.accessGroup == group })
        else {
            return nil
        }
        return "name its URL: \(url.shellWord)"
    }

    /// Returns the hint for a URL whose host has a login: the URL of a repository or a page, or one with the port
    /// that its scheme has anyway; nil without a login.
    private func nameOfServer(in keychain: Keychain) -> String? {
        guard name.itemClass == .internetPassword, let host = name.attributes.server else {
            return nil
        }
        var server = name.attributes
        if server.path ?? "" != "" {
            server.path = nil
        }
        server.port =
            ServerURL(scheme: server.protocol?.scheme, host: host, port: server.port).usedPort
        guard server != name.attributes, let url = ServerURL.text(server)?.description,
            let named = try? ItemName(url, account: nil),
            let items = ItemSearch(name: named, group: nil).nearItems(in: keychain),
            items.contains(where: { ($0.path ?? "").isEmpty })
        else {
            return nil
        }
        let accounts = items.filter { ($0.path ?? "").isEmpty }.map { $0.account ?? "" }
        guard let account, accounts.contains(where: { !$0.isEmpty }) else {
            return "the host has a login: \(url.shellWord)"
        }
        guard !accounts.contains(account) else {
            return "the host has a login: \(url.shellWord) \(account.description.shellWord)"
        }
        return "the host has \(ItemSearch.listed("the account", accounts)): \(url.shellWord)"
    }

    /// Limits how many items are compared with a name that none has.
    private static let comparedLimit = 10_000

    /// Returns the hint for a typing error; nil if no name or several names are near.
    private func similarName(_ what: String, in keychain: Keychain) -> String? {
        // Every short name is near.
        guard what.utf8.count > 2 else {
            return nil
        }
        var names: Set<String> = []
        for itemClass in [ItemClass.genericPassword, .internetPassword] {
            var attributes = ItemAttributes()
            attributes.accessGroup = group
            var query = Query(itemClass, attributes, returns: .attributes)
            query.synchronizable = .any
            query.match.limit = .atMost(ItemSearch.comparedLimit)
            try? keychain.forEachMatch(query) { item in
                if let attributes = item.attributes, attributes.isInvisible != true {
                    names.insert(attributes.name.description)
                }
                return .next
            }
        }
        // As a narrow list prints it.
        let whole = names.filter(what.isCut)
        if let name = whole.first, whole.count == 1 {
            return "name it as a whole: \(name.shellWord)"
        }
        return suggestion(for: what, among: Array(names)).map { "did you mean '\($0)'?" }
    }

    private func nothing(_ what: String, near: [ItemAttributes]) -> KeychainError {
        let ofAccount = near.filter { account == nil || $0.account ?? "" == account }
        if let account, ofAccount.isEmpty {
            let others = near.map { $0.account ?? "" }
            return KeychainError(
                .itemNotFound, "'\(what)' has no account '\(account)'",
                hint: others.allSatisfy(\.isEmpty)
                    ? "it has none: leave the account out"
                    : "it has \(ItemSearch.listed("the account", others))")
        }
        let ofMark = ofAccount.filter {
            synchronizable == nil || ($0.synchronizable ?? false) == synchronizable
        }
        if let synchronizable, ofMark.isEmpty {
            return KeychainError(
                .itemNotFound,
                "'\(what)' is \(synchronizable ? "not " : "")synchronizable",
                hint: "leave --\(synchronizable ? "" : "no-")synchronizable out")
        }
        if ofMark.allSatisfy({ $0.accessGroup == .codeGroup }) {
            return KeychainError(
                .itemNotFound, "'\(what)' has only a key for one-time codes",
                hint: "lanyard code prints a code")
        }
        return KeychainError(
            .itemNotFound, "'\(what)' is marked as having no password",
            hint: "lanyard set gives it one, lanyard edit --no-negative removes the mark")
    }

    private var account: ByteString? { name.attributes.account }

    /// Returns the items with the name, in any group, with any account and marks; nil without any.
    private func nearItems(in keychain: Keychain) -> [ItemAttributes]? {
        var near: [ItemAttributes] = []
        let search = ItemSearch(name: name.ofAnyAccount, group: nil)
        try? search.forEach(in: keychain, returns: .attributes) { _, attributes in
            near.append(attributes)
            return near.count < 1_000 ? .next : .stop
        }
        return near.isEmpty ? nil : near
    }

    /// Returns `the account 'a'`, or `the accounts 'a', 'b'`: without duplicates, and not too many.
    private static func listed(_ kind: String, _ names: [ByteString]) -> String {
        let names = Set(names.filter { !$0.isEmpty }.map(\.description)).sorted()
        let shown =
            names.prefix(namedLimit).map { "'\($0)'" } + (names.count > namedLimit ? ["…"] : [])
        return "\(kind)\(names.count == 1 ? "" : "s") \(shown.joined(separator: ", "))"
    }
}
