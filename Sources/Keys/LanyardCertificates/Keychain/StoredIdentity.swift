public import KeychainServices

/// A certificate with its private key and the certificates of its issuers, read from a keychain for a use.
public struct StoredIdentity: Sendable {
    /// The private key.
    public let privateKey: PrivateKey
    /// The certificate, and then the issuers' that the keychain has, each after the one that it signed. A
    /// self-signed root is left out, because the other side has to know it anyway.
    public let chain: [Certificate]

    /// The certificate.
    public var certificate: Certificate { chain[0] }

    /// The chain and then the private key, unencrypted: a PEM file as curl and git read it.
    public func pem() throws(KeychainError) -> Secret {
        let key = try privateKey.file(.pkcs8)
        var text = SecretBuilder(capacity: key.count + chain.count * 4096)
        text.append(ByteString(chainPEM))
        text.append(key)
        return text.finish()
    }

    /// The chain, a PEM file.
    public var chainPEM: [UInt8] { chain.flatMap(\.pem) }
}

extension Keychain {
    /// Returns a certificate of the keychain and those of its issuers, as far as the keychain has them.
    ///
    /// - Throws: What the keychain throws. Nothing has to be unlocked.
    public func chain(of certificate: Certificate) throws(KeychainError) -> [Certificate] {
        var chain = [certificate]
        // Longer chains don't exist. Two issuers that signed each other would never end.
        while chain.count < 10, let last = chain.last, !last.isSelfSigned,
            let issuer = try issuer(of: last), !issuer.isSelfSigned, !chain.contains(issuer)
        {
            chain.append(issuer)
        }
        return chain
    }

    /// Returns a certificate with its private key and its chain.
    ///
    /// - Parameters:
    ///   - attributes: The certificate's attributes in the keychain.
    ///   - certificate: The certificate.
    ///   - context: What the program supplies for the access control of the private key.
    /// - Throws: ``Status/itemNotFound`` without the private key; ``Status/interactionNotAllowed`` if it is
    ///   locked; what the keychain throws.
    public func identity(
        of attributes: ItemAttributes, _ certificate: Certificate,
        context: AuthenticationContext? = nil
    ) throws(KeychainError) -> StoredIdentity {
        guard let key = try firstMatch(of: Query(privateKeyOf: attributes, returns: .reference)),
            let reference = key.reference
        else {
            throw KeychainError(
                .itemNotFound,
                "the private key of '\(certificate.subjectSummary)' is not in the keychain",
                hint: "lanyard key import FILE adds it")
        }
        return StoredIdentity(
            privateKey: try privateKey(reference, context: context),
            chain: try chain(of: certificate))
    }

    /// Returns the issuer's certificate; of several with the same key the one that is valid longest.
    private func issuer(of certificate: Certificate) throws(KeychainError) -> Certificate? {
        var query = Query(.certificate, returns: .data)
        query.attributes.subject = ByteString(certificate.normalizedIssuer)
        query.synchronizable = .any
        query.match.limit = .all
        var issuer: Certificate?
        try forEachMatch(query) { item throws(KeychainError) in
            switch item.secret {
            case .some(let data):
                if let candidate = data.withBytes({ try? Certificate(der: $0) }),
                    issuer.map({ $0.notValidAfter < candidate.notValidAfter }) ?? true,
                    certificate.isSigned(by: candidate)
                {
                    issuer = candidate
                }
            case .none: break
            }
            return .next
        }
        return issuer
    }
}
