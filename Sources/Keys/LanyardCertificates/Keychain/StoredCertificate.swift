public import KeychainServices

/// A certificate in a keychain.
public struct StoredCertificate: Sendable {
    /// The certificate's item.
    public let reference: ItemReference
    /// Its attributes.
    public let attributes: ItemAttributes
    /// The certificate itself.
    public let certificate: Certificate
    /// Whether its private key is in the keychain.
    public let hasPrivateKey: Bool

    /// The label, otherwise a short name of the subject.
    public var name: String {
        let label = attributes.label?.description ?? ""
        return label.isEmpty ? certificate.subjectSummary : label
    }

    /// Whether a user means this certificate: by its name, or by at least eight digits of its fingerprint.
    public func isMeant(by name: String) -> Bool {
        let digits = name.lowercased().filter { $0 != ":" }
        return self.name == name
            || digits.utf8.count >= 8 && certificate.fingerprint.hasPrefix(digits)
    }
}

extension Keychain {
    /// Returns the certificates, the latest first. Nothing has to be unlocked.
    ///
    /// - Parameter group: Only those of this access group; nil for any.
    /// - Throws: ``Status/decode`` for a certificate that can't be read; what the keychain throws.
    public func storedCertificates(
        group: ByteString? = nil
    ) throws(KeychainError) -> [StoredCertificate] {
        let hashes = try hashesOfPrivateKeys()
        var query = Query(.certificate, returns: [.attributes, .reference, .data])
        query.attributes.accessGroup = group
        query.synchronizable = .any
        query.match.limit = .all
        var all: [StoredCertificate] = []
        try forEachMatch(query) { item throws(KeychainError) in
            let attributes = item.attributes!
            switch item.secret {
            case .some(let data):
                all.append(
                    StoredCertificate(
                        reference: item.reference!, attributes: attributes,
                        certificate: try data.withBytes { der throws(KeychainError) in
                            try Certificate(der: der)
                        },
                        hasPrivateKey: attributes.publicKeyHash.map(hashes.contains) ?? false))
            case .none: break
            }
            return .next
        }
        return all
    }

    /// Returns the certificate that a user means; one with its private key wins over others of that name.
    ///
    /// - Parameter date: When it is to be used: of a certificate and its renewals, the one that is valid then and
    ///   longest; nil if renewals count as several.
    /// - Throws: ``Status/itemNotFound``; ``Status/param`` for several; what ``storedCertificates(group:)`` throws.
    public func storedCertificate(
        named name: String, group: ByteString? = nil, validAt date: Timestamp? = nil
    ) throws(KeychainError) -> StoredCertificate {
        var meant = try storedCertificates(group: group).filter { $0.isMeant(by: name) }
        if meant.count > 1, meant.contains(where: \.hasPrivateKey) {
            meant.removeAll { !$0.hasPrivateKey }
        }
        if let date, let first = meant.first,
            meant.allSatisfy({ $0.certificate.isRenewal(of: first.certificate) }),
            let longest = meant.filter({ $0.certificate.notValidBefore <= date })
                .max(by: { $0.certificate.notValidAfter < $1.certificate.notValidAfter })
        {
            return longest
        }
        guard meant.count <= 1 else {
            throw KeychainError(
                .param, "\(meant.count) certificates match '\(name)'",
                hint: "name one by its fingerprint (see lanyard certificate list)")
        }
        guard let one = meant.first else {
            throw KeychainError(
                .itemNotFound, "found no certificate '\(name)'",
                hint: "lanyard certificate list shows all certificates")
        }
        return one
    }

    private func hashesOfPrivateKeys() throws(KeychainError) -> Set<ByteString> {
        var query = Query(.key, returns: .attributes)
        query.attributes.keyClass = .private
        query.synchronizable = .any
        query.match.limit = .all
        return Set(try attributes(of: query).compactMap(\.applicationLabel))
    }
}
