internal import LanyardCertificates
internal import KeychainServices
internal import SecurityFunctions

extension SecKey {
    /// Returns the private key of a certificate, without its data.
    ///
    /// - Parameter keychain: The keychain's name, nil for the search list.
    /// - Throws: ``Status/itemNotFound``.
    static func privateKey(
        of certificate: Certificate, in keychain: String?, _ access: KeyAccess = KeyAccess()
    ) throws(KeychainError) -> SecKey {
        let query = Query(
            privateKeyOf: certificate.attributes, returns: [.attributes, .reference])
        return try ProgramKeychains.withKeychain(keychain) { open throws(KeychainError) in
            guard let found = try open.firstMatch(of: query), let attributes = found.attributes,
                let reference = found.reference
            else {
                throw KeychainError(.itemNotFound)
            }
            return SecKey(
                .stored(
                    Stored(
                        item: SecKeychainItem(reference, keychain: keychain),
                        attributes: attributes, access: access,
                        publicKey: certificate.publicKey)))
        }
    }

    /// Returns the private key, which a keychain reads for this call.
    ///
    /// - Throws: ``Status/param`` for other keys; ``Status/itemNotFound``; ``Status/interactionNotAllowed`` and
    ///   what else reading throws.
    func privateKey() throws(KeychainError) -> PrivateKey {
        switch material {
        case .privateKey(let key): return key
        case .publicKey: throw KeychainError(.param, "this takes a private key")
        case .stored(let stored):
            guard let type, attributes.keyClass == .private else {
                throw KeychainError(.param, "this takes a private key")
            }
            return try PrivateKey(externalRepresentation: stored.data(), type: type)
        }
    }

    /// Returns the public key, of a private key its own.
    ///
    /// - Throws: ``Status/param`` for a symmetric key; what reading throws.
    func publicKey() throws(KeychainError) -> PublicKey {
        switch material {
        case .privateKey(let key): return key.publicKey
        case .publicKey(let key): return key
        case .stored(let stored):
            if let known = stored.publicKey {
                return known
            }
            guard let type else {
                throw KeychainError(.param, "this takes a key of a pair")
            }
            guard attributes.keyClass == .private else {
                return try stored.data().withBytes { bytes throws(KeychainError) in
                    try PublicKey(externalRepresentation: bytes, type: type)
                }
            }
            // Programs store anything as a public key.
            if let partner = try stored.partner(),
                let key = try? SecKey(.stored(partner)).publicKey(),
                ByteString(key.hash) == attributes.applicationLabel
            {
                return key
            }
            return try privateKey().publicKey
        }
    }

    /// Returns the key's data as a keychain stores it.
    func data() throws(KeychainError) -> Secret {
        switch material {
        case .privateKey(let key): key.externalRepresentation()
        case .publicKey(let key): Secret(bytes: key.externalRepresentation)
        case .stored(let stored): try stored.data()
        }
    }
}

extension SecKey.Stored {
    /// Returns the item's data.
    fileprivate func data() throws(KeychainError) -> Secret {
        var query = Query(item.reference, returns: .data)
        query.context = access.context
        query.match.prompt = access.prompt
        let wanted = query
        return try ProgramKeychains.withKeychain(item.keychain, mayAsk: access.mayAsk) {
            keychain throws(KeychainError) in
            guard let found = try keychain.firstMatch(of: wanted) else {
                throw KeychainError(.itemNotFound)
            }
            switch found.secret {
            case .some(let secret): return secret.copy()
            case .none: throw KeychainError(.itemNotFound)
            }
        }
    }

    /// Returns the public key of a private one, nil if the keychain lacks it.
    fileprivate func partner() throws(KeychainError) -> SecKey.Stored? {
        guard let label = attributes.applicationLabel else {
            return nil
        }
        var query = Query(.key, returns: [.attributes, .reference])
        query.attributes.keyClass = .public
        query.attributes.keyType = attributes.keyType
        query.attributes.applicationLabel = label
        query.synchronizable = .any
        let wanted = query
        return try ProgramKeychains.withKeychain(item.keychain) { keychain throws(KeychainError) in
            guard let found = try keychain.firstMatch(of: wanted), let reference = found.reference,
                let attributes = found.attributes
            else {
                return nil
            }
            return SecKey.Stored(
                item: SecKeychainItem(reference, keychain: item.keychain),
                attributes: attributes, access: access, publicKey: nil)
        }
    }
}
