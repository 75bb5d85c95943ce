import LanyardCertificates
import KeychainServices
import Testing

@testable import SSHAgent

@Suite struct CertificateSigningTests {
    private let signing = CertificateSigning()

    /// An Ed25519 key that a client adds.
    private func key(seed: UInt8) throws(KeychainError) -> WirePrivateKey {
        let seed = [UInt8](repeating: seed, count: 32)
        let key = try PrivateKey(externalRepresentation: Secret(copying: seed.span), type: .ed25519)
        let point = key.publicKey.externalRepresentation
        return try .parse(
            Message().string("ssh-ed25519").string(point).string(seed + point).secret)
    }

    @Test func signatureIsThatOfTheKeyAndTheData() throws {
        let key = try key(seed: 1)
        try signing.check(key)
        let request = SignRequest(publicKey: key.publicKey, data: "data", flags: [])
        let signature = try signing.sign(request, with: key)
        #expect(signature.bytes.starts(with: Message().string("ssh-ed25519").bytes))
        let publicKey = key.publicKey
        let other = try self.key(seed: 2).publicKey
        #expect(signing.isSignature(signature, of: "data", by: publicKey))
        #expect(!signing.isSignature(signature, of: "date", by: publicKey))
        #expect(!signing.isSignature(signature, of: "data", by: other))
        #expect(!signing.isSignature("", of: "data", by: publicKey))
        #expect(!signing.isSignature(signature, of: "data", by: "no key"))
    }

    /// A host's certificate: the name, a nonce, the key's own fields, then what it says of the key.
    private func certificate(_ publicKey: PublicKey) throws(KeychainError) -> ByteString {
        let blob = try SSHPublicKey(publicKey).blob
        let count = Int(blob[3])
        let name = String(decoding: blob[4..<4 + count], as: UTF8.self)
        return ByteString(
            Message().string("\(name)-cert-v01@openssh.com").string("nonce")
                .adding(Array(blob[(4 + count)...])).number(0).number(7).number(2).string("host")
                .bytes)
    }

    @Test(arguments: [AsymmetricKeyType.ed25519, .ellipticCurve, .rsa])
    func signatureOfAHostWithACertificate(_ type: AsymmetricKeyType) throws {
        let size = type == .rsa ? 2048 : 256
        let key = try PrivateKey(generating: type, sizeInBits: size)
        let certificate = try certificate(key.publicKey)
        let data: ByteString = "data"
        let signature = ByteString(try key.sshSignature(of: data.bytes.span))
        #expect(signing.isSignature(signature, of: "data", by: certificate))
        #expect(!signing.isSignature(signature, of: "date", by: certificate))
        let other = try self.certificate(
            try PrivateKey(generating: type, sizeInBits: size).publicKey)
        #expect(!signing.isSignature(signature, of: "data", by: other))
    }

    @Test func keyWhosePartsDontFitIsRefused() {
        // The point is not that of the seed.
        #expect(throws: KeychainError.self) {
            try signing.check(WirePrivateKey.parse(SampleAgentKey.ed25519(1).secret))
        }
        #expect(throws: KeychainError.self) {
            try signing.check(WirePrivateKey.parse(SampleAgentKey.rsa.secret))
        }
        #expect(throws: KeychainError.self) {
            try signing.check(WirePrivateKey.parse(SampleAgentKey.ecdsa.secret))
        }
    }

    @Test func rsaNeedsAFlag() throws {
        let key = try PrivateKey(generating: .rsa, sizeInBits: 2048)
        let blob = ByteString(try SSHPublicKey(key.publicKey).blob)
        for (flags, name) in [
            (SignRequest.Flags.sha256, "rsa-sha2-256"), (.sha512, "rsa-sha2-512"),
            ([.sha256, .sha512], "rsa-sha2-256"),
        ] {
            let request = SignRequest(publicKey: blob, data: "data", flags: flags)
            let signature = try CertificateSigning.sign(request, with: key)
            #expect(signature.bytes.starts(with: Message().string(name).bytes))
            #expect(signing.isSignature(signature, of: "data", by: blob))
        }
        #expect(throws: KeychainError(.param)) {
            try CertificateSigning.sign(
                SignRequest(publicKey: blob, data: "data", flags: []), with: key)
        }
    }

    @Test func fingerprintIsThatOfSSHKeygen() throws {
        #expect(
            signing.fingerprint(of: ByteString(SampleAgentKey.ed25519Public(0)))
                .hasPrefix("SHA256:"))
        #expect(signing.fingerprint(of: "no key") == "an unknown key")
    }
}
