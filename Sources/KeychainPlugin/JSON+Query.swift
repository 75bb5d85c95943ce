internal import KeychainServices
internal import StrictJSON

extension JSONWriter {
    mutating func member(class itemClass: ItemClass) throws(KeychainError) {
        try member(bytes: "class", itemClass.rawValue.text)
    }

    /// Writes the conditions of a query. Its class is known, and its references agree. What it
    /// returns and its limit are separate members.
    mutating func member(_ query: Query) throws(KeychainError) {
        try member("query") { writer throws(KeychainError) in
            try writer.writeObject { writer throws(KeychainError) in
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
                if let groups = query.accessGroups {
                    try writer.member(groups)
                }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ groups: AccessGroups) throws(KeychainError) {
        try member("accessGroups") { writer throws(KeychainError) in
            try writer.writeArray { writer throws(KeychainError) in
                for group in groups.list {
                    try writer.write(bytes: group)
                }
            }
        }
    }
}

extension JSONReader {
    /// Reads the conditions of a query.
    mutating func readQuery() throws(KeychainError) -> Query {
        var itemClass: ItemClass?
        var query = Query()
        var id: ItemID?
        try readObject { name, reader throws(KeychainError) in
            switch name {
            case "class": itemClass = ItemClass(rawValue: try reader.readCode())
            case "attributes": query.attributes = try reader.readAttributes()
            case "reference": id = try reader.readItemID()
            case "caseInsensitive":
                query.match.caseInsensitive = try reader.readBool() ? true : nil
            case "accessGroups": query.accessGroups = try reader.readAccessGroups()
            default: break
            }
        }
        let known = try required(itemClass, "class")
        query.itemClass = known
        query.synchronizable = SynchronizableMatch(wanted: query.attributes.synchronizable)
        query.attributes.synchronizable = nil
        query.reference = id.map { ItemReference(itemClass: known, id: $0) }
        return query
    }
}

extension JSONReader {
    private mutating func readAccessGroups() throws(KeychainError) -> AccessGroups {
        var groups: [ByteString] = []
        try readArray { reader throws(KeychainError) in groups.append(try reader.readBytes()) }
        guard let first = groups.first else {
            throw KeychainError(.decode, "a query names no access group")
        }
        return AccessGroups(first, others: Array(groups.dropFirst()))
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
