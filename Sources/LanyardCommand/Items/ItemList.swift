internal import Prompting
internal import Keychains
internal import KeychainServices
internal import StrictJSON

/// The items that `lanyard list` prints, in the order in which it does.
struct ItemList {
    /// How many items there are.
    struct Counts {
        var shown = 0
        /// Those that are left out because they are invisible.
        var invisible = 0
    }

    let keychain: OpenKeychains
    let filter: ItemFilter
    let host: HostFilter?
    /// In small letters, what an item's attributes have to contain; nil for any item.
    let text: String?
    let expiries: LoginExpiries

    /// Writes the items' attributes as JSON, each as it is read.
    ///
    /// - Throws: What the keychains throw, ``Status/decode`` after all items that can be read if there
    ///   are others; ``Status/io``.
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

    /// Writes the lines that a script reads: as wide as they have to be, with dates.
    ///
    /// - Throws: As ``writeJSON()``.
    func writeLines() throws(KeychainError) -> Counts {
        var table = Table(["GROUP", "WHAT", "ACCOUNT", "CHANGED", "KEYCHAIN", "MARKS"])
        return try write { item in
            // No blank ends a line.
            let marks = item.marks.isEmpty ? "-" : item.marks
            return item.names + [
                item.attributes.modificationDate?.text ?? "", item.keychain, marks,
            ]
        } measure: { cells in
            table.measure(cells)
        } layOut: { traits in
            table.hidden = Set((traits.isOfSeveral ? [] : [4]) + (traits.hasMarks ? [] : [5]))
            return (table.text, table.line)
        }
    }

    /// Writes the table that a person reads: as wide as the terminal, with ages.
    ///
    /// - Throws: As ``writeJSON()``.
    func writeTable(
        for terminal: OutputTerminal, now: Timestamp
    ) throws(KeychainError) -> Counts {
        var table = FittedTable([
            .init("GROUP", leastWidth: 5), .init("WHAT", leastWidth: 12),
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
    private struct Item {
        let itemClass: ItemClass
        let attributes: ItemAttributes
        let keychain: String
        let expiry: Timestamp?

        /// What sets it apart from an item of the same name, or from one with a password.
        var marks: String {
            [
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

    /// What decides on the columns that are shown.
    private struct Traits {
        private(set) var count = 0
        private(set) var hasExpiry = false
        private(set) var hasMarks = false
        /// Where all are in one keychain, its name is of no use.
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

    /// How many rows are kept in memory until all are measured. The items of a longer list are read twice,
    /// so that it takes no more memory.
    private static let keptRows = 1_000

    /// Writes a table; nothing if there are no items.
    ///
    /// - Parameters:
    ///   - cells: The row of an item.
    ///   - measure: Is told each row before the first line is written.
    ///   - layOut: The heading, and what makes the line of a row.
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

    /// From how many bytes on lines are written.
    private static let pieceSize = 32 << 10

    /// What a walk over the items came to.
    private struct Walk {
        var counts = Counts()
        /// What keeps some items from being read.
        var damage: KeychainError?

        func countsIfWhole() throws(KeychainError) -> Counts {
            if let damage {
                throw damage
            }
            return counts
        }
    }

    /// Hands each item to a closure.
    private func forEach(
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
                walk.counts.invisible += 1
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
    /// Whether a text that is in small letters occurs in what a person reads of the item.
    fileprivate func contains(_ text: String) -> Bool {
        [name, account, label, itemDescription, comment].contains { attribute in
            attribute?.description.lowercased().contains(text) == true
        }
    }
}
