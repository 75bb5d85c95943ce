import LanyardSecrets
import Testing

@testable import LanyardCertificates

@Suite(.enabled(if: hasPeer("openssl"))) struct OpensslAlgorithmTests {
    let peer: KeyPeer
    let message = Array("a message\n".utf8)

    init() throws {
        peer = try KeyPeer()
        try peer.write("message", message)
    }

    private func give(_ key: PrivateKey) throws {
        try peer.write("key", try key.file(.pkcs8))
        try peer.write("key.pub", try key.publicKey.file(.subjectPublicKeyInfo))
    }

    @Test(arguments: SampleKey.allCases, ["sha224", "sha256", "sha384", "sha512"])
    func signaturesGoBothWays(_ sample: SampleKey, _ digest: String) async throws {
        let key = try sample.generate()
        try give(key)
        let name = digest.uppercased()
        let algorithms: [(String, String)] =
            switch sample.type {
            case .rsa:
                [
                    ("algid:sign:RSA:message-PKCS1v15:\(name)", ""),
                    (
                        "algid:sign:RSA:message-PSS:\(name):\(name):",
                        "-sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest"
                    ),
                ]
            case .ellipticCurve: [("algid:sign:ECDSA:message-X962:\(name)", "")]
            default: []
            }
        for (prefix, options) in algorithms {
            let algorithm = try #require(
                KeyAlgorithm.allCases.first { $0.rawValue.hasPrefix(prefix) })
            try peer.write("signature", try key.sign(message.span, algorithm))
            try await peer.run(
                "sh", "-c",
                "openssl dgst -\(digest) \(options) -verify key.pub -signature signature message")
            try await peer.run(
                "sh", "-c",
                "openssl dgst -\(digest) \(options) -sign key -out signature message")
            let signature = try peer.bytes("signature")
            #expect(try key.publicKey.accepts(signature, of: message, algorithm))
            let other = Array("another".utf8)
            #expect(try !key.publicKey.accepts(signature, of: other, algorithm))
        }
    }

    @Test func ed25519SignaturesGoBothWays() async throws {
        let key = try SampleKey.ed25519.generate()
        try give(key)
        let algorithm = KeyAlgorithm.edDSASignatureMessageCurve25519SHA512
        let signature = try key.sign(message.span, algorithm)
        try peer.write("signature", signature)
        try await peer.run(
            "openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", "key.pub", "-sigfile",
            "signature", "-in", "message")
        try await peer.run(
            "openssl", "pkeyutl", "-sign", "-rawin", "-inkey", "key", "-out", "signature", "-in",
            "message")
        #expect(try peer.bytes("signature") == signature)
        #expect(try key.publicKey.accepts(signature, of: message, algorithm))
    }

    @Test(arguments: ["sha1", "sha224", "sha256", "sha384", "sha512", nil])
    func encryptionGoesBothWays(_ digest: String?) async throws {
        let key = try SampleKey.rsa2048.generate()
        try give(key)
        let algorithm = try #require(
            KeyAlgorithm(
                rawValue: digest.map { "algid:encrypt:RSA:OAEP:\($0.uppercased())" }
                    ?? "algid:encrypt:RSA:PKCS1"))
        let options =
            digest.map {
                "-pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:\($0) -pkeyopt rsa_mgf1_md:\($0)"
            } ?? "-pkeyopt rsa_padding_mode:pkcs1"
        try peer.write("encrypted", try key.publicKey.encrypt(Secret(message), algorithm))
        try await peer.run(
            "sh", "-c",
            "openssl pkeyutl -decrypt -inkey key \(options) -in encrypted | cmp - message")
        try await peer.run(
            "sh", "-c",
            "openssl pkeyutl -encrypt -pubin -inkey key.pub \(options) -in message -out encrypted")
        let encrypted = try peer.bytes("encrypted")
        let decrypted = try key.decrypt(encrypted.span, algorithm)
        #expect(decrypted.publicBytes() == message)
    }

    @Test(arguments: [SampleKey.p256, .p384, .p521, .x25519])
    func keyExchangeGivesTheSame(_ sample: SampleKey) async throws {
        let key = try sample.generate()
        let other = try sample.generate()
        try give(key)
        try peer.write("other.pub", try other.publicKey.file(.subjectPublicKeyInfo))
        try await peer.run(
            "openssl", "pkeyutl", "-derive", "-inkey", "key", "-peerkey", "other.pub", "-out",
            "secret")
        let secret = try key.sharedSecret(with: other.publicKey, .ecdhKeyExchangeStandard)
        #expect(try secret.copy().publicBytes() == peer.bytes("secret"))
        let back = try other.sharedSecret(with: key.publicKey, .ecdhKeyExchangeCofactor)
        let isEqual = back.isEqual(to: secret)
        #expect(isEqual)

        // X9.63 by openssl's own function.
        let info: [UInt8] = [1, 2, 3]
        let derived = try key.sharedSecret(
            with: other.publicKey, .ecdhKeyExchangeStandardX963SHA256, requestedSize: 100,
            sharedInfo: info)
        let digits = Hexadecimal.encode(secret.publicBytes())
        let expected = try await peer.run(
            "openssl", "kdf", "-keylen", "100", "-kdfopt", "digest:SHA256", "-kdfopt",
            "hexkey:\(digits)", "-kdfopt", "hexinfo:010203", "X963KDF")
        #expect(
            Hexadecimal.encode(derived.publicBytes())
                == expected.filter { $0 != ":" }.lowercased())
    }
}
