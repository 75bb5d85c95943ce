internal import HelperKit
internal import Keychain
internal import StrictJSON

/// The items that `lanyard list` prints, in the order in which it does.
struct ItemList {
    let keychain: OpenKeychains
    let filter: ItemFilter
    let host: HostFilter?
    let expiries: LoginExpiries

    /// Writes the items' attributes as JSON, each as it is read.
    ///
    /// - Throws: What the keychains throw; ``Status/io``.
    func writeJSON() throws(KeychainError) {
        try JSONWriter.write(
            invalidText: .replace,
            to: { piece throws(KeychainError) in try writeAnswer(piece) }
        ) { writer throws(KeychainError) in
            try writer.writeArray { writer throws(KeychainError) in
                try forEach { item throws(KeychainError) in
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
    }

    /// Writes the lines that a script reads: as wide as they have to be, with dates.
    ///
    /// - Throws: What the keychains throw; ``Status/io``.
    func writeLines() throws(KeychainError) {
        let items = try all()
        // Once, and not for each of very many.
        let isOfSeveral = isOfSeveral(items)
        let titles = ["GROUP", "WHAT", "ACCOUNT", "CHANGED"]
        var table = Table(isOfSeveral ? titles + ["KEYCHAIN"] : titles)
        for item in items {
            let cells = item.names + [item.attributes.modificationDate?.text ?? ""]
            table.append(isOfSeveral ? cells + [item.keychain] : cells)
        }
        if !table.isEmpty {
            try writeAnswer(Secret(table.text))
        }
    }

    /// Writes the table that a person reads: as wide as the terminal, with ages.
    ///
    /// - Throws: What the keychains throw; ``Status/io``.
    func writeTable(for terminal: OutputTerminal, now: Timestamp) throws(KeychainError) {
        let items = try all()
        guard !items.isEmpty else {
            return
        }
        let hasExpiry = items.contains { $0.expiry != nil }
        let isOfSeveral = isOfSeveral(items)
        var columns: [FittedTable.Column] = [
            .init("GROUP", leastWidth: 5), .init("WHAT", leastWidth: 12),
            .init("ACCOUNT", leastWidth: 8), .init("AGE"),
        ]
        columns += hasExpiry ? [.init("EXPIRES")] : []
        columns += isOfSeveral ? [.init("KEYCHAIN", leastWidth: 8)] : []
        var table = FittedTable(columns)
        for item in items {
            let age = item.attributes.modificationDate?.age(at: now)
            var cells = (item.names + [age ?? ""]).map { FittedTable.Cell($0) }
            if hasExpiry {
                let isExpired = item.expiry.map { $0 < now } == true
                cells.append(
                    .init(item.expiry?.expiry(at: now) ?? "", isExpired ? .alarming : .plain))
            }
            cells += isOfSeveral ? [.init(item.keychain)] : []
            table.append(cells)
        }
        try writeAnswer(Secret(table.text(for: terminal)))
    }

    /// An item of the list.
    private struct Item {
        let itemClass: ItemClass
        let attributes: ItemAttributes
        let keychain: String
        let expiry: Timestamp?

        /// Group, name and account.
        var names: [String] {
            [
                (attributes.accessGroup ?? "").description, attributes.name.description,
                (attributes.account ?? "").description,
            ]
        }
    }

    /// Where all are in one keychain, its name is of no use.
    private func isOfSeveral(_ items: [Item]) -> Bool {
        items.contains { $0.keychain != items[0].keychain }
    }

    private func all() throws(KeychainError) -> [Item] {
        var items: [Item] = []
        try forEach { item throws(KeychainError) in items.append(item) }
        return items
    }

    private func forEach(
        _ body: (Item) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        let now = currentTime()
        for itemClass in [ItemClass.internetPassword, .genericPassword] {
            let query = filter.query(itemClass, returns: [.attributes, .reference])
            try keychain.keychain.forEachMatch(query) { item throws(KeychainError) in
                guard let attributes = item.attributes, let reference = item.reference,
                    host?.matches(attributes) != false
                else {
                    return .next
                }
                let expiry = expiries[reference]
                guard !filter.expired || expiry.map({ $0 < now }) == true else {
                    return .next
                }
                try body(
                    Item(
                        itemClass: itemClass, attributes: attributes,
                        keychain: keychain.store.keychainName(of: reference) ?? "",
                        expiry: expiry))
                return .next
            }
        }
    }
}
