internal import LanyardConfiguration
internal import LanyardPrompting
internal import Keychains
internal import KeychainServices
internal import LinuxSystem
internal import SealedStore
internal import ToolHelpers

/// Finds the names in the keychains that complete a word.
///
/// Attributes can be read while a keychain is locked. Limits on results and time give the shell its answer
/// while the user waits.
struct StoredNames {
    /// The kind of names to look for.
    enum Kind {
        /// URLs and services.
        case items
        /// The accounts of the item that the previous word names.
        case accountsOfItem
        case accounts
        case servers
        case groups
        case keychains
        /// The settings of `lanyard config`.
        case settings
    }

    /// How many names suffice to show that the user has to type more.
    static let limit = 100

    /// Limits the search in milliseconds.
    private static let patience: Int64 = 400

    private let line: CompletionLine
    private let prefix: String
    private let configuration: Configuration
    private let deadline = SystemCalls.monotonicMilliseconds() + patience

    /// - Throws: ``Status/param`` for an invalid configuration.
    init(_ line: CompletionLine) throws(KeychainError) {
        self.line = line
        prefix = line.prefix
        configuration = try Configuration().withoutAsking
    }

    /// Finds names that start with the word, those of the latest items first.
    ///
    /// - Throws: Errors of reading the configuration.
    func find(_ kind: Kind) throws(KeychainError) -> [String] {
        var found = Names(prefix: prefix)
        switch kind {
        case .keychains:
            for name in try configuration.searchList().names + configuration.keychains() {
                _ = found.add(name)
            }
        case .settings:
            for name in configuration.settingNames {
                _ = found.add(name)
            }
        case .groups:
            try addGroups(to: &found)
        case .items:
            try addItems(to: &found) { $0.name.description }
        case .servers:
            try addItems(to: &found) { $0.server?.description }
        case .accounts:
            try addItems(to: &found) { $0.account?.description }
        case .accountsOfItem:
            try addAccounts(of: try ItemName(line.wordBefore, account: nil), to: &found)
        }
        return found.names
    }

    /// Names without duplicates.
    private struct Names {
        let prefix: String
        private(set) var names: [String] = []
        private var known: Set<String> = []

        init(prefix: String) {
            self.prefix = prefix
        }

        /// - Returns: Whether there is room for another one.
        mutating func add(_ name: String) -> Bool {
            // Compared as bytes: a String that ends before an accent is not a prefix of the one with it.
            if name.utf8.starts(with: prefix.utf8), StoredNames.canBeTyped(name),
                known.insert(name).inserted
            {
                names.append(name)
            }
            return names.count < StoredNames.limit
        }
    }

    /// Whether a name is safe in every shell, which must not take a part of it for a command: names may
    /// come from anywhere.
    private static func canBeTyped(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first != "-", first != "~", first != "=",
            harmless(name) == name
        else {
            return false
        }
        return name.unicodeScalars.allSatisfy { scalar in
            guard scalar.isASCII else {
                return !scalar.properties.isWhitespace
            }
            return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "-._:/@%+,= ".unicodeScalars.contains(scalar)
        }
    }

    /// Returns the line's keychains, with those of other programs last, because they may be slow.
    private func keychains() throws(KeychainError) -> [Keychain] {
        let list = try configuration.searchList(flag: line.value(of: "--keychain"))
        var sealed: [Keychain] = []
        var others: [Keychain] = []
        for name in list.names {
            if try configuration.kind(ofKeychain: name) == .sealed {
                // Another keychain may have what this one lacks.
                if let store = (try? configuration.openSealedKeychain(name)) ?? nil {
                    store.walkDeadline = deadline
                    sealed.append(Keychain(store, accessGroups: .all()))
                }
            } else {
                let store = try SearchListStore(
                    flag: name, configuration: configuration, isSilent: true)
                others.append(Keychain(store, accessGroups: .all()))
            }
        }
        return sealed + others
    }

    /// The group that the line names.
    private var group: ByteString? {
        (line.value(of: "--group") ?? line.value(of: "--for")).map { ByteString($0) }
    }

    private func addItems(
        to found: inout Names, _ attribute: (ItemAttributes) -> String?
    ) throws(KeychainError) {
        var query = Query(.internetPassword, returns: .attributes)
        query.attributes.accessGroup = group
        query.synchronizable = .any
        query.match.limit = .all
        for keychain in try keychains() {
            for itemClass in [ItemClass.internetPassword, .genericPassword] {
                query.itemClass = itemClass
                var names = found
                // The walk ends with an error when time is up.
                try? keychain.forEachMatch(query) { item throws(KeychainError) in
                    // Items that lists leave out are not offered either.
                    let name = item.attributes.flatMap { attributes in
                        attributes.isInvisible == true ? nil : attribute(attributes)
                    }
                    let hasRoom = name.map { names.add($0) } ?? true
                    return hasRoom && !isLate ? .next : .stop
                }
                found = names
            }
        }
    }

    private func addAccounts(
        of name: ItemName, to found: inout Names
    ) throws(KeychainError) {
        let search = ItemSearch(
            name: name, group: group)
        for keychain in try keychains() {
            var names = found
            try? search.forEach(in: keychain, returns: .attributes) {
                _, attributes throws(KeychainError) in
                let hasRoom = names.add((attributes.account ?? "").description)
                return hasRoom && !isLate ? .next : .stop
            }
            found = names
        }
    }

    private func addGroups(to found: inout Names) throws(KeychainError) {
        let list = try configuration.searchList(flag: line.value(of: "--keychain"))
        for name in try StoredNames.groups(of: list.names, configuration) {
            _ = found.add(name)
        }
    }

    /// Returns the groups of sealed keychains, which can list them without their items, and those of the tools.
    static func groups(
        of keychains: [String], _ configuration: Configuration
    ) throws(KeychainError) -> [String] {
        var groups: [String] = []
        for name in keychains where try configuration.kind(ofKeychain: name) == .sealed {
            let tally = (try? configuration.openSealedKeychain(name)?.tally()) ?? nil
            groups += (tally?.groups ?? []).map(\.name.description)
        }
        return groups + ToolFormat.all.map(\.name) + ["login"]
    }

    /// Returns the hint at the group that was perhaps meant by one that no item has; nil without one.
    static func hint(atGroup group: String, _ keychains: [String], _ configuration: Configuration)
        -> String?
    {
        let groups = (try? groups(of: keychains, configuration.withoutAsking)) ?? []
        return groups.contains(group)
            ? nil : suggestion(for: group, among: groups).map { "did you mean the group '\($0)'?" }
    }

    private var isLate: Bool { SystemCalls.monotonicMilliseconds() > deadline }
}
