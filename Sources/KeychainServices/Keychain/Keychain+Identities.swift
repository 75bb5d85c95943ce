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
                reference, attributes.merging(key.filter(\.isOfKeyAlone)),
                secret: certificates[position].secret.copy(), returns: query.returns)
            guard try body(identity) == .next, count < limit else {
                return
            }
        }
    }

    /// Deletes the identities that match a query.
    func deleteIdentities(_ query: Query) throws(KeychainError) {
        try transaction { () throws(KeychainError) in
            var query = query
            query.match.limit = .all
            query.returns = [.attributes, .reference]
            var identities: [(ItemReference, ItemAttributes)] = []
            try forEachIdentity(query) { identity throws(KeychainError) in
                identities.append((identity.reference!, identity.attributes!))
                return .next
            }
            guard !identities.isEmpty else {
                throw KeychainError(.itemNotFound)
            }
            for (reference, attributes) in identities {
                try delete(Query(reference.certificate))
                // Two certificates may share a key, which is gone then.
                if let key = privateKeyQuery(of: attributes, query),
                    try firstMatch(of: key) != nil
                {
                    try delete(key)
                }
            }
        }
    }

    private func certificates(of query: Query) throws(KeychainError) -> MatchedItems {
        var wanted = query
        wanted.itemClass = .certificate
        wanted.attributes = query.attributes.filter { !$0.isOfKeyAlone }
        wanted.reference = query.reference?.certificate
        wanted.persistentReference =
            query.persistentReference?.reference.certificate
            .persistentReference
        wanted.items = query.items?.map(\.certificate)
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
        for entry in query.attributes.entries where entry.isOfKeyAlone {
            guard wanted.attributes[entry.attribute] ?? entry.value == entry.value else {
                return nil
            }
            wanted.attributes[entry.attribute] = entry.value
        }
        return wanted
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
