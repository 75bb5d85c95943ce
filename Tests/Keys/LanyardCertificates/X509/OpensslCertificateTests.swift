import Foundation
import LanyardSecrets
import Testing

@testable import LanyardCertificates

/// What openssl(1) says of certificates, and what is read of those that it makes.
@Suite(.enabled(if: hasPeer("openssl"))) struct OpensslCertificateTests {
    let peer: KeyPeer

    init() throws {
        peer = try KeyPeer()
    }

    /// Keys as openssl names them, and whether they are supported.
    private static let kinds: [(arguments: [String], type: AsymmetricKeyType?)] = [
        (["RSA", "rsa_keygen_bits:2048"], .rsa), (["RSA-PSS", "rsa_keygen_bits:2048"], nil),
        (["EC", "ec_paramgen_curve:P-256"], .ellipticCurve),
        (["EC", "ec_paramgen_curve:P-521"], .ellipticCurve),
        (["EC", "ec_paramgen_curve:secp256k1"], nil),
        (["EC", "ec_paramgen_curve:brainpoolP256r1"], nil), (["ED25519"], .ed25519),
        (["ED448"], nil),
    ]

    @Test(arguments: kinds.indices) func keys(_ index: Int) async throws {
        let (arguments, type) = Self.kinds[index]
        if arguments.count == 2 {
            try await peer.run(
                "openssl", "genpkey", "-algorithm", arguments[0], "-pkeyopt", arguments[1],
                "-out", "a.key")
        } else {
            try await peer.run("openssl", "genpkey", "-algorithm", arguments[0], "-out", "a.key")
        }
        try await peer.run(
            "openssl", "req", "-x509", "-key", "a.key", "-out", "a.pem", "-subj", "/CN=a", "-days",
            "9000")
        let certificate = try await compare("a.pem")
        #expect(certificate.publicKey?.type == type && certificate.isSelfSigned)
        if type != nil {
            let key = try #require(KeyFile(peer.secret("a.key")).privateKey)
            #expect(certificate.publicKey == key.publicKey)
            #expect(certificate.publicKeyHash == key.publicKey.hash)
        }
        let identifier = try #require(certificate.subjectKeyIdentifier)
        #expect(identifier == certificate.publicKeyHash)
    }

    @Test(arguments: [
        "/CN=Ada Lovelace/O=Analytical, \"Engines\" + Co;/C=GB",
        "/CN=Zoë 😀/O=株式会社/emailAddress=a@b.c",
        "/CN=a+OU=b+O=c/DC=example/DC=com", "/", "/CN=#hash/O= space /L=a\\/b\\+c",
        "/CN=one/CN=two/CN=three/emailAddress=a@example.com/emailAddress=b@example.com",
        "/serialNumber=7/UID=ada/title=Dr/GN=Ada/SN=Lovelace/1.2.3.4=odd/street=1 Main",
    ]) func names(_ subject: String) async throws {
        try await peer.run("openssl", "genpkey", "-algorithm", "ED25519", "-out", "a.key")
        for extra in [["-utf8"], ["-utf8", "-multivalue-rdn"]] {
            try await makeCertificate(subject, extra)
            _ = try await compare("a.pem")
        }
        // Old types of text: T61String and BMPString.
        for mask in ["nombstr", "MASK:0x800", "MASK:0x2000"] {
            try peer.write(
                "a.cnf",
                Array(
                    """
                    [req]
                    distinguished_name = name
                    string_mask = \(mask)
                    [name]
                    """.utf8))
            try await makeCertificate("/CN=Zo\u{EB} B/O=Org", ["-utf8", "-config", "a.cnf"])
            let certificate = try await compare("a.pem")
            #expect(certificate.subjectSummary == "Zo\u{EB} B")
        }
    }

    private func makeCertificate(_ subject: String, _ extra: [String]) async throws {
        let arguments =
            ["req", "-x509", "-key", "a.key", "-out", "a.pem", "-subj", subject] + extra
        let words = arguments.map { "'\($0)'" }.joined(separator: " ")
        try await peer.run("sh", "-c", "openssl \(words)")
    }

    @Test func alternativeNames() async throws {
        try await peer.run(
            "openssl", "req", "-x509", "-newkey", "ed25519", "-nodes", "-keyout", "a.key", "-out",
            "a.pem", "-subj", "/CN=a/emailAddress=z@example.com", "-addext",
            "subjectAltName=DNS:a.example,DNS:*.example.com,IP:192.0.2.7,IP:2001:db8::7,IP:::ffff:1,"
                + "email:a@example.com,email:b@example.com,URI:https://example.com,RID:1.2.3.4,"
                + "otherName:1.2.3.4;UTF8:ada")
        let certificate = try await compare("a.pem")
        #expect(certificate.dnsNames == ["a.example", "*.example.com"])
        #expect(certificate.addresses == ["192.0.2.7", "2001:db8::7", "::ffff:1"])
        #expect(
            certificate.emailAddresses == ["a@example.com", "b@example.com", "z@example.com"])
    }

    /// What openssl doesn't make, but reads.
    @Test func drafts() async throws {
        let key = try PrivateKey(generating: .ed25519, sizeInBits: 256)
        var drafts = [CertificateDraft("v1", key)]
        drafts[0].version = nil
        for serial: [UInt8] in [
            [0], [0x80], [0xFF, 0x7F], [0, 0xFF], Array(repeating: 0x7F, count: 20),
            Array(repeating: 0x80, count: 20),
        ] {
            var draft = CertificateDraft("serial", key)
            draft.serialNumber = serial
            drafts.append(draft)
        }
        for (tag, text) in [
            (0x17, "500101000000Z"), (0x17, "491231235959Z"), (0x18, "20500101000000Z"),
            (0x18, "99991231235959Z"), (0x17, "691231235959Z"), (0x18, "19000101000000Z"),
        ] as [(UInt8, String)] {
            var draft = CertificateDraft("dates", key)
            draft.notBefore = DER.text(tag, text)
            draft.notAfter = DER.text(tag, text)
            drafts.append(draft)
        }
        drafts.append(CertificateDraft(DER.common("a\0b\u{1}\n\u{1B}[m\u{7F}"), key))
        drafts.append(
            CertificateDraft(
                DER.name((DER.commonName, DER.bmp("Zoë")), (DER.unit, DER.element(0x14, [0xEB]))),
                key))
        drafts.append(
            CertificateDraft(
                DER.name(("2.5.4.45", DER.bitString([1, 2])), ("1.2.9", DER.utf8("x"))), key))
        for draft in drafts {
            let certificate = try draft.certificate()
            try peer.write("a.pem", certificate.pem)
            #expect(try await compare("a.pem") == certificate)
        }
    }

    /// Text between the blocks, and lines of other systems.
    @Test func bundles() async throws {
        let key = try PrivateKey(generating: .ed25519, sizeInBits: 256)
        let certificates = try (0..<5).map { try CertificateDraft("\($0)", key).certificate() }
        try peer.write("all.pem", certificates.flatMap(\.pem))
        try await peer.run(
            "sh", "-c",
            """
            openssl crl2pkcs7 -nocrl -certfile all.pem | openssl pkcs7 -print_certs -text -out text.pem
            sed 's/$/\\r/' text.pem >windows.pem
            openssl x509 -in all.pem -trustout -addtrust serverAuth -out trusted.pem
            cat trusted.pem text.pem >mixed.pem
            """)
        for name in ["text.pem", "windows.pem", "mixed.pem"] {
            let bytes = try peer.bytes(name)
            #expect(try Certificate.certificates(inPEM: bytes.span) == certificates, "\(name)")
        }
    }

    /// Compares what is read of a certificate with what openssl says.
    private func compare(_ name: String) async throws -> Certificate {
        try await peer.run("openssl", "x509", "-in", name, "-outform", "DER", "-out", "a.der")
        let bytes = try peer.bytes("a.der")
        let certificate = try Certificate(der: bytes.span)
        let said = try await peer.run(
            "openssl", "x509", "-in", name, "-noout", "-serial", "-subject", "-issuer", "-dates",
            "-dateopt", "iso_8601", "-fingerprint", "-sha256", "-nameopt", "RFC2253,-esc_msb")
        var fields: [String: String] = [:]
        for line in said.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            fields[String(parts[0])] = String(parts[1])
        }
        #expect(certificate.serialNumber.asSignedText == fields["serial"])
        #expect(certificate.subjectDescription == fields["subject"])
        #expect(certificate.issuerDescription == fields["issuer"])
        let dates = ISO8601DateFormatter()
        for (date, field) in [
            (certificate.notValidBefore, "notBefore"), (certificate.notValidAfter, "notAfter"),
        ] {
            let text = (fields[field] ?? "").replacing(" ", with: "T")
            #expect(dates.date(from: text)?.timeIntervalSince1970 == Double(date.secondsSinceEpoch))
        }
        let fingerprint = (fields["sha256 Fingerprint"] ?? "").filter { $0 != ":" }
        #expect(certificate.fingerprint == fingerprint.lowercased())
        let mails = try await peer.run("openssl", "x509", "-in", name, "-noout", "-email")
        #expect(
            Set(certificate.emailAddresses.map(\.description))
                == Set(mails.split(separator: "\n").map { String($0) }))
        try await comparePublicKey(certificate, name)
        #expect(try Certificate.certificates(inPEM: certificate.pem.span) == [certificate])
        try peer.write("again.pem", certificate.pem)
        #expect(try peer.bytes("again.pem") == peer.bytes(name))
        return certificate
    }

    private func comparePublicKey(_ certificate: Certificate, _ name: String) async throws {
        guard let key = certificate.publicKey else {
            return
        }
        try await peer.run(
            "sh", "-c", "openssl x509 -in \(name) -noout -pubkey >a.pub")
        #expect(try key.file(.subjectPublicKeyInfo) == peer.bytes("a.pub"))
    }
}

extension [UInt8] {
    /// The number as openssl shows serial numbers.
    fileprivate var asSignedText: String {
        let isNegative = self[0] >= 0x80
        var magnitude = self
        if isNegative {
            magnitude = map { ~$0 }
            for index in indices.reversed() {
                magnitude[index] &+= 1
                if magnitude[index] != 0 {
                    break
                }
            }
        }
        let digits = Array(magnitude.drop { $0 == 0 })
        let text = Hexadecimal.encode(digits.isEmpty ? [0] : digits).uppercased()
        return isNegative ? "-\(text)" : text
    }
}
