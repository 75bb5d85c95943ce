import LanyardSecrets
import Testing

@testable import LanyardCertificates

/// What other libraries got wrong: Project Wycheproof's test vectors.
@Suite(.enabled(if: TestVectors.folder != nil)) struct WycheproofTests {
    private func digest(_ group: TestVectors.Group) -> DigestAlgorithm? {
        DigestAlgorithm(rawValue: (group.sha ?? "").replacing("-", with: ""))
    }

    @Test(
        arguments: TestVectors.files(
            "ecdsa_secp256r1", "ecdsa_secp384r1", "ecdsa_secp521r1", "ed25519_test",
            except: ["sha3_", "shake", "webcrypto"]))
    func verifiesSignaturesOfCurves(_ file: String) throws {
        var count = 0
        for group in try TestVectors.groups(file) {
            let key = try PublicKey(subjectPublicKeyInfo: group.publicKeyDer.bytes.span)
            let form = file.contains("p1363") ? KeyAlgorithm.SignatureForm.rfc4754 : .x962
            let algorithm =
                key.type == .ed25519
                ? .edDSASignatureMessageCurve25519SHA512
                : KeyAlgorithm(.ecdsa(.message, form, try #require(digest(group))))
            for vector in group.tests {
                let accepted = try key.accepts(vector.sig.bytes, of: vector.msg.bytes, algorithm)
                #expect(accepted == vector.isValid, "\(vector)")
                count += 1
            }
        }
        print("\(file): \(count) vectors")
    }

    @Test(
        arguments: TestVectors.files(
            "rsa_signature_", "rsa_pss_",
            except: ["sha3_", "shake", "512_224", "512_256", "_params", "sig_gen"]))
    func verifiesRSASignatures(_ file: String) throws {
        var (count, left) = (0, 0)
        for group in try TestVectors.groups(file) {
            // Keychain Services has PSS with one hash and a salt of its length only.
            guard let digest = digest(group),
                group.mgf == nil
                    || (group.mgfSha == group.sha && group.sLen == digest.byteCount)
            else {
                left += group.tests.count
                continue
            }
            let key = try PublicKey(
                externalRepresentation: group.publicKeyAsn.bytes.span, type: .rsa)
            let algorithm = KeyAlgorithm(
                .rsaSignature(.message, group.mgf == nil ? .pkcs1v15 : .pss, digest))
            for vector in group.tests where vector.result != "acceptable" {
                let accepted = try key.accepts(vector.sig.bytes, of: vector.msg.bytes, algorithm)
                #expect(accepted == vector.isValid, "\(vector)")
                count += 1
            }
        }
        print("\(file): \(count) vectors, \(left) of other parameters left out")
    }

    @Test(
        arguments: TestVectors.files(
            "rsa_oaep_", "rsa_pkcs1_", except: ["512_224", "512_256", "sig_gen"]))
    func decryptsRSA(_ file: String) throws {
        var (count, left) = (0, 0)
        for group in try TestVectors.groups(file) {
            let digest = digest(group)
            guard group.mgf == nil || (digest != nil && group.mgfSha == group.sha) else {
                left += group.tests.count
                continue
            }
            let key = try PrivateKey(pkcs8: Secret(group.privateKeyPkcs8.bytes))
            let algorithm =
                digest.map { KeyAlgorithm(.rsaOAEP($0, withAESGCM: false)) } ?? .rsaEncryptionPKCS1
            for vector in group.tests {
                guard vector.label.bytes.isEmpty else {
                    left += 1
                    continue
                }
                let decrypted = try? key.decrypted(vector.ct.bytes, algorithm)
                #expect(decrypted == (vector.isValid ? vector.msg.bytes : nil), "\(vector)")
                count += 1
            }
        }
        print("\(file): \(count) vectors, \(left) of other parameters left out")
    }

    @Test(
        arguments: TestVectors.files(
            "ecdh_secp256r1", "ecdh_secp384r1", "ecdh_secp521r1", except: ["webcrypto", "pem"]))
    func agreesOnASecret(_ file: String) throws {
        let isPoint = file.contains("ecpoint")
        var count = 0
        for group in try TestVectors.groups(file) {
            let bits = try #require(Int((group.curve ?? "").filter(\.isNumber).prefix(3)))
            let curve = try #require(EllipticCurve(sizeInBits: bits))
            for vector in group.tests {
                let shared = try? exchange(vector, curve, isPoint: isPoint)
                // Other encodings of a good key may be read or refused.
                let expected = vector.shared.bytes
                if vector.result == "acceptable" {
                    #expect(shared == nil || shared == expected, "\(vector)")
                } else {
                    #expect(shared == (vector.isValid ? expected : nil), "\(vector)")
                }
                count += 1
            }
        }
        print("\(file): \(count) vectors")
    }

    private func exchange(
        _ vector: TestVectors.Vector, _ curve: EllipticCurve, isPoint: Bool
    ) throws -> [UInt8] {
        let bytes = vector.public.bytes
        let publicKey =
            try isPoint
            ? PublicKey(externalRepresentation: bytes.span, type: .ellipticCurve)
            : PublicKey(subjectPublicKeyInfo: bytes.span)
        let scalar = Array(vector.private.bytes.drop { $0 == 0 })
        let key = try PrivateKey.ellipticCurve(curve, scalar: scalar.span, point: nil)
        return try key.sharedSecret(with: publicKey, .ecdhKeyExchangeStandard).publicBytes()
    }

    @Test(arguments: TestVectors.files("x25519_test")) func agreesWithX25519(_ file: String) throws
    {
        var count = 0
        for vector in try TestVectors.groups(file).flatMap(\.tests) {
            let key = try PrivateKey(
                externalRepresentation: Secret(vector.private.bytes), type: .x25519)
            let publicKey = try PublicKey(
                externalRepresentation: vector.public.bytes.span, type: .x25519)
            let shared = try? key.sharedSecret(with: publicKey, .ecdhKeyExchangeStandard)
                .publicBytes()
            let isZero = vector.flags.contains("ZeroSharedSecret")
            #expect(shared == (isZero ? nil : vector.shared.bytes), "\(vector)")
            count += 1
        }
        print("\(file): \(count) vectors")
    }

    @Test(arguments: TestVectors.files("aes_wrap_test", "aes_kwp_test"))
    func wrapsKeys(_ file: String) throws {
        let wrapping =
            file.contains("kwp") ? SymmetricKey.Wrapping.aesKeyWrapWithPadding : .aesKeyWrap
        var count = 0
        for vector in try TestVectors.groups(file).flatMap(\.tests) {
            let key = try SymmetricKey(Secret(vector.key.bytes))
            let wrapped = vector.ct.bytes
            let unwrapped = try? key.unwrap(wrapped.span, wrapping).publicBytes()
            if vector.result == "acceptable" {
                #expect(unwrapped == nil || unwrapped == vector.msg.bytes, "\(vector)")
            } else {
                #expect(unwrapped == (vector.isValid ? vector.msg.bytes : nil), "\(vector)")
            }
            if vector.isValid {
                #expect(try key.wrap(Secret(vector.msg.bytes), wrapping) == wrapped, "\(vector)")
            }
            count += 1
        }
        print("\(file): \(count) vectors")
    }
}
