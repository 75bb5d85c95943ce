import Foundation
import LanyardSecrets
import Testing

@testable import LanyardCertificates

/// Why certificates are trusted and why not.
@Suite struct CertificateTrustTests {
    let root: CertificateDraft
    let intermediate: CertificateDraft
    let anchor: Certificate
    let middle: Certificate
    private let now = Timestamp(secondsSinceEpoch: 1_700_000_000)

    init() throws {
        root = CertificateDraft(
            "Root", try Self.key(), extensions: [Extension.authority(), Extension.keyUsage(0x06)])
        intermediate = CertificateDraft(
            "Intermediate", try Self.key(),
            extensions: [Extension.authority(pathLength: 0), Extension.keyUsage(0x06)])
        anchor = try root.certificate()
        middle = try intermediate.certificate(by: root)
    }

    private static func key() throws -> PrivateKey {
        try PrivateKey(generating: .ellipticCurve, sizeInBits: 256)
    }

    private static let hosts = Extension.alternativeNames(
        Extension.host("a.example"), Extension.host("*.b.example"), Extension.host("w*.c.example"),
        Extension.address([192, 0, 2, 1]),
        Extension.address([0x20, 1, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [1]))

    private func leaf(_ extensions: [UInt8]...) throws -> CertificateDraft {
        CertificateDraft("leaf", try Self.key(), extensions: extensions)
    }

    private func evaluate(
        _ certificate: Certificate, _ policy: CertificateTrust.Policy = .basic,
        anchors: [Certificate]? = nil, intermediates: [Certificate]? = nil,
        date: Timestamp? = nil
    ) throws -> CertificateTrust.Result {
        try CertificateTrust(
            policy: policy, anchors: .only(anchors ?? [anchor]),
            intermediates: intermediates ?? [middle], date: date ?? now
        ).evaluate(certificate)
    }

    @Test func aWholeChain() throws {
        let certificate = try leaf(Self.hosts).certificate(by: intermediate)
        let result = try evaluate(certificate)
        #expect(result.isTrusted && result.status == .success && result.reason == nil)
        #expect(result.chain == [certificate, middle, anchor])
        // The default is now. The system doesn't trust these.
        let trust = CertificateTrust(
            anchors: .systemAnd([anchor]), intermediates: [middle])
        #expect(trust.isTrusted(certificate) && !CertificateTrust().isTrusted(certificate))
        #expect(!CertificateTrust(anchors: .only([])).isTrusted(anchor))
    }

    @Test func missingAndWrongIssuers() throws {
        let certificate = try leaf().certificate(by: intermediate)
        let missing = try evaluate(certificate, intermediates: [])
        #expect(!missing.isTrusted && missing.status == .notTrusted)
        #expect(missing.chain == [certificate])
        let unknown = try evaluate(certificate, anchors: [])
        #expect(unknown.status == .notTrusted && unknown.chain.first == certificate)
        // An issuer as an anchor is enough, and so is the certificate itself.
        #expect(try evaluate(certificate, anchors: [middle], intermediates: []).isTrusted)
        #expect(try evaluate(certificate, anchors: [certificate], intermediates: []).isTrusted)
        // Another key under the issuer's name.
        let other = CertificateDraft(
            "Intermediate", try Self.key(), extensions: intermediate.extensions)
        let forged = try leaf().certificate(by: other)
        let result = try evaluate(forged)
        #expect(result.status == .verifyFailed)
    }

    @Test func dates() throws {
        let certificate = try leaf().certificate(by: intermediate)
        for (date, status) in [
            (1_577_836_799, .certificateNotValidYet), (1_577_836_800, .success),
            (2_524_607_998, .success), (2_524_608_000, .certificateExpired),
            (0, .certificateNotValidYet), (-86_400, .certificateNotValidYet),
            (253_402_300_799, .certificateExpired),
        ] as [(Int64, Status)] {
            let result = try evaluate(certificate, date: Timestamp(secondsSinceEpoch: date))
            #expect(result.status == status && result.isTrusted == (status == .success), "\(date)")
        }
        for date in [Int64.min, -1, 1 << 60, Int64.max] {
            #expect(
                try !evaluate(certificate, date: Timestamp(secondsSinceEpoch: date)).isTrusted)
        }
    }

    @Test func hosts() throws {
        let certificate = try leaf(Self.hosts).certificate(by: intermediate)
        for host in [
            "a.example", "A.EXAMPLE", "a.example.", "x.b.example", "192.0.2.1", "2001:db8::1",
            "2001:DB8:0:0:0:0:0:1",
        ] {
            #expect(try evaluate(certificate, .server(host)).isTrusted, "\(host)")
        }
        for host in [
            "b.example", "x.a.example", "y.x.b.example", "192.0.2.2", "2001:db8::2",
            "www.c.example", "leaf", "example", "a.example..", "ａ.example",
        ] {
            let result = try evaluate(certificate, .server(host))
            #expect(!result.isTrusted && result.status == .hostNameMismatch, "\(host)")
        }
        for host in ["", ".", "..", ".b.example", "a.example\0.evil.example", "192.0.2.1\0", "\0"] {
            #expect(throws: KeychainError(.param)) { try evaluate(certificate, .server(host)) }
        }
        #expect(try evaluate(certificate, .server(nil)).isTrusted)
        #expect(try evaluate(certificate, .client("a.example")).isTrusted)
        #expect(try evaluate(certificate, .client("example.com")).status == .hostNameMismatch)
    }

    /// A dot of which Unicode makes one character with what is before it.
    @Test func aDotAfterAnInvisibleCharacter() throws {
        let certificate = try leaf(Self.hosts).certificate(by: intermediate)
        let result = try? evaluate(certificate, .server("a.example\u{600}."))
        #expect(result?.isTrusted != true)
    }

    /// Without alternative names the subject's name is no host: RFC 9525, section 6.3.
    @Test func aCommonNameIsNoHost() throws {
        let certificate = try CertificateDraft("a.example", try Self.key())
            .certificate(by: intermediate)
        #expect(try evaluate(certificate, .server("a.example")).status == .hostNameMismatch)
    }

    @Test func purposes() throws {
        for (purpose, policy) in [
            (1, .server(nil)), (2, .client(nil)), (4, .email),
        ] as [(Int, CertificateTrust.Policy)] {
            let certificate = try leaf(Extension.purposes(purpose)).certificate(by: intermediate)
            for other in [CertificateTrust.Policy.server(nil), .client(nil), .email] {
                let result = try evaluate(certificate, other)
                #expect(result.isTrusted == (other == policy))
                #expect(result.isTrusted || result.status == .invalidExtendedKeyUsage)
            }
            #expect(try evaluate(certificate).isTrusted)
        }
        // anyExtendedKeyUsage is none of them.
        let any = Extension.any("2.5.29.37", DER.sequence(DER.identifier("2.5.29.37.0")))
        let certificate = try leaf(any).certificate(by: intermediate)
        #expect(try evaluate(certificate, .server(nil)).status == .invalidExtendedKeyUsage)
    }

    @Test func issuersThatMayNotSign() throws {
        for (extensions, isTrusted) in [
            ([], false), ([Extension.notAuthority], false), ([Extension.keyUsage(0x04)], false),
            ([Extension.authority(), Extension.keyUsage(0x80)], false),
            ([Extension.authority()], true),
        ] as [([[UInt8]], Bool)] {
            var issuer = CertificateDraft("Issuer", try Self.key())
            issuer.extensions = extensions
            let result = try evaluate(
                leaf().certificate(by: issuer), intermediates: [issuer.certificate(by: root)])
            #expect(result.isTrusted == isTrusted, "\(extensions)")
            #expect(isTrusted || result.status == .noBasicConstraintsCA, "\(result)")
        }
        // The intermediate may only sign leaves.
        let second = CertificateDraft("Second", try Self.key(), extensions: [Extension.authority()])
        let long = try evaluate(
            leaf().certificate(by: second),
            intermediates: [second.certificate(by: intermediate), middle])
        #expect(long.status == .pathLengthConstraintExceeded)
    }

    @Test func nameConstraints() throws {
        let issuer = CertificateDraft(
            "Issuer", try Self.key(),
            extensions: [Extension.authority(), Extension.permittedHosts("b.example")])
        let intermediates = [try issuer.certificate(by: root)]
        for (host, isTrusted) in [("x.b.example", true), ("a.example", false)] {
            let certificate = try leaf(Extension.alternativeNames(Extension.host(host)))
                .certificate(by: issuer)
            let result = try evaluate(certificate, .server(host), intermediates: intermediates)
            #expect(result.isTrusted == isTrusted && isTrusted == (result.status == .success))
        }
    }

    /// RFC 5280, section 4.2: an extension is there once.
    @Test func duplicateExtensions() throws {
        let unknown = Extension.any("1.2.3.4", DER.integer([1]))
        let twice = try leaf(unknown, unknown).certificate(by: intermediate)
        #expect(try evaluate(twice).status == .duplicateExtension)
        #expect(try evaluate(leaf(unknown).certificate(by: intermediate)).isTrusted)
        // Also in an issuer, and in an anchor.
        let issuer = CertificateDraft(
            "Issuer", try Self.key(), extensions: [Extension.authority(), unknown, unknown])
        let below = try leaf().certificate(by: issuer)
        #expect(
            try evaluate(below, intermediates: [issuer.certificate(by: root)]).status
                == .duplicateExtension)
        for purposes in [Extension.purposes(4), Extension.any("2.5.29.37", [5, 0])] {
            let own = try leaf(Extension.purposes(2), purposes).certificate()
            for policy in [CertificateTrust.Policy.server(nil), .basic] {
                #expect(try !evaluate(own, policy, anchors: [own]).isTrusted)
            }
        }
    }

    @Test func invalidExtensions() throws {
        let own = try leaf(Extension.any("2.5.29.37", [5, 0])).certificate()
        for policy in [CertificateTrust.Policy.server(nil), .basic] {
            #expect(try evaluate(own, policy, anchors: [own]).status == .unknownExtension)
        }
    }

    /// RFC 5280, section 6.1.5 (g): an issuer demands that the certificates below it have a policy.
    @Test func policyConstraints() throws {
        let demand = Extension.any(
            "2.5.29.36", isCritical: true, DER.sequence(DER.element(0x80, [0])))
        let policies = Extension.any(
            "2.5.29.32", DER.sequence(DER.sequence(DER.identifier("1.2.3.5"))))
        let issuer = CertificateDraft(
            "Issuer", try Self.key(), extensions: [Extension.authority(), demand, policies])
        let intermediates = [try issuer.certificate(by: root)]
        let without = try leaf().certificate(by: issuer)
        #expect(
            try evaluate(without, intermediates: intermediates).status == .invalidPolicyIdentifiers)
        let with = try leaf(policies).certificate(by: issuer)
        #expect(try evaluate(with, intermediates: intermediates).isTrusted)
    }

    @Test(.enabled(if: hasPeer("openssl"))) func weakKeysAndDigests() async throws {
        let peer = try KeyPeer()
        try await peer.run("openssl", "genrsa", "-out", "small.pem", "1024")
        let key = try #require(KeyFile(peer.secret("small.pem")).privateKey)
        var small = CertificateDraft("small", key)
        #expect(
            try evaluate(small.certificate(by: intermediate)).status == .unsupportedKeySize)
        small = CertificateDraft(
            "Small CA", small.key, extensions: [Extension.authority()])
        let below = try leaf().certificate(by: small)
        #expect(
            try evaluate(below, intermediates: [small.certificate(by: root)]).status
                == .unsupportedKeySize)
        try peer.write("ca.pem", middle.pem)
        try peer.write("ca.key", intermediate.key.file(.pkcs8))
        try await peer.run(
            "openssl", "req", "-new", "-key", "ca.key", "-subj", "/CN=a", "-out", "a.csr")
        try await peer.run(
            "openssl", "x509", "-req", "-in", "a.csr", "-out", "a.pem", "-CA", "ca.pem", "-CAkey",
            "ca.key", "-sha1", "-set_serial", "7")
        let bytes = try peer.bytes("a.pem")
        let old = try Certificate.certificates(inPEM: bytes.span)[0]
        let date = old.notValidBefore
        #expect(try evaluate(old, date: date).status == .notTrusted)
        #expect(try evaluate(old, date: date).reason == "a signature is too weak")
    }

    @Test func selfSigned() throws {
        let certificate = try leaf().certificate()
        #expect(try evaluate(certificate, intermediates: []).status == .notTrusted)
        #expect(try evaluate(certificate, anchors: [certificate], intermediates: []).isTrusted)
        let inChain = try evaluate(
            leaf().certificate(by: intermediate), anchors: [certificate],
            intermediates: [middle, anchor])
        #expect(inChain.status == .notTrusted && inChain.chain.count == 3)
    }

    /// Two issuers that signed each other: the chain ends.
    @Test(.timeLimit(.minutes(5))) func circles() throws {
        let one = CertificateDraft("One", try Self.key(), extensions: [Extension.authority()])
        let two = CertificateDraft("Two", try Self.key(), extensions: [Extension.authority()])
        let circle = [try one.certificate(by: two), try two.certificate(by: one)]
        let result = try evaluate(leaf().certificate(by: one), intermediates: circle)
        #expect(!result.isTrusted && result.status == .notTrusted)
        #expect(result.chain.count <= 3)
    }

    /// Roots of the system are trusted, and lead to nothing else.
    @Test func systemRoots() throws {
        let files = CertificateTrust.systemFiles.map { URL(filePath: $0) }
        guard let data = files.lazy.compactMap({ try? Data(contentsOf: $0) }).first else {
            print("skipped: the system has no file of trusted roots")
            return
        }
        let bytes = Array(data)
        let roots = try Certificate.certificates(inPEM: bytes.span)
        let valid = roots.filter { $0.notValidBefore < now && now < $0.notValidAfter }
        #expect(valid.count > 10)
        for root in valid {
            #expect(
                try CertificateTrust(date: now).evaluate(root).isTrusted, "\(root.subjectSummary)")
        }
        for root in valid.prefix(3) {
            #expect(try !evaluate(root, intermediates: []).isTrusted)
        }
    }

    @Test(.timeLimit(.minutes(5))) func manyIntermediates() throws {
        let key = try Self.key()
        let many = try (0..<300).map { number in
            var draft = CertificateDraft("Same", key, extensions: [Extension.authority()])
            draft.serialNumber = [1, UInt8(number / 128), UInt8(number % 128)]
            return try draft.certificate()
        }
        let issuer = CertificateDraft("Same", key, extensions: [Extension.authority()])
        let result = try evaluate(leaf().certificate(by: issuer), intermediates: many)
        #expect(!result.isTrusted)
    }
}
