import LanyardSecrets
import Testing

@testable import LanyardCertificates

/// PKCS #12 files that openssl(1) and Python's cryptography make and read.
@Suite(.enabled(if: hasPeer("openssl"))) struct OpensslPKCS12Tests {
    let peer: KeyPeer
    let key: PrivateKey
    let certificate: Certificate
    let issuer: Certificate

    init() throws {
        peer = try KeyPeer()
        let root = CertificateDraft(
            "Root", try PrivateKey(generating: .ed25519, sizeInBits: 256),
            extensions: [Extension.authority()])
        issuer = try root.certificate()
        key = try PrivateKey(generating: .ellipticCurve, sizeInBits: 256)
        certificate = try CertificateDraft("Ada", key).certificate(by: root)
        try peer.write("a.key", try key.file(.pkcs8))
        try peer.write("a.pem", certificate.pem + issuer.pem)
    }

    private func export(_ options: String, _ password: String) async throws {
        try peer.write("password", Array("\(password)\n".utf8))
        try await peer.run(
            "sh", "-c",
            "openssl pkcs12 -export -inkey a.key -in a.pem -out a.p12 -passout file:password \(options)"
        )
    }

    private func read(_ name: String, _ password: String) throws(KeychainError) -> PKCS12 {
        let file: Secret
        do {
            file = try peer.secret(name)
        } catch {
            throw KeychainError(.io)
        }
        return try PKCS12(file, password: Secret(password))
    }

    private func error(_ name: String, _ password: String) -> KeychainError? {
        do throws(KeychainError) {
            _ = try read(name, password)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        arguments: [
            "", "-keypbe AES-256-CBC -certpbe AES-128-CBC", "-keypbe PBE-SHA1-3DES",
            "-keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES -macalg SHA1", "-descert",
            "-keypbe NONE -certpbe NONE", "-macalg SHA512 -iter 1", "-nomaciter", "-keyex", "-LMK",
        ], ["secret", "", "pässwörd 😀"])
    func readsWhatOpensslWrites(_ options: String, _ password: String) async throws {
        try await export("-name 'Ada Zoë 漢' -caname Root \(options)", password)
        let contents = try read("a.p12", password)
        #expect(contents.keys.map(\.privateKey.publicKey) == [key.publicKey])
        #expect(contents.keys.map(\.name) == ["Ada Zoë 漢"])
        #expect(contents.certificates.map(\.certificate) == [certificate, issuer])
        #expect(contents.certificates.map(\.name) == ["Ada Zoë 漢", "Root"])
        #expect(error("a.p12", "other")?.status == .pkcs12VerifyFailure)
        let file = try peer.bytes("a.p12")
        let isPKCS12 = PKCS12.isPKCS12(file.span)
        #expect(isPKCS12)
    }

    @Test func certificatesAlone() async throws {
        try await export("-nokeys", "secret")
        let contents = try read("a.p12", "secret")
        #expect(contents.keys.isEmpty && contents.certificates.count == 2)
    }

    /// As a CA delivers it, and without encryption, too.
    @Test func withoutMAC() async throws {
        for options in ["-nomac", "-nomac -keypbe NONE -certpbe NONE"] {
            try await export(options, "secret")
            let contents = try read("a.p12", "secret")
            #expect(contents.keys.map(\.privateKey.publicKey) == [key.publicKey])
            #expect(contents.certificates.count == 2)
            #expect(contents.weaknesses == [.noMAC])
            let isOpen = options.contains("NONE")
            #expect(error("a.p12", "other")?.status == (isOpen ? nil : .pkcs12VerifyFailure))
            // Its passphrase is asked for where it is needed.
            var hasAsked = false
            let read = try CertificatesAndKeys(peer.secret("a.p12")) { () throws(KeychainError) in
                hasAsked = true
                return Secret("secret")
            }
            #expect(hasAsked != isOpen && read.weaknesses == [.noMAC])
        }
    }

    /// RC2, as older Macs and Windows write it.
    @Test(arguments: ["secret", "", "pässwörd 漢"]) func oldCiphers(_ password: String) async throws
    {
        for options in [
            "-legacy", "-legacy -keypbe PBE-SHA1-RC2-40", "-legacy -certpbe PBE-SHA1-RC2-128",
            "-legacy -nomac -certpbe PBE-SHA1-RC2-40",
        ] {
            try await export(options, password)
            let contents = try read("a.p12", password)
            #expect(contents.keys.map(\.privateKey.publicKey) == [key.publicKey])
            #expect(contents.certificates.map(\.certificate) == [certificate, issuer])
            #expect(contents.weaknesses.contains(.rc2))
            #expect(contents.weaknesses.contains(.noMAC) == options.contains("nomac"))
            #expect(error("a.p12", "other")?.status == .pkcs12VerifyFailure)
        }
        let made = try PKCS12.make(
            key, certificates: [certificate], name: "a", password: Secret("x"))
        #expect(try PKCS12(made, password: Secret("x")).weaknesses.isEmpty)
    }

    @Test(
        arguments: zip(
            SampleKey.allCases, ["secret", "", "pässwörd 😀", "", "s", "secret ", "漢"]))
    func opensslReadsOurs(_ sample: SampleKey, _ password: String) async throws {
        let key = try sample.generate()
        // X25519 keys don't sign, so another key signs for all.
        let root = CertificateDraft("Root", self.key)
        let leaf = try CertificateDraft("leaf", key).certificate(by: root)
        let made = try PKCS12.make(
            key, certificates: [leaf, issuer], name: "Zoë 😀", password: Secret(password))
        try peer.write("a.p12", made)
        try peer.write("password", Array("\(password)\n".utf8))
        try await peer.run(
            "sh", "-c",
            """
            openssl pkcs12 -in a.p12 -passin file:password -nodes -nocerts | openssl pkey -out b.key
            openssl pkcs12 -in a.p12 -passin file:password -nokeys -clcerts | openssl x509 >leaf.pem
            openssl pkcs12 -in a.p12 -passin file:password -nokeys -cacerts | openssl x509 >ca.pem
            """)
        #expect(try peer.bytes("b.key") == key.file(.pkcs8).publicBytes())
        #expect(try peer.bytes("leaf.pem") == leaf.pem && peer.bytes("ca.pem") == issuer.pem)
        let contents = try read("a.p12", password)
        #expect(contents.keys.map(\.name) == ["Zoë \u{FFFD}"])
        #expect(contents.certificates.map(\.certificate) == [leaf, issuer])
    }

    /// Python's cryptography, which shares no code with libcrypto's PKCS #12.
    @Test(.enabled { await hasPythonCryptography }) func pythonReadsOursAndWritesOthers()
        async throws
    {
        let made = try PKCS12.make(
            key, certificates: [certificate, issuer], name: "Zoë 😀", password: Secret("pässwörd"))
        try peer.write("a.p12", made)
        try peer.write(
            "check.py",
            Array(
                """
                from cryptography.hazmat.primitives import serialization
                from cryptography.hazmat.primitives.serialization import pkcs12

                password = "pässwörd".encode()
                with open("a.p12", "rb") as file:
                    found = pkcs12.load_pkcs12(file.read(), password)
                assert found.cert.friendly_name == "Zoë \u{FFFD}".encode(), found
                assert len(found.additional_certs) == 1, found
                pem = found.cert.certificate.public_bytes(serialization.Encoding.PEM)
                assert open("a.pem", "rb").read().startswith(pem)
                for name, encryption in (
                    ("b.p12", serialization.BestAvailableEncryption(password)),
                    ("c.p12", serialization.NoEncryption()),
                ):
                    with open(name, "wb") as file:
                        file.write(
                            pkcs12.serialize_key_and_certificates(
                                b"Ada", found.key, found.cert.certificate,
                                [other.certificate for other in found.additional_certs], encryption,
                            )
                        )
                """.utf8))
        try await peer.run("python3", "check.py")
        for (name, password) in [("b.p12", "pässwörd"), ("c.p12", "")] {
            let contents = try read(name, password)
            #expect(contents.keys.map(\.privateKey.publicKey) == [key.publicKey])
            #expect(Set(contents.certificates.map(\.certificate)) == [certificate, issuer])
        }
    }
}

/// Whether Python has the package; if not, a line says so.
private var hasPythonCryptography: Bool {
    get async {
        guard hasPeer("python3"), let peer = try? KeyPeer() else {
            return false
        }
        let answer = try? await peer.run(
            "sh", "-c", "python3 -c 'import cryptography' 2>/dev/null && echo yes || :")
        if answer != "yes" {
            print("skipped: Python has no package cryptography")
        }
        return answer == "yes"
    }
}
