extension Query {
    /// A query for the one item with the identity of these attributes.
    package init(identityOf attributes: ItemAttributes, _ itemClass: ItemClass) {
        var identity = ItemAttributes()
        identity.accessGroup = attributes.accessGroup
        identity.account = attributes.account ?? ""
        if itemClass == .genericPassword {
            identity.service = attributes.service ?? ""
        } else {
            identity.server = attributes.server ?? ""
            identity.protocol = attributes.protocol ?? ProtocolType(rawValue: "")
            identity.port = attributes.port ?? 0
            identity.path = attributes.path ?? ""
            identity.securityDomain = attributes.securityDomain ?? ""
            identity.authenticationType =
                attributes.authenticationType
                ?? AuthenticationType(rawValue: FourCharacterCode(rawValue: 0))
        }
        self.init(itemClass, identity)
        synchronizable = attributes.synchronizable == true ? .synchronizable : .notSynchronizable
    }
    /// The attributes of the one identity that the query means, nil if it may mean several.
    package var wholeIdentity: ItemAttributes? {
        var identity = attributes
        guard let itemClass, match.caseInsensitive != true, synchronizable != .any,
            identity.accessGroup != nil, identity.account != nil
        else {
            return nil
        }
        if itemClass == .internetPassword {
            guard identity.server != nil, identity.protocol != nil, identity.port != nil,
                identity.path != nil, identity.securityDomain != nil,
                identity.authenticationType != nil
            else {
                return nil
            }
        } else if identity.service == nil {
            return nil
        }
        identity.synchronizable = synchronizable == .synchronizable
        return identity
    }
}
