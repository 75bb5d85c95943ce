import Crypto
import Foundation
import Glibc
import SwiftASN1
import X509

/// What swift-certificates reads of a certificate, in the words of `lanyard certificate list --json`.
struct ReadCertificate: Encodable {
    let subject: String
    let issuer: String
    let serialNumber: String
    let notValidBefore: String
    let notValidAfter: String
    let fingerprint: String
    let publicKeyHash: String
    let names: [String]
    let emailAddresses: [String]
    let isAuthority: Bool

    init(der: Data) throws {
        let certificate = try Certificate(derEncoded: Array(der))
        subject = certificate.subject.description
        issuer = certificate.issuer.description
        serialNumber = hexadecimal(certificate.serialNumber.bytes)
        notValidBefore = Self.text(certificate.notValidBefore)
        notValidAfter = Self.text(certificate.notValidAfter)
        fingerprint = hexadecimal(SHA256.hash(data: der))
        publicKeyHash = hexadecimal(
            Insecure.SHA1.hash(data: certificate.publicKey.subjectPublicKeyInfoBytes))
        let alternatives = try certificate.extensions.subjectAlternativeNames ?? .init([])
        // Hosts first.
        names =
            alternatives.compactMap { if case .dnsName(let name) = $0 { name } else { nil } }
            + alternatives.compactMap {
                if case .ipAddress(let address) = $0 { Self.text(address.bytes) } else { nil }
            }
        emailAddresses = alternatives.compactMap {
            if case .rfc822Name(let name) = $0 { name } else { nil }
        }
        isAuthority =
            switch try certificate.extensions.basicConstraints {
            case .isCertificateAuthority: true
            case .notCertificateAuthority, nil: false
            }
    }

    private static func text(_ date: Date) -> String {
        date.formatted(.iso8601)
    }

    private static func text(_ address: ArraySlice<UInt8>) -> String? {
        let family = address.count == 4 ? AF_INET : AF_INET6
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard address.count == 4 || address.count == 16,
            inet_ntop(family, Array(address), &text, socklen_t(text.count)) != nil
        else {
            return nil
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    }
}

/// The digits of bytes.
private func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0\(digits)" : digits
    }.joined()
}
