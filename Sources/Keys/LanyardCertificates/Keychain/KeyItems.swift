public import KeychainServices

extension PrivateKey {
    /// The attributes with which a keychain stores the key.
    public var attributes: ItemAttributes {
        var attributes = publicKey.attributes
        attributes.keyClass = .private
        attributes.canSign = type.signs
        attributes.canVerify = false
        attributes.canDecrypt = type == .rsa
        attributes.canEncrypt = false
        attributes.canUnwrap = type == .rsa
        attributes.canWrap = false
        return attributes
    }
}

extension PublicKey {
    /// The attributes with which a keychain stores the key.
    public var attributes: ItemAttributes {
        var attributes = ItemAttributes()
        attributes.keyClass = .public
        attributes.keyType = KeyType(rawValue: type.rawValue)
        attributes.keySizeInBits = UInt32(sizeInBits)
        attributes.effectiveKeySize = UInt32(sizeInBits)
        attributes.applicationLabel = ByteString(hash)
        attributes.isPermanent = true
        attributes.canSign = false
        attributes.canVerify = type.signs
        attributes.canEncrypt = type == .rsa
        attributes.canDecrypt = false
        attributes.canWrap = type == .rsa
        attributes.canUnwrap = false
        attributes.canDerive = type.derives
        return attributes
    }
}

extension AsymmetricKeyType {
    /// Whether keys of the type sign.
    fileprivate var signs: Bool { self != .x25519 }

    /// Whether two keys of the type make a secret.
    fileprivate var derives: Bool { self == .ellipticCurve || self == .x25519 }
}

extension Keychain {
    /// Adds a private key and its public key. The public key can always be read, also while the keychain is
    /// locked.
    ///
    /// - Parameters:
    ///   - attributes: The label, the application tag, the access group, when the private key can be read and so
    ///     on; what the key says of itself is added.
    ///   - context: What the program supplies for an access control.
    /// - Throws: ``Status/duplicateItem`` if the private key is there; what the keychain throws.
    public func add(
        _ key: PrivateKey, _ attributes: ItemAttributes = ItemAttributes(),
        context: AuthenticationContext? = nil
    ) throws(KeychainError) {
        try transaction { () throws(KeychainError) in
            try add(
                .key, key.attributes.merging(attributes), secret: key.externalRepresentation(),
                context: context)
            try addIfMissing(key.publicKey, attributes)
        }
    }

    /// Adds a public key, unless it is there.
    ///
    /// - Parameter attributes: The label, the application tag and the access group; those of a private key are
    ///   ignored.
    public func addIfMissing(
        _ key: PublicKey, _ attributes: ItemAttributes = ItemAttributes()
    ) throws(KeychainError) {
        let data = key.externalRepresentation
        try KeychainError.ignoring(.duplicateItem) { () throws(KeychainError) in
            try add(.key, key.publicAttributes(attributes), secret: Secret(copying: data.span))
        }
    }

    /// Deletes the keys of a key pair that are there.
    ///
    /// - Parameters:
    ///   - applicationLabel: The hash of the public key.
    ///   - classes: Which of the two to delete.
    ///   - accessGroup: The access group, or nil for all that the program has.
    public func deleteKeys(
        _ applicationLabel: ByteString, _ classes: [KeyClass] = [.private, .public],
        accessGroup: ByteString? = nil
    ) throws(KeychainError) {
        for keyClass in classes {
            var query = Query(.key)
            query.attributes.keyClass = keyClass
            query.attributes.applicationLabel = applicationLabel
            query.attributes.accessGroup = accessGroup
            query.synchronizable = .any
            try KeychainError.ignoring(.itemNotFound) { () throws(KeychainError) in
                try delete(query)
            }
        }
    }

    /// Returns a private key.
    ///
    /// - Parameter reference: The item of class ``ItemClass/key``.
    /// - Throws: ``Status/itemNotFound``; ``Status/decode`` for an item that is no such key; what the keychain
    ///   throws.
    public func privateKey(
        _ reference: ItemReference, context: AuthenticationContext? = nil
    ) throws(KeychainError) -> PrivateKey {
        var query = Query(reference, returns: [.attributes, .data])
        query.context = context
        guard let item = try firstMatch(of: query) else {
            throw KeychainError(.itemNotFound)
        }
        guard item.attributes?.keyClass == .private,
            let type = item.attributes?.keyType.flatMap({
                AsymmetricKeyType(rawValue: $0.rawValue)
            })
        else {
            throw KeychainError(.decode, "the item is not a private key")
        }
        switch item.secret {
        case .some(let data): return try PrivateKey(externalRepresentation: data, type: type)
        case .none: throw KeychainError(.itemNotFound)
        }
    }
}

extension PublicKey {
    /// The attributes of the public key that belongs to a private one with these attributes.
    package func publicAttributes(_ given: ItemAttributes) -> ItemAttributes {
        var attributes = attributes
        attributes.label = given.label
        attributes.applicationTag = given.applicationTag
        attributes.accessGroup = given.accessGroup
        attributes.synchronizable = given.synchronizable
        attributes.accessible =
            given.accessible?.isThisDeviceOnly == true ? .alwaysThisDeviceOnly : .always
        return attributes
    }
}
