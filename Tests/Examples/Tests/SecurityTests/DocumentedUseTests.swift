import Foundation
import Security
import Testing

/// Code as programs for Apple's systems have it: it compiles and runs as it is.
@Suite("code of programs for Apple's systems")
struct DocumentedUseTests {
    @Test func generatesAndStoresAKey() throws {
        let tag = "org.example.keys.\(UUID().uuidString)".data(using: .utf8)!
        let attributes: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeRSA,
            kSecAttrKeySizeInBits as String: 2048,
            kSecPrivateKeyAttrs as String: [
                kSecAttrIsPermanent as String: true, kSecAttrApplicationTag as String: tag,
            ],
        ]
        var error: Unmanaged<CFError>?
        guard let made = SecKeyCreateRandomKey(attributes as CFDictionary, &error) else {
            throw error!.takeRetainedValue() as Error
        }
        let query: [String: Any] = [
            kSecClass as String: kSecClassKey,
            kSecAttrApplicationTag as String: tag,
            kSecAttrKeyType as String: kSecAttrKeyTypeRSA,
            kSecReturnRef as String: true,
        ]
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        guard status == errSecSuccess else {
            throw NSError(domain: NSOSStatusErrorDomain, code: Int(status))
        }
        let key = item as! SecKey
        #expect(key == made)
        let algorithm: SecKeyAlgorithm = .rsaSignatureMessagePKCS1v15SHA512
        guard SecKeyIsAlgorithmSupported(key, .sign, algorithm) else {
            throw NSError(domain: NSOSStatusErrorDomain, code: Int(errSecParam))
        }
        let data = "text to sign".data(using: .utf8)!
        guard
            let signature = SecKeyCreateSignature(key, algorithm, data as CFData, &error) as Data?
        else {
            throw error!.takeRetainedValue() as Error
        }
        let publicKey = SecKeyCopyPublicKey(key)!
        guard
            SecKeyVerifySignature(
                publicKey, algorithm, data as CFData, signature as CFData, &error)
        else {
            throw error!.takeRetainedValue() as Error
        }
        #expect(SecItemDelete(query as CFDictionary) == errSecSuccess)
    }

    @Test(.enabled(if: Openssl.isInstalled, "openssl is not installed"))
    func importsAndStoresAnIdentity() throws {
        let authority = try Authority()
        let p12Data = try authority.file("leaf.p12")
        let options = [kSecImportExportPassphrase as String: "swordfish"]
        var rawItems: CFArray?
        let status = SecPKCS12Import(p12Data as CFData, options as CFDictionary, &rawItems)
        guard status == errSecSuccess else {
            throw NSError(domain: NSOSStatusErrorDomain, code: Int(status))
        }
        let items = rawItems! as! [[String: Any]]
        let firstItem = items[0]
        let identity = firstItem[kSecImportItemIdentity as String] as! SecIdentity?
        let trust = firstItem[kSecImportItemTrust as String] as! SecTrust?
        #expect(trust != nil)
        let addquery: [String: Any] = [
            kSecValueRef as String: identity!, kSecAttrLabel as String: authority.name,
        ]
        #expect(SecItemAdd(addquery as CFDictionary, nil) == errSecSuccess)
        let getquery: [String: Any] = [
            kSecClass as String: kSecClassIdentity,
            kSecAttrLabel as String: authority.name,
            kSecReturnRef as String: kCFBooleanTrue!,
        ]
        var item: CFTypeRef?
        #expect(SecItemCopyMatching(getquery as CFDictionary, &item) == errSecSuccess)
        let stored = item as! SecIdentity
        var certificate: SecCertificate?
        SecIdentityCopyCertificate(stored, &certificate)
        #expect(SecCertificateCopySubjectSummary(certificate!) as String? == authority.name)
        var privateKey: SecKey?
        SecIdentityCopyPrivateKey(stored, &privateKey)
        #expect(privateKey != nil)
        #expect(
            SecItemDelete([kSecValueRef as String: stored] as CFDictionary) == errSecSuccess)
    }
}
