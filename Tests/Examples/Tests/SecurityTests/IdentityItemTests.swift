import Foundation
import Security
import Testing

@Suite("identities in a keychain", .enabled(if: Openssl.isInstalled, "openssl is not installed"))
struct IdentityItemTests {
    private let authority: Authority

    init() throws {
        authority = try Authority()
    }

    private func query(_ more: [CFString: Any] = [:]) -> [CFString: Any] {
        let label = [kSecClass: kSecClassIdentity, kSecAttrLabel: authority.name as CFString]
        return more.merging(label) { own, _ in own }
    }

    private func parts(_ identity: SecIdentity) throws -> (SecCertificate, SecKey) {
        var certificate: SecCertificate?
        var key: SecKey?
        #expect(SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess)
        #expect(SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess)
        return (try #require(certificate), try #require(key))
    }

    @Test func joinsACertificateAndItsKey() throws {
        let (certificate, key) = try parts(authority.identity())
        let label = authority.name
        let add: [CFString: Any] = [kSecValueRef: certificate, kSecAttrLabel: label]
        #expect(SecItemAdd(add as CFDictionary, nil) == errSecSuccess)
        #expect(find(query()).status == errSecItemNotFound)
        var identity: SecIdentity?
        #expect(
            SecIdentityCreateWithCertificate(nil, certificate, &identity) == errSecItemNotFound)
        #expect(SecItemAdd([kSecValueRef: key] as CFDictionary, nil) == errSecSuccess)
        #expect(SecIdentityCreateWithCertificate(nil, certificate, &identity) == errSecSuccess)
        let found = find(query([kSecReturnRef: true])).result as! SecIdentity
        #expect(found == identity)
        #expect(CFGetTypeID(found) == SecIdentityGetTypeID())
        let (own, ownKey) = try parts(found)
        #expect(own == certificate && ownKey == key)
        #expect(SecItemDelete([kSecValueRef: found] as CFDictionary) == errSecSuccess)
        #expect(find([kSecValueRef: certificate]).status == errSecItemNotFound)
        #expect(find([kSecValueRef: key]).status == errSecItemNotFound)
    }

    @Test func isAddedAsBoth() throws {
        let identity = try authority.identity()
        let (certificate, key) = try parts(identity)
        let item: [CFString: Any] = [
            kSecValueRef: identity, kSecAttrLabel: authority.name, kSecReturnPersistentRef: true,
        ]
        var added: AnyObject?
        #expect(SecItemAdd(item as CFDictionary, &added) == errSecSuccess)
        #expect((added as? Data)?.prefix(4) == Data("idnt".utf8))
        #expect(SecItemAdd(item as CFDictionary, nil) == errSecDuplicateItem)
        for reference in [certificate, key] as [AnyObject] {
            #expect(find([kSecValueRef: reference]).status == errSecSuccess)
        }
        let stored =
            find([kSecValuePersistentRef: added as Any, kSecReturnRef: true]).result as! SecIdentity
        #expect(stored == identity)
        // One that has lost a part gets it back.
        #expect(SecItemDelete([kSecValueRef: key] as CFDictionary) == errSecSuccess)
        var gone: SecKey?
        #expect(SecIdentityCopyPrivateKey(stored, &gone) == errSecItemNotFound)
        #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
        let attributes = find(query([kSecReturnAttributes: true, kSecReturnData: true])).result
        let all = try #require(attributes as? [String: Any])
        // The attributes are those of both, the data is the certificate's.
        #expect(all[kSecAttrKeyType as String] as? Int == 73)
        #expect(all[kSecAttrCertificateType as String] as? Int == 3)
        #expect(
            all[kSecAttrPublicKeyHash as String] as? Data
                == all[kSecAttrApplicationLabel as String] as? Data)
        #expect(
            all[kSecValueData as String] as? Data == SecCertificateCopyData(certificate) as Data)
        #expect(find(query([kSecAttrKeyType: kSecAttrKeyTypeRSA])).status == errSecItemNotFound)
        #expect(find(query([kSecMatchSubjectContains: authority.name])).status == errSecSuccess)
        let data: [CFString: Any] = [kSecClass: kSecClassIdentity, kSecValueData: Data([1])]
        #expect(SecItemAdd(data as CFDictionary, nil) == errSecParam)
        let changes = [kSecAttrLabel: "another"] as CFDictionary
        #expect(SecItemUpdate(query() as CFDictionary, changes) == errSecUnimplemented)
        #expect(SecItemDelete([kSecValueRef: identity] as CFDictionary) == errSecSuccess)
        #expect(find(query()).status == errSecItemNotFound)
    }

    @Test func signsWithTheKeyOfTheKeychain() throws {
        let identity = try authority.identity()
        #expect(SecItemAdd([kSecValueRef: identity] as CFDictionary, nil) == errSecSuccess)
        let stored = find([kSecValueRef: identity, kSecReturnRef: true]).result as! SecIdentity
        let (certificate, key) = try parts(stored)
        let message = Data("a message".utf8)
        let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
        var error: Unmanaged<CFError>?
        let signature = try #require(
            SecKeyCreateSignature(key, algorithm, message as CFData, &error))
        let publicKey = try #require(SecCertificateCopyKey(certificate))
        #expect(SecKeyVerifySignature(publicKey, algorithm, message as CFData, signature, nil))
        try authority.write(signature as Data, to: "signature")
        try authority.write(message, to: "message")
        try authority.run(["x509", "-in", "leaf.pem", "-noout", "-pubkey", "-out", "leaf.pub"])
        let printed = try authority.run([
            "dgst", "-sha256", "-verify", "leaf.pub", "-signature", "signature", "message",
        ])
        #expect(String(decoding: printed, as: UTF8.self) == "Verified OK\n")
        #expect(SecIdentityCreate(nil, certificate, key) == stored)
        let root = try authority.certificate("root")
        #expect(SecIdentityCreate(nil, root, key) == nil)
        #expect(SecItemDelete([kSecValueRef: stored] as CFDictionary) == errSecSuccess)
    }
}
