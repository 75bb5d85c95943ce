internal import KeychainServices
internal import StrictJSON

/// Some of the items that match a query.
struct PluginBatch {
    private(set) var items: [PluginItem] = []
    /// The number of the walk for requesting more; nil if there are no more.
    private(set) var walk: Int64?

    /// Reads a plugin's answer.
    ///
    /// - Parameter count: The most items that were requested.
    /// - Throws: ``Status/decode`` for anything that was not requested.
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
            // Otherwise it could go on forever.
            throw KeychainError(.decode, "a walk continues without an item")
        }
        for item in items {
            try item.check(query)
        }
        // Programs differ in which texts they treat as equal.
        self.items = items.filter { $0.isMeant(by: query) }
        self.walk = walk
    }

    private static func readItems(
        _ reader: inout JSONReader, count: Int
    ) throws(KeychainError) -> [PluginItem] {
        var items: [PluginItem] = []
        try reader.readArray { reader throws(KeychainError) in
            guard items.count < count else {
                throw KeychainError(.decode, "more items than requested")
            }
            items.append(try PluginItem(from: &reader))
        }
        return items
    }

    /// Creates a plugin's batch for its answer.
    init(_ items: [PluginItem], walk: Int64?) {
        self.items = items
        self.walk = walk
    }

    func write(to writer: inout JSONWriter) throws(KeychainError) {
        try writer.member(array: "items", of: items) { writer, item throws(KeychainError) in
            try item.write(to: &writer)
        }
        if let walk {
            try writer.member("walk", walk)
        }
    }
}

extension PluginItem {
    /// Throws for an item that does not match the query: another server's password would be worse
    /// than none.
    fileprivate func check(_ query: Query) throws(KeychainError) {
        try attributes.check(for: query.itemClass!)
        guard !query.match.comparesBytes || isMeant(by: query) else {
            throw KeychainError(.decode, "an item was not requested")
        }
        guard hasSecret || !query.returns.contains(.data) else {
            throw KeychainError(.decode, "an item's secret is missing")
        }
    }

    func isMeant(by query: Query) -> Bool {
        query.matches(query.itemClass!, attributes, id: id)
    }
}
