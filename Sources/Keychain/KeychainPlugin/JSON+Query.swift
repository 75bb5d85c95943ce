internal import KeychainServices
internal import StrictJSON

extension JSONWriter {
    mutating func member(class itemClass: ItemClass) throws(KeychainError) {
        try member(bytes: "class", itemClass.rawValue.text)
    }

    /// Writes the conditions of a query. Its class is known, and its references agree. What it
    /// returns and its limit are separate members.
    mutating func member(_ query: Query) throws(KeychainError) {
        try member(object: "query") { writer throws(KeychainError) in
            if let itemClass = query.itemClass {
                try writer.member(class: itemClass)
            }
            var attributes = query.attributes
            attributes.synchronizable = query.synchronizable.wanted
            try writer.member("attributes", attributes)
            if let id = query.ids.first {
                try writer.member("reference", id.text)
            }
            if query.match.caseInsensitive == true {
                try writer.member("caseInsensitive", true)
            }
            try writer.members(beyondCase: query.match)
            if let items = query.items {
                try writer.member("references", items.map { $0.id.text })
            }
            if let groups = query.accessGroups {
                try writer.member(array: "accessGroups", of: groups.list) {
                    writer, group throws(KeychainError) in
                    try writer.write(bytes: group)
                }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(beyondCase match: MatchOptions) throws(KeychainError) {
        if match.diacriticInsensitive == true {
            try member("diacriticInsensitive", true)
        }
        if match.widthInsensitive == true {
            try member("widthInsensitive", true)
        }
        if let anchor = match.textAnchor?.name {
            try member("textAnchor", anchor)
        }
        if match.order == .oldestFirst {
            try member("order", "oldestFirst")
        }
    }
}

extension JSONReader {
    /// Reads the conditions of a query.
    mutating func readQuery() throws(KeychainError) -> Query {
        var itemClass: ItemClass?
        var query = Query()
        var id: ItemID?
        var ids: [ItemID]?
        try readObject { name, reader throws(KeychainError) in
            switch name {
            case "class": itemClass = ItemClass(rawValue: try reader.readCode())
            case "attributes": query.attributes = try reader.readAttributes()
            case "reference": id = try reader.readItemID()
            case "caseInsensitive":
                query.match.caseInsensitive = try reader.readBool() ? true : nil
            case "diacriticInsensitive":
                query.match.diacriticInsensitive = try reader.readBool() ? true : nil
            case "widthInsensitive":
                query.match.widthInsensitive = try reader.readBool() ? true : nil
            case "textAnchor": query.match.textAnchor = try reader.readTextAnchor()
            case "order": query.match.order = try reader.readOrder()
            case "references": ids = try reader.readItemIDs()
            case "accessGroups": query.accessGroups = try reader.readAccessGroups()
            default: break
            }
        }
        let known = try required(itemClass, "class")
        query.itemClass = known
        query.synchronizable = SynchronizableMatch(wanted: query.attributes.synchronizable)
        query.attributes.synchronizable = nil
        query.reference = id.map { ItemReference(itemClass: known, id: $0) }
        query.items = ids?.map { ItemReference(itemClass: known, id: $0) }
        return query
    }
}

extension JSONReader {
    private mutating func readItemIDs() throws(KeychainError) -> [ItemID] {
        var ids: [ItemID] = []
        try readArray { reader throws(KeychainError) in ids.append(try reader.readItemID()) }
        return ids
    }

    private mutating func readTextAnchor() throws(KeychainError) -> TextAnchor? {
        switch try readText() {
        case "start": .start
        case "end": .end
        default: throw KeychainError(.decode, "there is no such anchor of texts")
        }
    }

    private mutating func readOrder() throws(KeychainError) -> ItemOrder? {
        guard try readText() == "oldestFirst" else {
            throw KeychainError(.decode, "there is no such order of items")
        }
        return .oldestFirst
    }

    private mutating func readAccessGroups() throws(KeychainError) -> AccessGroups {
        var groups: [ByteString] = []
        try readArray { reader throws(KeychainError) in groups.append(try reader.readBytes()) }
        guard let first = groups.first else {
            throw KeychainError(.decode, "a query names no access group")
        }
        return AccessGroups(first, others: Array(groups.dropFirst()))
    }
}

extension TextAnchor {
    /// The name in a query, nil for the default.
    fileprivate var name: ByteString? {
        switch self {
        case .whole: nil
        case .start: "start"
        case .end: "end"
        }
    }
}

extension AccessGroups {
    /// The groups of a list that does not cover all of them.
    var list: [ByteString] { [first] + others }
}

extension SynchronizableMatch {
    /// The required value of the attribute, nil if any will do.
    fileprivate var wanted: Bool? {
        switch self {
        case .notSynchronizable: false
        case .synchronizable: true
        case .any: nil
        }
    }

    fileprivate init(wanted: Bool?) {
        self = wanted.map { $0 ? .synchronizable : .notSynchronizable } ?? .any
    }
}
