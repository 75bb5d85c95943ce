internal import KeychainServices

/// Finds certificates with a private key that have expired, or will soon.
struct CertificatesCheck: Check {
    static let name = "certificates"

    /// How many days before its end a certificate is reported: most are replaced within a month.
    private static let days: Int64 = 30

    func findings(_ context: DiagnosisContext) -> [Finding] {
        var hashes: Set<ByteString> = []
        context.forEachItem(classes: [.key], returns: .attributes) { key, _ in
            if key.attributes?.keyClass == .private, let label = key.attributes?.applicationLabel {
                hashes.insert(label)
            }
        }
        var findings: [Finding] = []
        context.forEachItem(classes: [.certificate], returns: .attributes) { certificate, _ in
            guard let attributes = certificate.attributes, let end = attributes.notValidAfter,
                attributes.publicKeyHash.map(hashes.contains) == true
            else {
                return
            }
            let name = attributes.label?.description ?? ""
            let (left, isFar) = end.secondsSinceEpoch.subtractingReportingOverflow(
                context.now.secondsSinceEpoch)
            guard !isFar, left < CertificatesCheck.days * 86_400 else {
                return
            }
            findings.append(
                left < 0
                    ? Finding(
                        .certificateExpired, "the certificate '\(name: name)' has expired",
                        advice: CertificatesCheck.advice)
                    : Finding(
                        .certificateExpires,
                        "the certificate '\(name: name)' expires in \(plain: Self.words(left))",
                        advice: CertificatesCheck.advice))
        }
        return findings
    }

    private static let advice: FindingText =
        "get a new one from its issuer, and import it with lanyard certificate import"

    private static func words(_ seconds: Int64) -> String {
        switch seconds / 86_400 {
        case 0: "less than a day"
        case 1: "1 day"
        case let days: "\(days) days"
        }
    }
}
