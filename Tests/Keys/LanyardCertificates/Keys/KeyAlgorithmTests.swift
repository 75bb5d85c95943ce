import LanyardSecrets
import Testing

@testable import LanyardCertificates

@Suite struct KeyAlgorithmTests {
    /// Of Security.framework.
    @Test(arguments: [
        ("algid:sign:RSA:digest-PKCS1v15:SHA1", KeyAlgorithm.rsaSignatureDigestPKCS1v15SHA1),
        ("algid:sign:RSA:message-PSS:SHA224:SHA224:24", .rsaSignatureMessagePSSSHA224),
        ("algid:sign:RSA:digest-PSS:SHA512:SHA512:64", .rsaSignatureDigestPSSSHA512),
        ("algid:sign:ECDSA:message-X962:SHA384", .ecdsaSignatureMessageX962SHA384),
        ("algid:sign:ECDSA:digest-RFC4754:SHA256", .ecdsaSignatureDigestRFC4754SHA256),
        ("algid:sign:EdDSA:message-Curve25519:SHA512", .edDSASignatureMessageCurve25519SHA512),
        ("algid:encrypt:RSA:OAEP:SHA1:AESGCM", .rsaEncryptionOAEPSHA1AESGCM),
        (
            "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV",
            .eciesEncryptionCofactorVariableIVX963SHA512AESGCM
        ),
        (
            "algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM",
            .eciesEncryptionStandardX963SHA1AESGCM
        ),
        ("algid:keyexchange:ECDHC:KDFX963:SHA224", .ecdhKeyExchangeCofactorX963SHA224),
        ("algid:keyexchange:ECDH", .ecdhKeyExchangeStandard),
    ]) func hasTheNameOfKeychainServices(_ name: String, _ algorithm: KeyAlgorithm) {
        #expect(algorithm.rawValue == name)
        #expect(KeyAlgorithm(rawValue: name) == algorithm)
    }

    @Test func refusesOtherNames() {
        #expect(KeyAlgorithm(rawValue: "algid:sign:RSA:raw") == nil)
        #expect(KeyAlgorithm(rawValue: "") == nil)
    }

    /// Each algorithm that a key says it has works with it, and no other.
    @Test(arguments: SampleKey.allCases) func keysDoWhatTheySay(_ sample: SampleKey) throws {
        let key = try sample.generate()
        let message: [UInt8] = [1, 2, 3]
        for algorithm in KeyAlgorithm.allCases {
            var input = message
            if case .digest? = algorithm.kind.input, let digest = algorithm.kind.digest {
                input = Libcrypto.digest(message.span, digest)
            }
            if key.isSupported(algorithm, for: .sign) {
                let signature = try key.sign(input.span, algorithm)
                #expect(try key.publicKey.accepts(signature, of: input, algorithm))
                var damaged = signature
                damaged[damaged.count / 2] ^= 1
                #expect(try !key.publicKey.accepts(damaged, of: input, algorithm))
                #expect(try !key.publicKey.accepts([], of: input, algorithm))
            } else {
                #expect(throws: KeychainError(.invalidAlgorithm)) {
                    try key.sign(input.span, algorithm)
                }
            }
            if key.publicKey.isSupported(algorithm, for: .encrypt) {
                try encrypts(key, algorithm)
            } else {
                #expect(throws: KeychainError(.invalidAlgorithm)) {
                    try key.publicKey.encrypt(Secret(message), algorithm)
                }
            }
            if key.isSupported(algorithm, for: .keyExchange) {
                let other = try sample.generate()
                let one = try key.sharedSecret(with: other.publicKey, algorithm, requestedSize: 40)
                let two = try other.sharedSecret(with: key.publicKey, algorithm, requestedSize: 40)
                let isEqual = one.isEqual(to: two)
                #expect(isEqual)
            }
        }
    }

    private func encrypts(_ key: PrivateKey, _ algorithm: KeyAlgorithm) throws {
        let text: [UInt8] = [1, 2, 3, 4, 5]
        let encrypted = try key.publicKey.encrypt(Secret(text), algorithm)
        #expect(try key.decrypted(encrypted, algorithm) == text)
        var damaged = encrypted
        damaged[damaged.count - 1] ^= 1
        if algorithm != .rsaEncryptionPKCS1 {
            #expect(throws: KeychainError(.decode)) {
                _ = try key.decrypt(damaged.span, algorithm)
            }
        }
        #expect(throws: KeychainError(.decode)) { try key.decrypted([], algorithm) }
        let empty = try key.publicKey.encrypt(Secret(""), algorithm)
        #expect(try key.decrypted(empty, algorithm).isEmpty)
    }

    @Test func refusesDigestsOfOtherLengths() throws {
        let key = try SampleKey.p256.generate()
        let digest = [UInt8](repeating: 1, count: 31)
        #expect(throws: KeychainError(.param)) {
            try key.sign(digest.span, .ecdsaSignatureDigestX962SHA256)
        }
    }

    @Test func refusesOtherKeysForAnExchange() throws {
        let key = try SampleKey.p256.generate()
        for other in [SampleKey.p384, .x25519] {
            let publicKey = try other.generate().publicKey
            #expect(throws: KeychainError(.param)) {
                _ = try key.sharedSecret(with: publicKey, .ecdhKeyExchangeStandard)
            }
        }
        #expect(throws: KeychainError(.param)) {
            _ = try key.sharedSecret(with: key.publicKey, .ecdhKeyExchangeStandardX963SHA1)
        }
    }

    @Test(arguments: SymmetricKey.Wrapping.allCases, [128, 192, 256])
    func wrapsKeys(_ wrapping: SymmetricKey.Wrapping, _ size: Int) throws {
        let key = try SymmetricKey(generatingSizeInBits: size)
        for count in [16, 24, 32, 4096] + (wrapping == .aesKeyWrap ? [] : [1, 7, 8, 9, 4097]) {
            let secret = try Secret.random(count)
            let wrapped = try key.wrap(secret, wrapping)
            let unwrapped = try key.unwrap(wrapped.span, wrapping)
            let isEqual = unwrapped.isEqual(to: secret)
            #expect(isEqual)
            var damaged = wrapped
            damaged[count / 2] ^= 1
            #expect(throws: KeychainError(.decode)) { _ = try key.unwrap(damaged.span, wrapping) }
            let short = Array(wrapped.dropLast())
            #expect(throws: KeychainError(.decode)) { _ = try key.unwrap(short.span, wrapping) }
        }
        #expect(throws: KeychainError(.param)) { try key.wrap(Secret(""), wrapping) }
    }
}

extension KeyAlgorithm.Kind {
    var input: KeyAlgorithm.Input? {
        switch self {
        case .rsaSignature(let input, _, _), .ecdsa(let input, _, _): input
        default: nil
        }
    }
}
