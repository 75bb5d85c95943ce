internal import LanyardPrompting
internal import Keychains
internal import KeychainServices
internal import KeychainSync
internal import StrictJSON

/// The items that `lanyard list` prints, in its order.
struct ItemList {
    /// Counts items.
    struct Counts {
        var shown = 0
        /// Items left out because they are invisible, without Lanyard's own.
        var invisible = 0
    }

    let keychain: OpenKeychains
    let filter: ItemFilter
    let host: HostFilter?
    /// The text that an item's attributes must contain, in lower case; nil for any item.
    let text: String?
    let expiries: LoginExpiries
    /// The order; nil for that of the keychains, the latest first.
    var order: ListOrder?

    /// Writes the items' attributes as JSON while reading them.
    ///
    /// - Throws: What the keychains throw, ``Status/decode`` after all readable items if there are others;
    ///   ``Status/io``.
    func writeJSON() throws(KeychainError) -> Counts {
        var walk = Walk()
        try JSONWriter.write(
            invalidText: .replace,
            to: { piece throws(KeychainError) in try writeAnswer(piece) }
        ) { writer throws(KeychainError) in
            try writer.writeArray { writer throws(KeychainError) in
                walk = try forEach { item throws(KeychainError) in
                    try writer.writeObject { writer throws(KeychainError) in
                        try writer.members(of: item.attributes, item.itemClass)
                        if let expiry = item.expiry {
                            try writer.member("expires", ByteString(expiry.text))
                        }
                        try writer.member("keychain", ByteString(item.keychain))
                    }
                }
            }
        }
        return try walk.countsIfWhole()
    }

    /// Writes lines for scripts: as wide as necessary, with dates.
    ///
    /// - Throws: As ``writeJSON()``.
    func writeLines() throws(KeychainError) -> Counts {
        var table = Table(
            ["GROUP", "NAME", "ACCOUNT", "CHANGED", "KEYCHAIN", "MARKS", "EXPIRES"])
        return try write { item in
            // Lines have no trailing spaces.
            let marks = item.marks.isEmpty ? "-" : item.marks
            return item.names + [
                item.attributes.modificationDate?.text ?? "", item.keychain, marks,
                item.expiry?.text ?? "-",
            ]
        } measure: { cells in
            table.measure(cells)
        } layOut: { traits in
            table.hidden = Set(
                (traits.isOfSeveral ? [] : [4]) + (traits.hasMarks ? [] : [5])
                    + (traits.hasExpiry ? [] : [6]))
            return (table.text, table.line)
        }
    }

    /// Writes a table for users: as wide as the terminal, with ages.
    ///
    /// - Throws: As ``writeJSON()``.
    func writeTable(
        for terminal: OutputTerminal, now: Timestamp
    ) throws(KeychainError) -> Counts {
        var table = FittedTable([
            .init("GROUP", leastWidth: 5), .init("NAME", leastWidth: 12),
            .init("ACCOUNT", leastWidth: 8), .init("AGE"), .init("EXPIRES"),
            .init("KEYCHAIN", leastWidth: 8), .init("MARKS", leastWidth: 8),
        ])
        return try write { item in
            let age = item.attributes.modificationDate?.age(at: now)
            let isExpired = item.expiry.map { $0 < now } == true
            return (item.names + [age ?? ""]).map { FittedTable.Cell($0) } + [
                .init(item.expiry?.expiry(at: now) ?? "", isExpired ? .alarming : .plain),
                .init(item.keychain), .init(item.marks),
            ]
        } measure: { cells in
            table.measure(cells)
        } layOut: { traits in
            table.hidden = Set(
                (traits.hasExpiry ? [] : [4]) + (traits.isOfSeveral ? [] : [5])
                    + (traits.hasMarks ? [] : [6]))
            return (table.text(for: terminal), table.line(for: terminal))
        }
    }

    /// An item of the list.
    struct Item {
        let itemClass: ItemClass
        let attributes: ItemAttributes
        let keychain: String
        let expiry: Timestamp?

        /// Distinguishes it from an item with the same name, or from one with a password.
        var marks: String {
            [
                attributes.takesPassphrase ? "asks" : nil,
                attributes.trustedApplications?.isEmpty == false ? "restricted" : nil,
                attributes.synchronizable == true ? "synchronizable" : nil,
                attributes.isNegative == true ? "negative" : nil,
                attributes.isInvisible == true ? "invisible" : nil,
            ].compactMap(\.self).joined(separator: ",")
        }

        /// Group, name and account.
        var names: [String] {
            [
                (attributes.accessGroup ?? "").description, attributes.name.description,
                (attributes.account ?? "").description,
            ]
        }
    }

    /// The properties that determine which columns appear.
    private struct Traits {
        private(set) var count = 0
        private(set) var hasExpiry = false
        private(set) var hasMarks = false
        /// If all are in one keychain, its name is useless.
        private(set) var isOfSeveral = false
        private var firstKeychain = ""

        mutating func add(_ item: Item) {
            if count == 0 {
                firstKeychain = item.keychain
            }
            count += 1
            hasExpiry = hasExpiry || item.expiry != nil
            hasMarks = hasMarks || !item.marks.isEmpty
            isOfSeveral = isOfSeveral || item.keychain != firstKeychain
        }
    }

    /// How many rows stay in memory until all are measured. The items of a longer list are read twice to
    /// save memory.
    private static let keptRows = 1_000

    /// Writes a table; nothing without items.
    ///
    /// - Parameters:
    ///   - cells: Returns the row of an item.
    ///   - measure: Gets each row before the first line is written.
    ///   - layOut: Returns the heading, and a function that formats a row.
    private func write<Cell>(
        cells: (Item) -> [Cell], measure: ([Cell]) -> Void,
        layOut: (Traits) -> (heading: String, line: ([Cell]) -> String)
    ) throws(KeychainError) -> Counts {
        var traits = Traits()
        var kept: [[Cell]] = []
        var walk = try forEach { item throws(KeychainError) in
            traits.add(item)
            let row = cells(item)
            measure(row)
            if traits.count <= ItemList.keptRows {
                kept.append(row)
            } else {
                kept = []
            }
        }
        if traits.count > 0 {
            let (heading, line) = layOut(traits)
            var piece = heading
            for row in kept {
                piece += line(row)
            }
            if traits.count > ItemList.keptRows {
                walk = try forEach { item throws(KeychainError) in
                    piece += line(cells(item))
                    if piece.utf8.count >= ItemList.pieceSize {
                        try writeAnswer(Secret(piece))
                        piece = ""
                    }
                }
            }
            try writeAnswer(Secret(piece))
        }
        return try walk.countsIfWhole()
    }

    /// How many bytes to collect before writing.
    private static let pieceSize = 32 << 10

    /// The result of a walk over the items.
    private struct Walk {
        var counts = Counts()
        /// Why some items can't be read.
        var damage: KeychainError?

        func countsIfWhole() throws(KeychainError) -> Counts {
            if let damage {
                throw damage
            }
            return counts
        }
    }

    /// Passes each item to a closure, in the order.
    private func forEach(
        _ body: (Item) throws(KeychainError) -> Void
    ) throws(KeychainError) -> Walk {
        guard let order else {
            return try forEachUnsorted(body)
        }
        var items: [Item] = []
        let walk = try forEachUnsorted { item in items.append(item) }
        // Equal items stay as they are.
        let sorted = items.indices.sorted { left, right in
            if order.isBefore(items[left], items[right]) {
                return true
            }
            return left < right && !order.isBefore(items[right], items[left])
        }
        for index in sorted {
            try body(items[index])
        }
        return walk
    }

    private func forEachUnsorted(
        _ body: (Item) throws(KeychainError) -> Void
    ) throws(KeychainError) -> Walk {
        var walk = Walk()
        let now = currentTime()
        let queries = [ItemClass.internetPassword, .genericPassword].map {
            filter.query($0, returns: [.attributes, .reference])
        }
        walk.damage = try keychain.keychain.forEachMatch(ofAll: queries) {
            item throws(KeychainError) in
            guard let attributes = item.attributes, let reference = item.reference,
                host?.matches(attributes) != false
            else {
                return .next
            }
            let expiry = expiries[reference]
            guard !filter.expired || expiry.map({ $0 < now }) == true,
                text.map(attributes.contains) != false
            else {
                return .next
            }
            guard filter.all || attributes.isInvisible != true else {
                walk.counts.invisible += attributes.isOfLanyard ? 0 : 1
                return .next
            }
            walk.counts.shown += 1
            try body(
                Item(
                    itemClass: reference.itemClass, attributes: attributes,
                    keychain: keychain.store.keychainName(of: reference) ?? "",
                    expiry: expiry))
            return .next
        }
        return walk
    }
}

extension ItemAttributes {
    /// Whether the secret takes the passphrase at each use.
    fileprivate var takesPassphrase: Bool {
        (try? requirements.passphrase) ?? false
    }

    /// Whether it is one of Lanyard's own: a file as it was before a setup, or the keys of a device of a team.
    fileprivate var isOfLanyard: Bool {
        accessGroup == .setupGroup || SharedKeychain.isDevice(self)
    }

    /// Whether the visible text of the item contains a text in lower case.
    fileprivate func contains(_ text: String) -> Bool {
        [name, account, label, itemDescription, comment].contains { attribute in
            attribute?.description.lowercased().contains(text) == true
        }
    }
}
