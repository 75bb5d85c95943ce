import Foundation
import Security
import Testing

@Suite("SecKey")
struct SecKeyTests {
    private func generate(
        _ type: CFString, _ size: Int, _ more: [CFString: Any] = [:]
    ) throws -> SecKey {
        var error: Unmanaged<CFError>?
        let parameters: [CFString: Any] = [kSecAttrKeyType: type, kSecAttrKeySizeInBits: size]
        let all = parameters.merging(more) { own, _ in own } as CFDictionary
        guard let key = SecKeyCreateRandomKey(all, &error) else {
            throw error!.takeRetainedValue() as Error
        }
        return key
    }

    private func failure(_ parameters: [CFString: Any]) -> OSStatus? {
        var error: Unmanaged<CFError>?
        guard SecKeyCreateRandomKey(parameters as CFDictionary, &error) == nil else {
            return nil
        }
        return error.map { OSStatus(CFErrorGetCode($0.takeRetainedValue())) }
    }

    @Test func generated() throws {
        for (type, size, block) in [
            (kSecAttrKeyTypeRSA, 2048, 256), (kSecAttrKeyTypeECSECPrimeRandom, 256, 32),
            (kSecAttrKeyTypeEC, 521, 66),
        ] {
            let key = try generate(type, size)
            #expect(SecKeyGetBlockSize(key) == block)
            let attributes = try #require(SecKeyCopyAttributes(key) as? [String: Any])
            #expect(attributes[kSecAttrKeyType as String] as? String == type as String)
            #expect(
                attributes[kSecAttrKeyClass as String] as? String
                    == kSecAttrKeyClassPrivate as String)
            #expect(attributes[kSecAttrKeySizeInBits as String] as? Int == size)
            #expect(attributes[kSecAttrIsPermanent as String] as? Bool == false)
            #expect(attributes[kSecAttrCanSign as String] as? Bool == true)
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            let own = try #require(SecKeyCopyAttributes(publicKey) as? [String: Any])
            #expect(own[kSecAttrKeyClass as String] as? String == kSecAttrKeyClassPublic as String)
            #expect(
                own[kSecAttrApplicationLabel as String] as? Data
                    == attributes[kSecAttrApplicationLabel as String] as? Data)
            #expect(key != publicKey && publicKey == SecKeyCopyPublicKey(publicKey))
        }
    }

    @Test func refusedParameters() {
        #expect(failure([:]) == errSecParam)
        #expect(failure([kSecAttrKeyType: kSecAttrKeyTypeRSA]) == errSecParam)
        let small: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 1024,
        ]
        #expect(failure(small) == errSecKeySizeNotAllowed)
        let curve: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256,
        ]
        let enclave = [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]
        #expect(failure(curve.merging(enclave) { own, _ in own }) == errSecUnimplemented)
        let sealed = [kSecPrivateKeyAttrs: [kSecAttrIsExtractable: false]]
        #expect(failure(curve.merging(sealed) { own, _ in own }) == errSecUnimplemented)
        let password = [
            kSecPrivateKeyAttrs: [kSecAttrService: "a", kSecAttrIsPermanent: true]
                as [CFString: Any]
        ]
        #expect(failure(curve.merging(password) { own, _ in own }) == errSecNoSuchAttr)
        #expect(
            failure([kSecAttrKeyType: kSecAttrKeyTypeDSA, kSecAttrKeySizeInBits: 2048])
                == errSecUnimplemented)
    }

    @Test func fromData() throws {
        for (type, size) in [(kSecAttrKeyTypeRSA, 2048), (kSecAttrKeyTypeEC, 384)] {
            let key = try generate(type, size)
            let data = try #require(SecKeyCopyExternalRepresentation(key, nil))
            var attributes: [CFString: Any] = [
                kSecAttrKeyType: type, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
                kSecAttrKeySizeInBits: size,
            ]
            var error: Unmanaged<CFError>?
            #expect(SecKeyCreateWithData(data, attributes as CFDictionary, &error) == key)
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            let publicData = try #require(SecKeyCopyExternalRepresentation(publicKey, &error))
            attributes[kSecAttrKeyClass] = kSecAttrKeyClassPublic
            #expect(
                SecKeyCreateWithData(publicData, attributes as CFDictionary, &error) == publicKey)
            #expect(error == nil)
            #expect(
                SecKeyCreateWithData(Data([1]) as CFData, attributes as CFDictionary, &error) == nil
            )
            #expect(
                error.map { CFErrorGetCode($0.takeRetainedValue()) } == Int(errSecInvalidKeyFormat))
        }
        #expect(SecKeyCreateWithData(Data() as CFData, [:] as CFDictionary, nil) == nil)
    }

    @Test func signatures() throws {
        let message = Data("a message".utf8) as CFData
        for (type, size, algorithm) in [
            (kSecAttrKeyTypeRSA, 2048, SecKeyAlgorithm.rsaSignatureMessagePSSSHA256),
            (kSecAttrKeyTypeRSA, 2048, .rsaSignatureMessagePKCS1v15SHA512),
            (kSecAttrKeyTypeEC, 256, .ecdsaSignatureMessageX962SHA256),
            (kSecAttrKeyTypeEC, 384, .ecdsaSignatureMessageRFC4754SHA384),
        ] {
            let key = try generate(type, size)
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            var error: Unmanaged<CFError>?
            #expect(SecKeyIsAlgorithmSupported(key, .sign, algorithm))
            #expect(!SecKeyIsAlgorithmSupported(key, .verify, algorithm))
            #expect(SecKeyIsAlgorithmSupported(publicKey, .verify, algorithm))
            let signature = try #require(SecKeyCreateSignature(key, algorithm, message, &error))
            #expect(SecKeyVerifySignature(publicKey, algorithm, message, signature, &error))
            #expect(error == nil)
            let other = Data("another".utf8) as CFData
            #expect(!SecKeyVerifySignature(publicKey, algorithm, other, signature, &error))
            #expect(error.map { CFErrorGetCode($0.takeRetainedValue()) } == Int(errSecVerifyFailed))
            error = nil
            #expect(SecKeyCreateSignature(publicKey, algorithm, message, &error) == nil)
            #expect(error.map { CFErrorGetCode($0.takeRetainedValue()) } == Int(errSecParam))
            #expect(!SecKeyIsAlgorithmSupported(key, .sign, .rsaSignatureRaw))
        }
    }

    @Test func encryption() throws {
        let text = Data("a text".utf8)
        for (type, size, algorithm) in [
            (kSecAttrKeyTypeRSA, 2048, SecKeyAlgorithm.rsaEncryptionOAEPSHA512AESGCM),
            (kSecAttrKeyTypeRSA, 2048, .rsaEncryptionOAEPSHA256),
            (kSecAttrKeyTypeEC, 256, .eciesEncryptionStandardX963SHA256AESGCM),
            (kSecAttrKeyTypeEC, 256, .eciesEncryptionCofactorVariableIVX963SHA256AESGCM),
        ] {
            let key = try generate(type, size)
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            #expect(SecKeyIsAlgorithmSupported(publicKey, .encrypt, algorithm))
            #expect(SecKeyIsAlgorithmSupported(key, .decrypt, algorithm))
            var error: Unmanaged<CFError>?
            let sealed = try #require(
                SecKeyCreateEncryptedData(publicKey, algorithm, text as CFData, &error))
            let opened = SecKeyCreateDecryptedData(key, algorithm, sealed, &error)
            #expect(opened as Data? == text)
            #expect(error == nil)
            #expect(
                SecKeyCreateDecryptedData(key, algorithm, Data(count: 300) as CFData, &error)
                    == nil)
            #expect(error != nil)
            error?.release()
        }
    }

    @Test func keyExchange() throws {
        let (one, other) = (
            try generate(kSecAttrKeyTypeEC, 256), try generate(kSecAttrKeyTypeEC, 256)
        )
        let parameters: [String: Any] = [
            SecKeyKeyExchangeParameter.requestedSize.rawValue as String: 32,
            SecKeyKeyExchangeParameter.sharedInfo.rawValue as String: Data("info".utf8),
        ]
        func secret(
            _ key: SecKey, _ peer: SecKey, _ algorithm: SecKeyAlgorithm, _ parameters: Any
        ) -> Data? {
            SecKeyCopyPublicKey(peer).flatMap {
                SecKeyCopyKeyExchangeResult(
                    key, algorithm, $0, parameters as! CFDictionary, nil) as Data?
            }
        }
        let algorithm = SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA256
        let own = secret(one, other, algorithm, parameters as CFDictionary)
        #expect(own?.count == 32)
        #expect(own == secret(other, one, algorithm, parameters as CFDictionary))
        let named: [SecKeyKeyExchangeParameter: Any] = [
            .requestedSize: 32, .sharedInfo: Data("info".utf8),
        ]
        #expect(own == secret(one, other, algorithm, named as CFDictionary))
        #expect(secret(one, other, algorithm, [:] as CFDictionary) == nil)
        #expect(
            secret(one, other, .ecdhKeyExchangeStandard, [:] as CFDictionary)
                == secret(other, one, .ecdhKeyExchangeCofactor, [:] as CFDictionary))
    }

    @Test func algorithmsHaveApplesNames() {
        let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
        #expect(algorithm.rawValue as String == "algid:sign:ECDSA:message-X962:SHA256")
        #expect(SecKeyAlgorithm(rawValue: algorithm.rawValue) == algorithm)
        #expect(
            SecKeyAlgorithm.rsaEncryptionOAEPSHA256AESGCM.rawValue as String
                == "algid:encrypt:RSA:OAEP:SHA256:AESGCM")
    }
}
