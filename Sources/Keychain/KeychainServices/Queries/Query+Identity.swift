extension Query {
    /// Creates a query for the one item with the identity of these attributes.
    package init(identityOf attributes: ItemAttributes, _ itemClass: ItemClass) {
        self.init(itemClass, attributes.identity(of: itemClass))
        synchronizable = attributes.synchronizable == true ? .synchronizable : .notSynchronizable
    }

    /// The attributes of the one identity that can match, nil if several can.
    package var wholeIdentity: ItemAttributes? {
        guard let itemClass, match.comparesBytes, synchronizable != .any,
            itemClass.primaryKey.allSatisfy({ $0 == .synchronizable || attributes[$0] != nil })
        else {
            return nil
        }
        var identity = attributes
        identity.synchronizable = synchronizable == .synchronizable
        return identity
    }
}
