import Glibc
import TestSupport
import LanyardSecrets
import Testing

@testable import LanyardCertificates

/// Damaged and hostile certificates and PKCS #12 files end in a value or an error, soon and with little memory.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HostileCertificateTests {
    /// The time that this thread has worked: that of the machine says nothing of a reader.
    private var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Runs a reader, and expects that it ends in time and with a reason if it fails.
    private func attempt(
        _ bytes: [UInt8], _ body: () throws(KeychainError) -> Void
    ) -> Bool {
        var succeeds = true
        let start = processorSeconds
        do throws(KeychainError) {
            try body()
        } catch {
            succeeds = false
            if error.reason.isEmpty {
                Issue.record("no reason: \(bytes)")
            }
        }
        let time = processorSeconds - start
        // Under the address sanitizer the longest takes some three.
        if time > 10 {
            Issue.record("\(time) seconds for \(bytes.count) bytes: \(bytes.prefix(200))")
        }
        return succeeds
    }

    private func isCertificate(_ bytes: [UInt8]) -> Bool {
        attempt(bytes) {
            () throws(KeychainError) in
            let certificate = try Certificate(der: bytes.span)
            _ = certificate.attributes
            _ = (certificate.fingerprint, certificate.subjectSummary, certificate.issuerSummary)
            _ = certificate.isSigned(by: certificate)
            _ = try CertificateTrust(policy: .server("a.example"), anchors: .only([certificate]))
                .evaluate(certificate)
            let der = certificate.der
            let again = try Certificate(der: der.span)
            if again != certificate {
                Issue.record("another certificate: \(bytes)")
            }
        }
    }

    private func isPKCS12(_ bytes: [UInt8]) -> Bool {
        attempt(bytes) {
            () throws(KeychainError) in
            _ = try PKCS12(Secret(bytes), password: Secret("secret"))
        }
    }

    private static func certificates() throws -> [[UInt8]] {
        let key = try PrivateKey(generating: .ellipticCurve, sizeInBits: 256)
        let rsa = try SampleKey.rsa2048.generate()
        let all = [
            Extension.authority(pathLength: 1), Extension.keyUsage(0x84),
            Extension.alternativeNames(
                Extension.host("a.example"), Extension.mail("a@b.c"),
                Extension.address([1, 2, 3, 4])),
            Extension.purposes(1, 2), Extension.permittedHosts("example"),
            Extension.any("2.5.29.14", DER.octetString([1, 2, 3])),
        ]
        let name = DER.sequence(
            DER.set(
                DER.attribute(DER.commonName, DER.utf8("Ada")),
                DER.attribute(DER.email, DER.ia5("a@b.c"))),
            DER.set(DER.attribute(DER.organization, DER.bmp("Zoë"))))
        var draft = CertificateDraft(name, key)
        draft.extensions = all
        return [
            try draft.signed(), try CertificateDraft("rsa", rsa).signed(),
            try CertificateDraft("b", key).signed(by: draft),
        ]
    }

    @Test func damagedCertificates() throws {
        var random = SeededRandom()
        var (valid, errors) = (0, 0)
        for certificate in try Self.certificates() {
            for _ in 0..<400 {
                var bytes = random.mutated(certificate)
                while random.chance(30) {
                    bytes = random.mutated(bytes)
                }
                if isCertificate(bytes) {
                    valid += 1
                } else {
                    errors += 1
                }
            }
            for count in stride(from: 0, to: certificate.count, by: 7) {
                #expect(!isCertificate(Array(certificate.prefix(count))))
            }
        }
        #expect(valid > 0 && errors > 300)
    }

    /// Damage inside the parts, where the check sum doesn't catch it.
    @Test func damagedPKCS12() throws {
        var random = SeededRandom()
        let key = try PrivateKey(generating: .ed25519, sizeInBits: 256)
        let certificate = try CertificateDraft("a", key).signed()
        let parts = [
            PKCS12Draft.part(
                try PKCS12Draft.key(key, name: "Ada"),
                PKCS12Draft.encryptedKey(PasswordAlgorithm.pbkdf2(1)),
                PKCS12Draft.encryptedKey(PasswordAlgorithm.scrypt(16, 1, 1))),
            PKCS12Draft.part(
                PKCS12Draft.certificate(certificate, name: "Ada"),
                PKCS12Draft.bag(6, DER.sequence(PKCS12Draft.certificate(certificate)))),
            DER.sequence(
                DER.identifier("1.2.840.113549.1.7.6"),
                DER.element(
                    0xA0,
                    DER.sequence(
                        DER.integer([0]),
                        DER.sequence(
                            DER.identifier("1.2.840.113549.1.7.1"), PasswordAlgorithm.pbes1(1),
                            DER.element(0x80, Array(repeating: 9, count: 32)))))),
        ]
        var valid = 0
        for _ in 0..<300 {
            var draft = PKCS12Draft(parts: [random.mutated(random.element(of: parts))])
            while random.chance(50) {
                draft.parts.append(random.element(of: parts))
            }
            valid += isPKCS12(draft.file) ? 1 : 0
            _ = isPKCS12(random.mutated(draft.file))
        }
        #expect(valid > 0)
        let file = PKCS12Draft(parts: Array(parts.prefix(2))).file
        for count in stride(from: 0, to: file.count, by: 11) {
            #expect(!isPKCS12(Array(file.prefix(count))))
        }
    }

    @Test func giantLengthsAndDeepNesting() throws {
        let deep = (0..<2000).reduce([UInt8](), { content, _ in DER.element(0x30, content) })
        let indefinite = Array(repeating: [0x30, 0x80] as [UInt8], count: 30_000).flatMap(\.self)
        let octets = (0..<2000).reduce(
            [UInt8]([4, 0]), { content, _ in DER.element(0x24, content) })
        for bytes in [
            deep, indefinite, octets, [0x30, 0x84, 0x7F, 0xFF, 0xFF, 0xFF],
            [0x30, 0x88] + Array(repeating: 0xFF, count: 8), [0x30, 0xFF], [0x30, 0x80, 0, 0],
            [0x3F] + Array(repeating: 0xFF, count: 1000),
        ] as [[UInt8]] {
            #expect(!isCertificate(bytes) && !isPKCS12(bytes))
            _ = isPKCS12(PKCS12Draft(parts: [PKCS12Draft.data(bytes)]).file)
            #expect(
                !isPKCS12(PKCS12Draft(parts: [PKCS12Draft.part(PKCS12Draft.bag(1, bytes))]).file))
            _ = isPKCS12(PKCS12Draft(parts: [bytes]).file)
        }
        let large = Array(repeating: UInt8(0x30), count: 16 << 20)
        #expect(!isPKCS12(large))
    }

    /// libcrypto checks the signature of a certificate that names itself as its issuer.
    @Test func keysThatAreCostly() throws {
        let key = try PrivateKey(generating: .ellipticCurve, sizeInBits: 256)
        let large = Array(repeating: UInt8(0xFF), count: 55_000)
        func rsa(_ bits: Int, exponent: [UInt8]) -> [UInt8] {
            DER.sequence(
                DER.sequence(DER.identifier("1.2.840.113549.1.1.1"), [5, 0]),
                DER.bitString(
                    DER.sequence(
                        DER.integer([0] + large.prefix(bits / 8)), DER.integer(exponent))))
        }
        let curve = DER.sequence(
            DER.integer([1]),
            DER.sequence(
                DER.identifier("1.2.840.10045.1.1"), DER.integer([0] + large.prefix(20_000))),
            DER.sequence(
                DER.octetString(Array(large.prefix(10_000))),
                DER.octetString(Array(large.prefix(10_000)))),
            DER.octetString([4] + large.prefix(200)), DER.integer([0] + large.prefix(66)))
        for publicKey in [
            rsa(440_000, exponent: [1, 0, 1]), rsa(16_384, exponent: [0] + large.prefix(2048)),
            rsa(16_384, exponent: [0] + large.prefix(8)),
            rsa(3072, exponent: [0] + large.prefix(384)),
            DER.sequence(
                DER.sequence(DER.identifier("1.2.840.10045.2.1"), curve),
                DER.bitString([4] + large.prefix(200))),
            DER.sequence(
                DER.sequence(
                    DER.identifier("1.2.840.10040.4.1"),
                    DER.sequence(
                        DER.integer([0] + large.prefix(1250)), DER.integer([0] + large.prefix(32)),
                        DER.integer([2]))),
                DER.bitString(DER.integer([0] + large.prefix(1200)))),
        ] {
            for algorithm in [
                "1.2.840.113549.1.1.11", "1.2.840.10045.4.3.2", "2.16.840.1.101.3.4.3.2",
            ] {
                var draft = CertificateDraft("a", key)
                draft.publicKey = publicKey
                draft.algorithm = (
                    DER.sequence(DER.identifier(algorithm)),
                    KeyAlgorithm(rawValue: "algid:sign:ECDSA:message-X962:SHA256")!
                )
                let bytes = try draft.signed()
                #expect(bytes.count < Certificate.sizeLimit)
                _ = isCertificate(bytes)
            }
        }
    }

    /// As many names as there is room for.
    @Test func manyNames() throws {
        let key = try PrivateKey(generating: .ellipticCurve, sizeInBits: 256)
        let sets = (0..<4000).map { _ in DER.set(DER.attribute(DER.commonName, DER.utf8("é"))) }
        let pairs = (0..<5000).map { _ in DER.attribute(DER.commonName, DER.utf8("é")) }
        let hosts = (0..<20_000).map { _ in Extension.host("a") }
        var drafts = [
            CertificateDraft(DER.element(0x30, sets.flatMap(\.self)), key),
            CertificateDraft(DER.sequence(DER.element(0x31, pairs.flatMap(\.self))), key),
        ]
        for index in drafts.indices {
            drafts[index].issuer = DER.common("a")
        }
        var names = CertificateDraft("a", key)
        names.extensions = [Extension.any("2.5.29.17", DER.element(0x30, hosts.flatMap(\.self)))]
        drafts.append(names)
        for draft in drafts {
            #expect(isCertificate(try draft.signed()))
        }
    }

    @Test func bombsOfIterations() throws {
        let million = 1_000_000
        let limit = PasswordWork.iterationLimit
        for algorithm in [
            PasswordAlgorithm.pbkdf2(1 << 31 - 1), PasswordAlgorithm.pbes1(1 << 31 - 1),
            PasswordAlgorithm.scrypt(1 << 24, 1024, 1), PasswordAlgorithm.scrypt(16, 1 << 26, 1),
            PasswordAlgorithm.scrypt(16, 1, 1 << 30), PasswordAlgorithm.pbkdf2(limit),
        ] {
            #expect(
                !isPKCS12(
                    PKCS12Draft(parts: [PKCS12Draft.part(PKCS12Draft.encryptedKey(algorithm))])
                        .file))
        }
        // Little at a time, many times.
        let bags = (0..<100).map { _ in
            PKCS12Draft.encryptedKey(PasswordAlgorithm.scrypt(16, 1, million))
        }
        #expect(!isPKCS12(PKCS12Draft(parts: bags.map { PKCS12Draft.part($0) }).file))
    }
}
