internal import KeychainServices
internal import StrictJSON

/// Some of the items that a query means.
struct PluginBatch {
    private(set) var items: [PluginItem] = []
    /// The number of the walk by which to ask for more; nil if there are no more.
    private(set) var walk: Int64?

    /// Reads what a plugin answered.
    ///
    /// - Parameter count: How many items were asked for at most.
    /// - Throws: ``Status/decode`` for what was not asked for.
    init(
        from reader: inout JSONReader, _ query: Query, count: Int
    ) throws(KeychainError) {
        var read: [PluginItem]?
        var walk: Int64?
        try reader.readObject { name, reader throws(KeychainError) in
            switch name {
            case "items": read = try PluginBatch.readItems(&reader, count: count)
            case "walk": walk = try reader.readInteger()
            default: break
            }
        }
        let items = try required(read, "items")
        guard walk == nil || !items.isEmpty else {
            // Else it could go on for ever.
            throw KeychainError(.decode, "a walk goes on without an item")
        }
        for item in items {
            try item.check(query)
        }
        // What letters are the same is not the same everywhere.
        self.items = items.filter { $0.isMeant(by: query) }
        self.walk = walk
    }

    private static func readItems(
        _ reader: inout JSONReader, count: Int
    ) throws(KeychainError) -> [PluginItem] {
        var items: [PluginItem] = []
        try reader.readArray { reader throws(KeychainError) in
            guard items.count < count else {
                throw KeychainError(.decode, "there are more items than asked for")
            }
            items.append(try PluginItem(from: &reader))
        }
        return items
    }

    /// What a plugin has gathered to answer.
    init(_ items: [PluginItem], walk: Int64?) {
        self.items = items
        self.walk = walk
    }

    func write(to writer: inout JSONWriter) throws(KeychainError) {
        try writer.member("items") { writer throws(KeychainError) in
            try writer.writeArray { writer throws(KeychainError) in
                for item in items {
                    try item.write(to: &writer)
                }
            }
        }
        if let walk {
            try writer.member("walk", walk)
        }
    }
}

extension PluginItem {
    /// A plugin that gave another server's password would be worse than one that gives none.
    fileprivate func check(_ query: Query) throws(KeychainError) {
        try attributes.check(for: query.itemClass!)
        guard query.match.caseInsensitive == true || isMeant(by: query) else {
            throw KeychainError(.decode, "an item is not one that was asked for")
        }
        guard hasSecret || !query.returns.contains(.data) else {
            throw KeychainError(.decode, "an item's secret is missing")
        }
    }

    fileprivate func isMeant(by query: Query) -> Bool {
        query.matches(query.itemClass!, attributes, id: id)
    }
}
