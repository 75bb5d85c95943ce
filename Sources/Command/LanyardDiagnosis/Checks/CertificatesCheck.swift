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
        var certificates: [ItemAttributes] = []
        context.forEachItem(classes: [.certificate], returns: .attributes) { certificate, _ in
            if let attributes = certificate.attributes,
                attributes.publicKeyHash.map(hashes.contains) == true
            {
                certificates.append(attributes)
            }
        }
        return certificates.compactMap { attributes in
            let isRenewed = certificates.contains { $0.isRenewal(of: attributes) }
            return isRenewed ? nil : CertificatesCheck.finding(attributes, now: context.now)
        }
    }

    private static func finding(_ certificate: ItemAttributes, now: Timestamp) -> Finding? {
        guard let end = certificate.notValidAfter else {
            return nil
        }
        let name = certificate.label?.description ?? ""
        let (left, isFar) = end.secondsSinceEpoch.subtractingReportingOverflow(
            now.secondsSinceEpoch)
        guard !isFar, left < days * 86_400 else {
            return nil
        }
        return left < 0
            ? Finding(
                .certificateExpired, "the certificate '\(name: name)' has expired", advice: advice)
            : Finding(
                .certificateExpires,
                "the certificate '\(name: name)' expires in \(plain: words(left))", advice: advice)
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

extension ItemAttributes {
    /// Whether a certificate replaces another one: for the same subject from the same issuer, and ends later.
    fileprivate func isRenewal(of other: ItemAttributes) -> Bool {
        guard let end = notValidAfter, let otherEnd = other.notValidAfter else {
            return false
        }
        return subject == other.subject && issuer == other.issuer && end > otherEnd
    }
}
