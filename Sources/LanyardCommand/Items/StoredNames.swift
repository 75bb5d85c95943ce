internal import Configuration
internal import Prompting
internal import Keychains
internal import KeychainServices
internal import LinuxSystem
internal import SealedStore
internal import Tools

/// The names in the keychains that a word can go on to.
///
/// Attributes can be read while a keychain is locked. What is found is bounded in number, and the time
/// that is spent looking for it, so that a shell gets its answer while a person looks at the line.
struct StoredNames {
    /// What is looked for.
    enum Kind {
        /// URLs and services.
        case items
        /// The accounts of the item that the word before names.
        case accountsOfItem
        case accounts
        case servers
        case groups
        case keychains
        /// What `lanyard config` takes.
        case settings
    }

    /// How many names are enough to see that more has to be typed.
    static let limit = 100

    /// For how many milliseconds items are looked at.
    private static let patience: Int64 = 400

    private let line: CompletionLine
    private let prefix: String
    private let configuration: Configuration
    private let deadline = SystemCalls.monotonicMilliseconds() + patience

    /// - Throws: ``Status/param`` for a configuration that can't be.
    init(_ line: CompletionLine) throws(KeychainError) {
        self.line = line
        prefix = line.prefix
        configuration = try Configuration().withoutAsking
    }

    /// The names that begin with the word, those of items that were changed last first.
    ///
    /// - Throws: What keeps a configuration from being read.
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

    /// Names, each once.
    private struct Names {
        let prefix: String
        private(set) var names: [String] = []
        private var known: Set<String> = []

        init(prefix: String) {
            self.prefix = prefix
        }

        /// - Returns: Whether there is room for another one.
        mutating func add(_ name: String) -> Bool {
            // By bytes: a String that ends before an accent is no start of the one with it.
            if name.utf8.starts(with: prefix.utf8), StoredNames.canBeTyped(name),
                known.insert(name).inserted
            {
                names.append(name)
            }
            return names.count < StoredNames.limit
        }
    }

    /// Whether a name is the same in every shell, so that none takes a part of it for a command: a name
    /// can come from anywhere.
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

    /// The keychains that the line means, those that another program keeps last: it may take its time.
    private func keychains() throws(KeychainError) -> [Keychain] {
        let list = try configuration.searchList(flag: line.value(of: "--keychain"))
        var sealed: [Keychain] = []
        var others: [Keychain] = []
        for name in list.names {
            if try configuration.kind(ofKeychain: name) == .sealed {
                // What one keychain does not tell another may.
                if let store = (try? configuration.openSealedKeychain(name)) ?? nil {
                    store.walkDeadline = deadline
                    sealed.append(Keychain(store))
                }
            } else {
                let store = try SearchListStore(
                    flag: name, configuration: configuration, isSilent: true)
                others.append(Keychain(store))
            }
        }
        return sealed + others
    }

    private func addItems(
        to found: inout Names, _ attribute: (ItemAttributes) -> String?
    ) throws(KeychainError) {
        var query = Query(.internetPassword, returns: .attributes)
        query.attributes.accessGroup = line.value(of: "--group").map { ByteString($0) }
        query.synchronizable = .any
        query.match.limit = .all
        for keychain in try keychains() {
            for itemClass in [ItemClass.internetPassword, .genericPassword] {
                query.itemClass = itemClass
                var names = found
                // It ends with an error where there is no time for more.
                try? keychain.forEachMatch(query) { item throws(KeychainError) in
                    // What lists leave out is not offered either.
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
            name: name, group: line.value(of: "--group").map { ByteString($0) })
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

    /// Of sealed keychains, whose groups need no look at their items; and those of the tools.
    private func addGroups(to found: inout Names) throws(KeychainError) {
        let list = try configuration.searchList(flag: line.value(of: "--keychain"))
        for name in list.names where try configuration.kind(ofKeychain: name) == .sealed {
            let tally = (try? configuration.openSealedKeychain(name)?.tally()) ?? nil
            for group in tally?.groups ?? [] {
                _ = found.add(group.name.description)
            }
        }
        for name in ToolFormat.all.map(\.name) + ["login"] {
            _ = found.add(name)
        }
    }

    private var isLate: Bool { SystemCalls.monotonicMilliseconds() > deadline }
}
