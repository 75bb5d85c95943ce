import LanyardSecrets
import Testing

@testable import LanyardCertificates

@Suite(.enabled(if: hasPeer("openssl"))) struct OpensslFormatTests {
    let peer: KeyPeer

    init() throws {
        peer = try KeyPeer()
    }

    /// Everything that openssl writes of a key is read, and is the same key.
    @Test(arguments: SampleKey.allCases) func readsWhatOpensslWrites(_ sample: SampleKey)
        async throws
    {
        try await peer.generate(sample, "a.pem")
        let file = try KeyFile(peer.secret("a.pem"))
        let key = try #require(file.privateKey)
        #expect(file.format == .pkcs8 && !file.isEncrypted)
        #expect(key.type == sample.type && key.sizeInBits == sample.sizeInBits)

        try await peer.run(
            "openssl", "pkcs8", "-topk8", "-nocrypt", "-in", "a.pem", "-outform", "DER", "-out",
            "a.der")
        #expect(try KeyFile(peer.secret("a.der")).publicKey == key.publicKey)
        #expect(try key.pkcs8().publicBytes() == peer.bytes("a.der"))
        #expect(try key.file(.pkcs8).publicBytes() == peer.bytes("a.pem"))

        try await peer.run("openssl", "pkey", "-in", "a.pem", "-pubout", "-out", "a.pub")
        #expect(try KeyFile(peer.secret("a.pub")).publicKey == key.publicKey)
        #expect(try key.publicKey.file(.subjectPublicKeyInfo) == peer.bytes("a.pub"))

        if let traditional = sample.traditional {
            try await peer.run(
                "openssl", "pkey", "-in", "a.pem", "-traditional", "-out", "a.traditional")
            let old = try KeyFile(peer.secret("a.traditional"))
            #expect(old.format == traditional && old.publicKey == key.publicKey)
            #expect(try key.file(traditional).publicBytes() == peer.bytes("a.traditional"))
        }
    }

    /// Every encryption that openssl has for a PKCS #8 file.
    @Test(arguments: [
        ["-v2", "aes-256-cbc"], ["-v2", "aes-128-cbc", "-v2prf", "hmacWithSHA1"],
        ["-v2", "aes-192-cbc", "-v2prf", "hmacWithSHA512"], ["-v2", "des3"],
        ["-v1", "PBE-SHA1-3DES"], ["-scrypt"], ["-iter", "1"], ["-iter", "100000"],
        ["-v2", "camellia-256-cbc"],
    ]) func readsEncryptedPKCS8(_ arguments: [String]) async throws {
        try await peer.generate(.p256, "a.pem")
        let key = try PrivateKey(file: peer.secret("a.pem"))
        let all = arguments.joined(separator: " ")
        try await peer.run(
            "sh", "-c",
            "openssl pkcs8 -topk8 -in a.pem -out b.pem -passout 'pass:sécret' \(all)")
        let file = try KeyFile(peer.secret("b.pem"), password: Secret("sécret"))
        #expect(file.isEncrypted && file.privateKey?.publicKey == key.publicKey)
        #expect(throws: KeychainError(.authFailed)) {
            try KeyFile(peer.secret("b.pem"), password: Secret("wrong"))
        }
        #expect(throws: KeychainError(.passphraseRequired)) { try KeyFile(peer.secret("b.pem")) }
    }

    /// What only openssl's legacy provider reads comes with a command that changes it.
    @Test func refusesOldCiphers() async throws {
        try await peer.generate(.p256, "a.pem")
        try await peer.run(
            "sh", "-c",
            """
            openssl pkcs8 -topk8 -provider legacy -provider default -v1 PBE-MD5-DES -in a.pem \\
                -out OLD -passout pass:secret
            """)
        var hint: String?
        do throws(KeychainError) {
            _ = try KeyFile(secret("OLD"), password: Secret("secret"))
        } catch {
            #expect(error.status == .unsupportedKeyFormat)
            hint = error.hint
        }
        let command = try #require(hint?.split(separator: ": ").last)
        try await peer.run("sh", "-c", "\(command) -passin pass:secret -passout pass:secret")
        #expect(try KeyFile(peer.secret("NEW"), password: Secret("secret")).isEncrypted)
    }

    private func secret(_ name: String) -> Secret {
        guard let secret = try? peer.secret(name) else {
            return Secret("")
        }
        return secret
    }

    /// The traditional encryption, which -aes… of `openssl rsa` and `openssl ec` makes.
    @Test(arguments: ["-aes256", "-aes192", "-aes128", "-des3"]) func readsEncryptedPEM(
        _ cipher: String
    ) async throws {
        for (sample, tool) in [(SampleKey.rsa2048, "rsa"), (.p384, "ec")] {
            try await peer.generate(sample, "a.pem")
            let key = try PrivateKey(file: peer.secret("a.pem"))
            let traditional = tool == "rsa" ? "-traditional" : ""
            try await peer.run(
                "sh", "-c",
                "openssl \(tool) -in a.pem \(cipher) \(traditional) -out b.pem -passout pass:secret"
            )
            let file = try KeyFile(peer.secret("b.pem"), password: Secret("secret"))
            #expect(file.isEncrypted && file.format == sample.traditional)
            #expect(file.publicKey == key.publicKey)
            #expect(throws: KeychainError(.authFailed)) {
                try KeyFile(peer.secret("b.pem"), password: Secret("wrong"))
            }
            #expect(throws: KeychainError(.passphraseRequired)) {
                try KeyFile(peer.secret("b.pem"))
            }
        }
    }

    /// openssl reads everything that we write, and finds the same key in it.
    @Test(arguments: SampleKey.allCases) func writesWhatOpensslReads(_ sample: SampleKey)
        async throws
    {
        let key = try sample.generate()
        try peer.write("expected", try key.publicKey.file(.subjectPublicKeyInfo))
        let expected = try await peer.run("cat", "expected")
        for format in [KeyFormat.pkcs8] + (sample.traditional.map { [$0] } ?? []) {
            try peer.write("plain", try key.file(format))
            #expect(
                try await peer.run("openssl", "pkey", "-in", "plain", "-pubout") == expected)
            try await peer.run("openssl", "pkey", "-in", "plain", "-check", "-noout")
            try peer.write("encrypted", try key.file(format, password: Secret("secret")))
            #expect(
                try await peer.run(
                    "openssl", "pkey", "-in", "encrypted", "-passin", "pass:secret", "-pubout")
                    == expected)
            let again = try KeyFile(peer.secret("encrypted"), password: Secret("secret"))
            #expect(again.publicKey == key.publicKey && again.isEncrypted)
        }
        if sample.type == .rsa {
            try peer.write("public", try key.publicKey.file(.pkcs1PublicKey))
            #expect(
                try await peer.run(
                    "openssl", "rsa", "-RSAPublicKey_in", "-in", "public", "-pubout") == expected)
            #expect(try KeyFile(peer.secret("public")).format == .pkcs1PublicKey)
        }
    }

    @Test func readsCompressedPointsAndLeavesCertificatesOut() async throws {
        try await peer.generate(.p256, "a.pem")
        let key = try PrivateKey(file: peer.secret("a.pem"))
        try await peer.run(
            "openssl", "ec", "-in", "a.pem", "-conv_form", "compressed", "-out", "b.pem")
        #expect(try KeyFile(peer.secret("b.pem")).publicKey == key.publicKey)
        try await peer.run(
            "sh", "-c",
            """
            openssl req -x509 -key a.pem -subj /CN=a -out c.pem &&
            { echo Bag Attributes; cat c.pem; openssl ecparam -name P-256; cat b.pem; } >d.pem
            """)
        #expect(try KeyFile(peer.secret("d.pem")).privateKey?.publicKey == key.publicKey)
    }

    /// Types, curves and sizes that are not supported are said to be so.
    @Test(arguments: [
        ("genpkey -algorithm ED448", Status.unsupportedKeyFormat),
        ("genpkey -algorithm X448", .unsupportedKeyFormat),
        ("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:secp256k1", .unsupportedKeyFormat),
        (
            "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 "
                + "-pkeyopt ec_param_enc:explicit", .unsupportedKeyFormat
        ),
        ("genpkey -algorithm RSA-PSS", .unsupportedKeyFormat),
        ("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:512", .unsupportedKeySize),
        ("genpkey -algorithm RSA -pkeyopt rsa_keygen_primes:3", .unsupportedKeyFormat),
        ("genrsa -traditional -primes 3", .unsupportedKeyFormat),
    ]) func refusesOtherKeys(_ arguments: String, _ status: Status) async throws {
        try await peer.run("sh", "-c", "openssl \(arguments) -out a.pem")
        #expect(throws: KeychainError(status)) { try KeyFile(peer.secret("a.pem")) }
        if !arguments.contains("primes") && !arguments.contains("trad") {
            try await peer.run("openssl", "pkey", "-in", "a.pem", "-pubout", "-out", "a.pub")
            #expect(throws: KeychainError(status)) { try KeyFile(peer.secret("a.pub")) }
        }
    }
}
