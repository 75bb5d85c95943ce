/// A walk over certificates that passes on the trusted ones.
final class TrustedCertificates {
    /// The query that finds the certificates, trusted or not, with their data.
    let query: Query
    private let decoder: any CertificateDecoding

    init(_ query: Query, _ decoder: any CertificateDecoding) {
        self.query = query
        self.decoder = decoder
    }

    func contains(_ certificate: borrowing MatchedItem) -> Bool {
        switch certificate.secret {
        case .some(let data):
            data.withBytes { decoder.isTrusted($0, on: query.match.validOnDate) }
        case .none: false
        }
    }
}

extension Keychain {
    /// Returns what tells the trusted certificates, nil for a query that matches others too.
    ///
    /// - Throws: ``Status/unimplemented`` in a program that can't read certificates.
    func trustedCertificates(_ query: Query) throws(KeychainError) -> TrustedCertificates? {
        guard query.match.trustedOnly == true else {
            return nil
        }
        guard let decoder else {
            throw KeychainError(.unimplemented, "this program can't read certificates")
        }
        var all = query
        all.match.limit = .all
        all.returns.insert(.data)
        return TrustedCertificates(all, decoder)
    }
}
