import LanyardSecrets

@testable import LanyardCertificates

/// A certificate in the making, whose every field can be what openssl(1) would not write.
struct CertificateDraft {
    /// The version's number, nil to leave it out.
    var version: [UInt8]? = [2]
    var serialNumber: [UInt8] = [1]
    var issuer: [UInt8]?
    var notBefore = DER.text(0x17, "200101000000Z")
    var notAfter = DER.text(0x17, "491231235959Z")
    var subject: [UInt8]
    var key: PrivateKey
    /// The public key, nil for the key's own.
    var publicKey: [UInt8]?
    var extensions: [[UInt8]] = []
    /// An algorithm other than the usual one for the issuer's key.
    var algorithm: (identifier: [UInt8], KeyAlgorithm)?

    init(_ subject: [UInt8], _ key: PrivateKey) {
        self.subject = subject
        self.key = key
    }

    init(_ commonName: String, _ key: PrivateKey, extensions: [[UInt8]] = []) {
        self.init(DER.common(commonName), key)
        self.extensions = extensions
    }

    /// The certificate's bytes, signed by its own key or by an issuer.
    func signed(by issuer: CertificateDraft? = nil) throws -> [UInt8] {
        let signer = (issuer ?? self).key
        let (identifier, algorithm) = self.algorithm ?? Self.algorithm(signer)
        var version: [UInt8] = []
        if let number = self.version {
            version = DER.element(0xA0, DER.integer(number))
        }
        var extensions: [UInt8] = []
        if !self.extensions.isEmpty {
            extensions = DER.element(
                0xA3, DER.element(0x30, self.extensions.flatMap(\.self)))
        }
        let body = DER.sequence(
            version, DER.integer(serialNumber), identifier,
            self.issuer ?? (issuer ?? self).subject, DER.sequence(notBefore, notAfter),
            subject, publicKey ?? key.publicKey.subjectPublicKeyInfo, extensions)
        let signature = try signer.sign(body.span, algorithm)
        return DER.sequence(body, identifier, DER.bitString(signature))
    }

    /// The certificate, signed by its own key or by an issuer.
    func certificate(by issuer: CertificateDraft? = nil) throws -> Certificate {
        let bytes = try signed(by: issuer)
        return try Certificate(der: bytes.span)
    }

    private static func algorithm(_ key: PrivateKey) -> ([UInt8], KeyAlgorithm) {
        switch key.type {
        case .rsa:
            (
                DER.sequence(DER.identifier("1.2.840.113549.1.1.11"), [5, 0]),
                KeyAlgorithm(rawValue: "algid:sign:RSA:message-PKCS1v15:SHA256")!
            )
        case .ellipticCurve:
            (
                DER.sequence(DER.identifier("1.2.840.10045.4.3.2")),
                KeyAlgorithm(rawValue: "algid:sign:ECDSA:message-X962:SHA256")!
            )
        default:
            (
                DER.sequence(DER.identifier("1.3.101.112")),
                KeyAlgorithm(rawValue: "algid:sign:EdDSA:message-Curve25519:SHA512")!
            )
        }
    }
}

/// Extensions: RFC 5280, section 4.2.
enum Extension {
    static func any(_ type: String, isCritical: Bool = false, _ value: [UInt8]) -> [UInt8] {
        DER.sequence(
            DER.identifier(type), isCritical ? [1, 1, 0xFF] : [], DER.octetString(value))
    }

    static func authority(pathLength: UInt8? = nil) -> [UInt8] {
        any(
            "2.5.29.19", isCritical: true,
            DER.sequence([1, 1, 0xFF], pathLength.map { DER.integer([$0]) } ?? []))
    }

    static let notAuthority = any("2.5.29.19", isCritical: true, DER.sequence())

    /// Bits in the order of RFC 5280, section 4.2.1.3.
    static func keyUsage(_ bits: UInt8) -> [UInt8] {
        any("2.5.29.15", isCritical: true, DER.element(0x03, [0, bits]))
    }

    static func alternativeNames(_ names: [UInt8]...) -> [UInt8] {
        any("2.5.29.17", DER.element(0x30, names.flatMap(\.self)))
    }

    static func host(_ name: String) -> [UInt8] { DER.text(0x82, name) }
    static func mail(_ name: String) -> [UInt8] { DER.text(0x81, name) }
    static func address(_ bytes: [UInt8]) -> [UInt8] { DER.element(0x87, bytes) }

    /// Purposes: RFC 5280, section 4.2.1.12.
    static func purposes(_ last: Int...) -> [UInt8] {
        any(
            "2.5.29.37",
            DER.element(0x30, last.flatMap { DER.identifier("1.3.6.1.5.5.7.3.\($0)") }))
    }

    /// Only hosts below a domain.
    static func permittedHosts(_ domain: String) -> [UInt8] {
        any(
            "2.5.29.30", isCritical: true,
            DER.sequence(DER.element(0xA0, DER.sequence(host(domain)))))
    }
}
