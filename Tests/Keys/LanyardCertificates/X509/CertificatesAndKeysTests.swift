import TestSupport
import LanyardSecrets
import Testing

@testable import LanyardCertificates

/// Files with anything in them, in any order.
@Suite struct CertificatesAndKeysTests {
    let key: PrivateKey
    let other: PrivateKey
    let certificate: Certificate

    init() throws {
        key = try PrivateKey(generating: .ellipticCurve, sizeInBits: 256)
        other = try PrivateKey(generating: .ed25519, sizeInBits: 256)
        certificate = try CertificateDraft("a", key).certificate()
    }

    private final class Questions {
        var count = 0
    }

    private func read(
        _ bytes: [UInt8], _ questions: Questions = Questions(), password: String = "secret"
    ) throws(KeychainError) -> CertificatesAndKeys {
        try CertificatesAndKeys(Secret(bytes)) {
            questions.count += 1
            return Secret(password)
        }
    }

    private func text(_ lines: String...) -> [UInt8] {
        Array(lines.map { "\($0)\n" }.joined().utf8)
    }

    private func block(_ label: String) -> [UInt8] {
        text("-----BEGIN \(label)-----", "MAMCAQE=", "-----END \(label)-----")
    }

    /// Editors on Windows write one.
    @Test func aByteOrderMark() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let contents = try read(mark + certificate.pem + key.file(.pkcs8).publicBytes())
        #expect(contents.certificates.count == 1 && contents.privateKeys.count == 1)
        #expect(try read(mark + other.file(.openSSH).publicBytes()).privateKeys.count == 1)
        #expect(try Certificate.certificates(inPEM: (mark + certificate.pem).span).count == 1)
    }

    @Test func blocksInAnyOrder() throws {
        let password = Secret("secret")
        let blocks = [
            certificate.pem, try key.file(.pkcs8, password: password).publicBytes(),
            try other.file(.pkcs8).publicBytes(), block("CERTIFICATE REQUEST"),
            try key.publicKey.file(.subjectPublicKeyInfo), block("DH PARAMETERS"),
            block("EC PARAMETERS"),
            try key.file(.sec1, password: password).publicBytes(), text("Bag Attributes", "a: b"),
            try other.file(.openSSH).publicBytes(),
        ]
        var random = SeededRandom()
        for _ in 0..<10 {
            let questions = Questions()
            let file = blocks.shuffled(using: &random).flatMap(\.self)
            let contents = try read(file, questions)
            #expect(contents.certificates.map(\.certificate) == [certificate])
            let keys = contents.privateKeys.map(\.key.publicKey)
            #expect(keys.filter { $0 == key.publicKey }.count == 2)
            #expect(keys.filter { $0 == other.publicKey }.count == 2)
            #expect(contents.publicKeys.isEmpty && questions.count == 1)
            #expect(
                contents.otherBlocks.sorted() == ["CERTIFICATE REQUEST", "DH PARAMETERS"])
        }
    }

    @Test func everyFormAlone() throws {
        #expect(try read(certificate.der).certificates.map(\.certificate) == [certificate])
        #expect(try read(key.pkcs8().publicBytes()).privateKeys.count == 1)
        #expect(try read(key.publicKey.subjectPublicKeyInfo).publicKeys == [key.publicKey])
        let line = try other.publicKey.file(.openSSHPublicKey, comment: "ada@example.com")
        #expect(try read(line).publicKeys == [other.publicKey])
        let file = try PKCS12.make(
            key, certificates: [certificate], name: "Ada", password: Secret("secret"))
        let questions = Questions()
        let contents = try read(file.publicBytes(), questions)
        #expect(contents.privateKeys.map(\.name) == ["Ada"] && questions.count == 1)
        #expect(contents.certificates.map(\.name) == ["Ada"])
    }

    @Test func textAroundBlocks() throws {
        let privateKey = try key.file(.pkcs8).publicBytes()
        let line = try other.publicKey.file(.openSSHPublicKey, comment: "")
        let long = Array(repeating: UInt8(ascii: "x"), count: 2 << 20) + [0x0A]
        for before in [text("0 s:CN = a"), text("0"), line, long, text("", "\u{FEFF}", "----")] {
            let contents = try read(before + certificate.pem + before + privateKey + before)
            #expect(contents.certificates.map(\.certificate) == [certificate])
            #expect(contents.privateKeys.map(\.key.publicKey) == [key.publicKey])
        }
    }

    @Test func linesOfOtherSystems() throws {
        let file = certificate.pem + (try key.file(.pkcs8).publicBytes())
        let windows = file.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
        let contents = try read(windows)
        #expect(contents.certificates.count == 1 && contents.privateKeys.count == 1)
    }

    @Test func filesWithNothing() throws {
        for bytes in [
            [], text(""), text("nothing"), [0x30], [0x30, 0x82, 0xFF, 0xFF],
            block("CERTIFICATE REQUEST"), Array(certificate.der.dropLast()),
        ] {
            #expect(throws: KeychainError(.unknownFormat)) { try read(bytes) }
        }
        #expect(throws: KeychainError(.decode)) { try read(block("CERTIFICATE")) }
        #expect(throws: KeychainError(.decode)) { try read(Array(certificate.pem.dropLast(10))) }
        #expect(throws: KeychainError(.unsupportedKeyFormat)) { try read(block("DSA PRIVATE KEY")) }
    }

    @Test func wrongPasswords() throws {
        let password = Secret("secret")
        let encrypted = try key.file(.pkcs8, password: password).publicBytes()
        let questions = Questions()
        #expect(throws: KeychainError(.authFailed)) {
            try read(encrypted + encrypted, questions, password: "other")
        }
        #expect(questions.count == 1)
        // What the closure throws comes through.
        #expect(throws: KeychainError(.userCanceled)) {
            try CertificatesAndKeys(Secret(encrypted)) { () throws(KeychainError) in
                throw KeychainError(.userCanceled)
            }
        }
    }

    @Test func bundles() throws {
        let pem = certificate.pem
        let bundle = (0..<10_000).flatMap { _ in pem }
        #expect(try read(bundle).certificates.count == 10_000)
        let larger = bundle + pem
        #expect(throws: KeychainError(.dataTooLarge)) {
            try Certificate.certificates(inPEM: larger.span)
        }
    }
}
