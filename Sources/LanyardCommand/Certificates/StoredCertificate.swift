internal import Certificates
internal import KeychainServices

/// A certificate in a keychain.
struct StoredCertificate {
    let reference: ItemReference
    let attributes: ItemAttributes
    let certificate: Certificate
    /// Whether its private key is in the keychain.
    let hasPrivateKey: Bool

    /// The label, otherwise a short name of the subject.
    var name: String {
        let label = attributes.label?.description ?? ""
        return label.isEmpty ? certificate.subjectSummary : label
    }

    /// Whether a user means this certificate: by its label, or by at least eight digits of its fingerprint.
    func isMeant(by name: String) -> Bool {
        let digits = name.lowercased().filter { $0 != ":" }
        return self.name == name
            || digits.utf8.count >= 8 && certificate.fingerprint.hasPrefix(digits)
    }

    /// What distinguishes it for users.
    func marks(at now: Timestamp) -> String {
        [
            hasPrivateKey ? "identity" : nil, certificate.isAuthority ? "authority" : nil,
            certificate.notValidBefore > now ? "future" : nil,
        ].compactMap(\.self).joined(separator: ",")
    }
}

/// The certificates in the keychains in use.
struct StoredCertificates {
    let all: [StoredCertificate]

    /// Reads them, the latest first. Nothing has to be unlocked.
    ///
    /// - Throws: What the keychains throw; ``Status/decode`` for a certificate that can't be read.
    init(in keychain: Keychain, group: String?) throws(KeychainError) {
        let hashes = try StoredCertificates.hashesOfPrivateKeys(in: keychain)
        var query = Query(.certificate, returns: [.attributes, .reference, .data])
        query.attributes.accessGroup = group.map { ByteString($0) }
        query.synchronizable = .any
        query.match.limit = .all
        var all: [StoredCertificate] = []
        try keychain.forEachMatch(query) { item throws(KeychainError) in
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
        self.all = all
    }

    /// Returns the certificate that a user means.
    ///
    /// - Throws: ``Status/itemNotFound``, ``Status/param`` for several.
    func one(_ name: String) throws(KeychainError) -> StoredCertificate {
        let meant = all.filter { $0.isMeant(by: name) }
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

    private static func hashesOfPrivateKeys(
        in keychain: Keychain
    ) throws(KeychainError) -> Set<ByteString> {
        var query = Query(.key, returns: .attributes)
        query.attributes.keyClass = .private
        query.synchronizable = .any
        query.match.limit = .all
        return Set(try keychain.attributes(of: query).compactMap(\.applicationLabel))
    }
}
