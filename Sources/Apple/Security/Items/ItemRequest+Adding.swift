internal import LanyardCertificates
internal import KeychainServices
internal import KeychainServicesFoundation
internal import SecurityFunctions

extension ItemRequest {
    /// Adds the item, or the items of a list: all or none.
    ///
    /// - Returns: What the request asks for, nil if that is nothing.
    func add() throws(KeychainError) -> AnyObject? {
        guard match == MatchOptions(), policy == nil, persistentReference == nil else {
            throw KeychainError(.param, "a new item takes no match options and no reference")
        }
        guard let items else {
            let addition = try addition(object)
            let added = try withKeychain(keychain) { keychain throws(KeychainError) in
                try addition.items.count == 1
                    ? add(addition, to: keychain)
                    : keychain.transaction { () throws(KeychainError) in
                        try add(addition, to: keychain)
                    }
            }
            return try added?.object(returns)
        }
        guard object == nil, data == nil, !items.isEmpty else {
            throw KeychainError(.param, "a list of items to add takes no other value")
        }
        var additions: [Addition] = []
        for item in items {
            additions.append(try addition(item))
        }
        let all = additions
        let added = try withKeychain(keychain) { keychain throws(KeychainError) in
            try keychain.transaction { () throws(KeychainError) in
                var added: [ResultParts] = []
                for addition in all {
                    added += try add(addition, to: keychain).map { [$0] } ?? []
                }
                return added
            }
        }
        guard !returns.isEmpty else {
            return nil
        }
        let objects = try added.map { parts throws(KeychainError) in try parts.object(returns) }
        return NSArray(array: objects)
    }

    /// What is stored for one object: one item, or the two of an identity.
    private struct Addition {
        let itemClass: ItemClass
        let items: [NewItem]
        /// Finds an identity once it is stored.
        let content: ItemAttributes
    }

    private func addition(_ object: ItemObject?) throws(KeychainError) -> Addition {
        guard let itemClass = itemClass ?? object?.itemClass else {
            throw KeychainError(.param, "the item has no class")
        }
        guard itemClass.isKnownToLanyard else {
            throw KeychainError(.unimplemented, "Lanyard can't store items of this class")
        }
        guard let object else {
            guard data != nil || itemClass.isPassword else {
                throw KeychainError(.param, "a certificate or a key needs a value")
            }
            return Addition(
                itemClass: itemClass,
                items: [NewItem(itemClass, attributes, secret: Secret(data ?? Data()))],
                content: ItemAttributes())
        }
        guard data == nil, object.itemClass == itemClass else {
            throw KeychainError(.param, "the reference is to an item of another class")
        }
        let items: [NewItem]
        switch object {
        case .stored:
            throw KeychainError(
                .unimplemented, "only certificates, keys and identities are added by reference")
        case .certificate(let certificate): items = [newItem(certificate, attributes)]
        case .key(let key): items = [try newItem(key, attributes)]
        case .identity(let identity):
            let forCertificate = attributes.filter {
                $0.attribute.row.classes.contains(.certificate)
                    && $0.attribute != .accessControl
            }
            let forKey = attributes.filter { $0.attribute.row.classes.contains(.key) }
            items = [
                newItem(identity.certificate, forCertificate), try newItem(identity.key(), forKey),
            ]
        }
        return Addition(itemClass: itemClass, items: items, content: object.contentAttributes)
    }

    private func newItem(_ certificate: SecCertificate, _ attributes: ItemAttributes) -> NewItem {
        NewItem(.certificate, attributes, secret: Secret(bytes: certificate.certificate.der))
    }

    private func newItem(
        _ key: SecKey, _ attributes: ItemAttributes
    ) throws(KeychainError) -> NewItem {
        var own = key.attributes.withoutPlace
        own.isPermanent = true
        return NewItem(.key, own.merging(attributes), secret: try key.data())
    }

    private func add(
        _ addition: Addition, to keychain: Keychain
    ) throws(KeychainError) -> ResultParts? {
        if let item = addition.items.first, addition.items.count == 1 {
            let wanted = returns.forObjects(of: addition.itemClass).subtracting(.data)
            let added = try keychain.add(
                item.itemClass, item.attributes, secret: item.secret, returns: wanted,
                context: context)
            let isDataWanted = returns.forObjects(of: addition.itemClass).contains(.data)
            let data = isDataWanted ? Data(item.secret) : nil
            guard let added else {
                return isDataWanted ? ResultParts(data: data) : nil
            }
            return try ResultParts(added, data: data, self.keychain, access)
        }
        var isNew = false
        for item in addition.items {
            try KeychainError.ignoring(.duplicateItem) { () throws(KeychainError) in
                try keychain.add(
                    item.itemClass, item.attributes, secret: item.secret, context: context)
                isNew = true
            }
        }
        guard isNew else {
            throw KeychainError(.duplicateItem)
        }
        guard !returns.isEmpty else {
            return nil
        }
        var query = Query(
            .identity, addition.content, returns: returns.forObjects(of: .identity))
        query.synchronizable = .any
        guard let found = try keychain.firstMatch(of: query) else {
            throw KeychainError(.itemNotFound)
        }
        return try ResultParts(found, data: nil, self.keychain, access)
    }
}

extension ItemAttributes {
    /// The attributes without those that belong to an item rather than to what it stores.
    fileprivate var withoutPlace: ItemAttributes {
        filter { entry in
            ![
                .accessGroup, .synchronizable, .creationDate, .modificationDate, .accessible,
                .accessControl, .trustedApplications,
            ].contains(entry.attribute)
        }
    }
}
