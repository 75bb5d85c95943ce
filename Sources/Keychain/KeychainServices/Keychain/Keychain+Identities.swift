/// Identities: certificates with their private keys, found by the digest of the public key.
extension Keychain {
    /// Passes the identities that match a query to a closure.
    ///
    /// The query's attributes and options apply to the certificate, those that a certificate can't have to the
    /// private key.
    /// The attributes of an identity are those of both, the data and the id its certificate's.
    func forEachIdentity(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        let limit = query.limit
        var count = 0
        // All certificates first: a walk can't search within itself.
        let certificates = try certificates(of: query)
        for position in certificates.indices {
            let attributes = certificates[position].attributes!
            guard let key = try privateKey(of: attributes, query) else {
                continue
            }
            let reference = ItemReference(
                itemClass: .identity, id: certificates[position].reference!.id)
            count += 1
            let identity = MatchedItem(
                reference, attributes.merging(key.filter { $0.isOfKeyAlone }),
                secret: certificates[position].secret.copy(), returns: query.returns)
            guard try body(identity) == .next, count < limit else {
                return
            }
        }
    }

    /// Deletes the identities that match a query. A private key stays if another certificate needs it.
    func deleteIdentities(_ query: Query) throws(KeychainError) {
        try transaction { () throws(KeychainError) in
            let identities = try placed(query)
            guard !identities.isEmpty else {
                throw KeychainError(.itemNotFound)
            }
            // First all certificates: those that remain decide which keys stay.
            for identity in identities {
                try delete(Query(identity.reference.certificate))
            }
            var keys: [ItemReference] = []
            for identity in identities {
                guard let wanted = privateKeyQuery(of: identity.attributes, query) else {
                    continue
                }
                let needed = try neededKeys(identity.attributes) + keys
                keys += try placed(wanted).nearest(to: identity).map { $0.reference }
                    .filter { !needed.contains($0) }
            }
            for key in keys {
                try delete(Query(key))
            }
        }
    }

    /// Returns the private keys of the certificates that have the same public key as an identity.
    private func neededKeys(_ identity: ItemAttributes) throws(KeychainError) -> [ItemReference] {
        var query = Query(.certificate)
        query.attributes.publicKeyHash = identity.publicKeyHash
        query.synchronizable = .any
        let keys = try placed(Query(privateKeyOf: identity))
        return try placed(query).flatMap { keys.nearest(to: $0).map { $0.reference } }
    }

    /// Returns all items that match a query.
    private func placed(_ query: Query) throws(KeychainError) -> [PlacedItem] {
        var query = query
        query.match.limit = .all
        query.returns = [.attributes, .reference]
        var items: [PlacedItem] = []
        try forEachMatch(query) { item throws(KeychainError) in
            let reference = item.reference!
            items.append(
                PlacedItem(
                    reference: reference, attributes: item.attributes!,
                    keychain: keychainName(of: reference)))
            return .next
        }
        return items
    }

    private func certificates(of query: Query) throws(KeychainError) -> MatchedItems {
        var wanted = query
        wanted.itemClass = .certificate
        wanted.attributes = query.attributes.filter { !$0.isOfKeyAlone }
        wanted.reference = query.reference?.certificate
        wanted.persistentReference =
            query.persistentReference?.reference.certificate
            .persistentReference
        wanted.items = query.items?.map { $0.certificate }
        wanted.match.limit = .all
        wanted.returns.formUnion([.attributes, .reference])
        var certificates = MatchedItems()
        try forEachMatch(wanted) { certificate throws(KeychainError) in
            certificates.append(certificate)
            return .next
        }
        return certificates
    }

    private func privateKey(
        of certificate: ItemAttributes, _ query: Query
    ) throws(KeychainError) -> ItemAttributes? {
        guard var wanted = privateKeyQuery(of: certificate, query) else {
            return nil
        }
        wanted.returns = .attributes
        return try firstMatch(of: wanted)?.attributes
    }

    /// Returns a query for the private keys of a certificate that a query means, nil if there can't be any.
    private func privateKeyQuery(of certificate: ItemAttributes, _ query: Query) -> Query? {
        guard certificate.publicKeyHash != nil else {
            return nil
        }
        var wanted = Query(privateKeyOf: certificate)
        wanted.attributes.accessGroup = query.attributes.accessGroup
        wanted.synchronizable = query.synchronizable
        for entry in query.attributes.entries where entry.isOfKeyAlone {
            guard wanted.attributes[entry.attribute] ?? entry.value == entry.value else {
                return nil
            }
            wanted.attributes[entry.attribute] = entry.value
        }
        return wanted
    }
}

/// An item, and the keychain that it is in if there are several.
private struct PlacedItem {
    let reference: ItemReference
    let attributes: ItemAttributes
    let keychain: String?
}

extension [PlacedItem] {
    /// Returns the items in the keychain and the access group of another one; all if none is there.
    fileprivate func nearest(to item: PlacedItem) -> [PlacedItem] {
        let near = filter {
            $0.keychain == item.keychain && $0.attributes.accessGroup == item.attributes.accessGroup
        }
        return near.isEmpty ? self : near
    }
}

extension ItemAttributes.Entry {
    /// Whether an identity has the attribute from its private key.
    fileprivate var isOfKeyAlone: Bool { !attribute.row.classes.contains(ItemClass.certificate) }
}

extension Query {
    /// Creates a query for the private key of a certificate or an identity with these attributes.
    public init(privateKeyOf attributes: ItemAttributes, returns: ReturnOptions = []) {
        self.init(.key, returns: returns)
        self.attributes.keyClass = .private
        self.attributes.applicationLabel = attributes.publicKeyHash ?? ""
        synchronizable = .any
    }
}

extension ItemReference {
    /// The certificate of an identity; any other item itself.
    fileprivate var certificate: ItemReference {
        itemClass == .identity ? ItemReference(itemClass: .certificate, id: id) : self
    }
}
