internal import LanyardCertificates
internal import KeychainServices

/// A certificate whose trust is evaluated, and the rules for it. Nothing is fetched: revocation is not checked. The C
/// type is SecTrustRef.
///
/// It is not for several threads at once.
public final class SecTrust: NSObject {
    /// The certificate to evaluate first, then others that may lead to a root.
    let certificates: [Certificate]
    var policies: [CertificateTrust.Policy]
    var anchors: [Certificate]?
    var usesAnchorsOnly = false
    var date: Timestamp?
    var allowsNetworkFetch = false
    private var result: CertificateTrust.Result?

    init(_ certificates: [Certificate], _ policies: [CertificateTrust.Policy]) {
        self.certificates = certificates
        self.policies = policies
    }

    /// Evaluates the certificate; all policies must hold.
    ///
    /// - Throws: ``Status/allocate``, ``Status/param`` for an invalid host name.
    func evaluate() throws(KeychainError) -> CertificateTrust.Result {
        if let result {
            return result
        }
        var results: [CertificateTrust.Result] = []
        for policy in policies {
            let rules = CertificateTrust(
                policy: policy, anchors: trustedAnchors,
                intermediates: Array(certificates.dropFirst()), date: date)
            results.append(try rules.evaluate(certificates[0]))
        }
        let evaluated = results.first { !$0.isTrusted } ?? results[0]
        result = evaluated
        return evaluated
    }

    /// Forgets the result, because the rules changed.
    func reset() { result = nil }

    /// The result of the last evaluation, nil before one.
    var lastResult: CertificateTrust.Result? { result }

    private var trustedAnchors: CertificateTrust.Anchors {
        if usesAnchorsOnly {
            return .only(anchors ?? [])
        }
        return anchors.map { .systemAnd($0) } ?? .system
    }
}
