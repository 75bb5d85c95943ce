import KeychainServices

/// All there is to know of an item.
struct Item: Equatable {
    var reference: ItemReference
    var attributes: ItemAttributes
    var secret: [UInt8]
}

extension Keychain {
    /// The items of all classes, those added or changed last first.
    func contents() throws -> [Item] {
        try ItemClass.stored.flatMap { try items($0) }
    }

    /// The items of a class that have these attributes, those added or changed last first.
    func items(
        _ itemClass: ItemClass, _ attributes: ItemAttributes = ItemAttributes()
    ) throws -> [Item] {
        var query = Query(itemClass, attributes)
        query.synchronizable = .any
        return try items(query)
    }

    /// The items that a query means, all of them.
    func items(_ query: Query) throws -> [Item] {
        var query = query
        query.match.limit = .all
        query.returns = [.data, .attributes, .reference]
        var items: [Item] = []
        try forEachMatch(query) { item throws(KeychainError) in
            items.append(
                Item(
                    reference: item.reference!, attributes: item.attributes!,
                    secret: item.secretBytes ?? []))
            return .next
        }
        return items
    }

    /// The accounts of the items that a query means, in their order.
    func accounts(_ query: Query) throws -> [ByteString] {
        try items(query).map { $0.attributes.account ?? "" }
    }

    /// How many items a query means.
    func count(_ query: Query) throws -> Int {
        try items(query).count
    }

    /// The one item that a query means.
    func onlyItem(
        _ query: Query, fileID: StaticString = #fileID, line: Int = #line
    ) throws -> Item {
        let items = try items(query)
        try expectEqual(items.count, 1, "items", fileID: fileID, line: line)
        return items[0]
    }
}

extension MatchedItem {
    /// The secret's bytes, where they are no secret.
    var secretBytes: [UInt8]? {
        switch secret {
        case .some(let secret): secret.bytes
        case .none: nil
        }
    }
}

extension Secret {
    /// The bytes, where they are no secret.
    var bytes: [UInt8] {
        withBytes { span in span.indices.map { span[$0] } }
    }

    /// A secret of these bytes.
    init(bytes: [UInt8]) {
        self.init(copying: bytes.span)
    }
}
