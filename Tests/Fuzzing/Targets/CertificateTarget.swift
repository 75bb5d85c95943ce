import KeychainServices
import LanyardSecrets

@testable import LanyardCertificates

/// A certificate in DER, and what is made of it.
enum CertificateTarget: FuzzTarget {
    static let name = "certificate"

    static func run(_ input: [UInt8]) {
        guard
            let certificate = attempt({ () throws(KeychainError) in
                try Certificate(der: input.span)
            })
        else {
            return
        }
        use(certificate)
    }

    /// What is read can be written, and is then the same; nothing of it has control characters.
    static func use(_ certificate: Certificate) {
        let attributes = certificate.attributes
        let der = certificate.der
        let again = attempt { () throws(KeychainError) in try Certificate(der: der.span) }
        check(again == certificate, "a certificate that is written is another one")
        check(again?.attributes == attributes, "a certificate has other attributes")
        let pem = certificate.pem
        let all = attempt { () throws(KeychainError) in
            try Certificate.certificates(inPEM: pem.span)
        }
        check(all == [certificate], "a certificate's text is another one")
        let texts =
            [
                certificate.subjectDescription, certificate.issuerDescription,
                certificate.subjectSummary, certificate.issuerSummary,
            ] + certificate.dnsNames + certificate.addresses
            + certificate.emailAddresses.map(\.description)
        for text in texts {
            check(
                !text.unicodeScalars.contains { $0.properties.generalCategory == .control },
                "a name has control characters")
        }
        if certificate.publicKey != nil {
            check(certificate.publicKeyHash.count == 20, "a key's hash has another length")
        }
        check(
            !certificate.isSelfSigned || certificate.subject == certificate.issuer
                || certificate.normalizedSubject == certificate.normalizedIssuer,
            "a certificate signed itself under another name")
        let trust = CertificateTrust(policy: .server("a.example"), anchors: .only([certificate]))
        _ = attempt { () throws(KeychainError) in try trust.evaluate(certificate) }
    }
}
