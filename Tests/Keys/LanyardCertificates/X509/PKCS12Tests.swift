import LanyardSecrets
import Testing

@testable import LanyardCertificates

/// PKCS #12 files of every form, made here.
@Suite struct PKCS12Tests {
    let key: PrivateKey
    let certificate: [UInt8]

    init() throws {
        key = try PrivateKey(generating: .ellipticCurve, sizeInBits: 256)
        certificate = try CertificateDraft("a", key).signed()
    }

    private func read(
        _ file: [UInt8], _ password: String = "secret"
    ) throws(KeychainError) -> PKCS12 {
        try PKCS12(Secret(file), password: Secret(password))
    }

    private func isPKCS12(_ file: [UInt8]) -> Bool { PKCS12.isPKCS12(file.span) }

    private func error(_ file: [UInt8], _ password: String = "secret") -> KeychainError? {
        do throws(KeychainError) {
            _ = try read(file, password)
            return nil
        } catch {
            return error
        }
    }

    @Test func severalKeysAndCertificates() throws {
        let second = try PrivateKey(generating: .rsa, sizeInBits: 2048)
        func other(_ type: String) -> [UInt8] {
            DER.sequence(DER.identifier(type), DER.element(0xA0, DER.octetString([1])))
        }
        let draft = PKCS12Draft(parts: [
            PKCS12Draft.part(
                try PKCS12Draft.key(key, name: "Ada 😀"), try PKCS12Draft.key(second),
                // Other bags: a list of revoked certificates and a secret.
                PKCS12Draft.bag(4, other("1.2.840.113549.1.9.23.1")),
                PKCS12Draft.bag(5, other("1.2.3.4"))),
            PKCS12Draft.part(),
            PKCS12Draft.part(
                PKCS12Draft.certificate(certificate, name: "a\nb"),
                PKCS12Draft.bag(6, DER.sequence(PKCS12Draft.certificate(certificate)))),
        ])
        let contents = try read(draft.file)
        #expect(contents.keys.map(\.privateKey.publicKey) == [key.publicKey, second.publicKey])
        #expect(contents.keys.map(\.name) == ["Ada 😀", nil])
        #expect(contents.certificates.map(\.certificate.der) == [certificate, certificate])
        #expect(contents.certificates.map(\.name) == ["a b", nil])
    }

    /// No password is another one than an empty one; an empty one opens both.
    @Test func noPasswordAndAnEmptyOne() throws {
        for password in [nil, "", "secret", "pässwörd 😀"] {
            let draft = PKCS12Draft(parts: [PKCS12Draft.part()], password: password)
            #expect(throws: Never.self) { try read(draft.file, password ?? "") }
            for wrong in ["other", "secret\0", "secret "] {
                #expect(error(draft.file, wrong)?.status == .pkcs12VerifyFailure)
            }
            if password?.isEmpty == false {
                #expect(error(draft.file, "")?.status == .pkcs12VerifyFailure)
            }
        }
    }

    /// A wrong passphrase would send the user looking for another one.
    @Test func aCheckSumThatLibcryptoDoesNotKnow() throws {
        var draft = PKCS12Draft(parts: [PKCS12Draft.part()])
        draft.algorithm = PasswordAlgorithm.pbmac1(1)
        // OpenSSL knows it from 3.4 on, and finds it wrong.
        let status = error(draft.file)?.status
        #expect(status == .unsupportedKeyFormat || status == .pkcs12VerifyFailure)
        // No digest's, but that of a type of content.
        draft.algorithm = DER.sequence(DER.identifier("1.2.840.113549.1.7.1"), [5, 0])
        #expect(error(draft.file)?.status == .unsupportedKeyFormat)
        #expect(error(draft.file, "")?.status == .unsupportedKeyFormat)
        draft.algorithm = PasswordAlgorithm.pbmac1(PasswordWork.iterationLimit + 1)
        #expect(error(draft.file)?.status == .dataTooLarge)
    }

    @Test func refusesFilesThatAreNone() throws {
        let file = PKCS12Draft(parts: [PKCS12Draft.part()]).file
        for bytes in [[], [0x30], certificate, Array(file.dropLast()), Array(file.dropFirst())] {
            #expect(error(bytes)?.status == .unknownFormat)
            #expect(!isPKCS12(bytes) || bytes.count == file.count - 1)
        }
        #expect(isPKCS12(file))
        let giant = [UInt8](repeating: 0x30, count: PKCS12.sizeLimit + 1)
        #expect(error(giant)?.status == .dataTooLarge)
    }

    /// Other programs write lengths that are only known at the end.
    @Test func readsIndefiniteLengths() throws {
        var file = PKCS12Draft(parts: [PKCS12Draft.part(try PKCS12Draft.key(key))]).file
        #expect(file[1] == 0x82)
        file.replaceSubrange(1..<4, with: [0x80])
        file += [0, 0]
        #expect(try read(file).keys.count == 1)
        #expect(isPKCS12(file))
        let all = try CertificatesAndKeys(Secret(file)) { Secret("secret") }
        #expect(all.privateKeys.map(\.key.publicKey) == [key.publicKey])
    }

    /// A file may ask for little work often.
    @Test func refusesTooMuchWork() throws {
        let limit = PasswordWork.iterationLimit
        for algorithm in [
            PasswordAlgorithm.pbkdf2(limit + 1), PasswordAlgorithm.pbes1(limit + 1),
            PasswordAlgorithm.pbkdf2(1 << 31), PasswordAlgorithm.scrypt(1 << 20, 8, 1),
            PasswordAlgorithm.scrypt(1 << 30, 1 << 30, 1 << 30),
            // With what the check sum takes it is too much.
            PasswordAlgorithm.pbkdf2(limit), PasswordAlgorithm.pbes1(limit),
        ] {
            let draft = PKCS12Draft(parts: [
                PKCS12Draft.part(PKCS12Draft.encryptedKey(algorithm))
            ])
            #expect(error(draft.file)?.status == .dataTooLarge)
        }
        for count: [UInt8] in [
            [0], [0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0, 0x98, 0x96, 0x81],
            Array(repeating: 0x7F, count: 9), Array(repeating: 0x7F, count: 8),
        ] {
            var draft = PKCS12Draft(parts: [])
            draft.iterations = count
            #expect(error(draft.file)?.status == .dataTooLarge)
        }
    }

    @Test func tellsDamageFromOldCiphers() throws {
        for (algorithm, status) in [
            (PasswordAlgorithm.pbkdf2(1), .decode), (PasswordAlgorithm.pbes1(1), .decode),
            (PasswordAlgorithm.pbes1(1, 6), .decode), (PasswordAlgorithm.pbes1(1, 5), .decode),
            (PasswordAlgorithm.pbes1(1, 99), .unsupportedKeyFormat),
        ] as [([UInt8], Status)] {
            let draft = PKCS12Draft(parts: [
                PKCS12Draft.part(PKCS12Draft.encryptedKey(algorithm))
            ])
            let error = error(draft.file)
            #expect(error?.status == status && (error?.hint != nil) == (status != .decode))
        }
    }

    @Test func nestedBags() throws {
        var bag = PKCS12Draft.certificate(certificate)
        for depth in 1...40 {
            bag = PKCS12Draft.bag(6, DER.sequence(bag))
            let error = error(PKCS12Draft(parts: [PKCS12Draft.part(bag)]).file)
            #expect((error == nil) == (depth <= 4), "\(depth)")
        }
    }

    @Test func refusesTheWrongKey() throws {
        let other = try PrivateKey(generating: .ellipticCurve, sizeInBits: 256)
        let certificate = try CertificateDraft("a", key).certificate()
        func failure(
            _ key: PrivateKey, _ certificates: [Certificate], _ password: String
        ) -> Status? {
            do throws(KeychainError) {
                _ = try PKCS12.make(
                    key, certificates: certificates, name: "a", password: Secret(password))
                return nil
            } catch {
                return error.status
            }
        }
        #expect(failure(other, [certificate], "secret") == .publicKeyInconsistent)
        #expect(failure(key, [], "secret") == .param)
        #expect(failure(key, [certificate], "a\0b") == .param)
        #expect(failure(key, [certificate, certificate], "") == nil)
    }
}
