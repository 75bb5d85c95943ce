import Foundation
import Security
import Testing

@Suite("keys in a keychain")
struct KeyItemTests {
    private let tag = Data("org.example.\(UInt64.random(in: 0 ... .max))".utf8)
    private let message = Data("a message".utf8) as CFData

    private func query(_ more: [CFString: Any] = [:]) -> [CFString: Any] {
        more.merging([kSecClass: kSecClassKey, kSecAttrApplicationTag: tag]) { own, _ in own }
    }

    private func generate(_ more: [CFString: Any]) throws -> SecKey {
        let parameters: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256,
        ]
        var error: Unmanaged<CFError>?
        let all = parameters.merging(more) { own, _ in own } as CFDictionary
        guard let key = SecKeyCreateRandomKey(all, &error) else {
            throw error!.takeRetainedValue() as Error
        }
        return key
    }

    private func signs(_ key: SecKey) -> OSStatus {
        var error: Unmanaged<CFError>?
        let signature = SecKeyCreateSignature(
            key, .ecdsaSignatureMessageX962SHA256, message, &error)
        guard let signature, let publicKey = SecKeyCopyPublicKey(key) else {
            return error.map { OSStatus(CFErrorGetCode($0.takeRetainedValue())) } ?? errSecSuccess
        }
        return SecKeyVerifySignature(
            publicKey, .ecdsaSignatureMessageX962SHA256, message, signature, nil)
            ? errSecSuccess : errSecVerifyFailed
    }

    @Test func permanentPrivateKey() throws {
        let key = try generate([
            kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag]
        ])
        #expect(signs(key) == errSecSuccess)
        let found =
            find(
                query([kSecAttrKeyType: kSecAttrKeyTypeEC, kSecReturnRef: true])
            ).result as! SecKey
        #expect(found == key)
        #expect(signs(found) == errSecSuccess)
        // Only the private key is stored.
        #expect(
            find(query([kSecAttrKeyClass: kSecAttrKeyClassPublic])).status == errSecItemNotFound)
        #expect(SecItemDelete(query() as CFDictionary) == errSecSuccess)
        // It was never in memory.
        #expect(signs(found) == errSecItemNotFound)
        #expect(signs(key) == errSecItemNotFound)
    }

    @Test func permanentPair() throws {
        _ = try generate([kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag])
        for keyClass in [kSecAttrKeyClassPrivate, kSecAttrKeyClassPublic] {
            let found = find(query([kSecAttrKeyClass: keyClass, kSecReturnRef: true]))
            #expect(found.status == errSecSuccess)
            let attributes = SecKeyCopyAttributes(found.result as! SecKey) as? [String: Any]
            #expect(attributes?[kSecAttrKeyClass as String] as? String == keyClass as String)
            #expect(attributes?[kSecAttrIsPermanent as String] as? Bool == true)
        }
        let all = find(query([kSecMatchLimit: kSecMatchLimitAll, kSecReturnRef: true])).result
        #expect((all as? [SecKey])?.count == 2)
        var keys: (SecKey?, SecKey?) = (nil, nil)
        let parameters: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256,
        ]
        #expect(
            SecKeyGeneratePair(parameters as CFDictionary, &keys.0, &keys.1) == errSecSuccess)
        #expect(SecKeyCopyPublicKey(try #require(keys.1)) == keys.0)
        #expect(SecItemDelete(query() as CFDictionary) == errSecSuccess)
        #expect(find(query()).status == errSecItemNotFound)
    }

    @Test func isFoundByWhatItWasMadeWith() throws {
        for accessible in [nil, kSecAttrAccessibleAfterFirstUnlock] as [CFString?] {
            var common: [CFString: Any] = [kSecAttrApplicationTag: tag]
            common[kSecAttrAccessible] = accessible
            _ = try generate(common.merging([kSecAttrIsPermanent: true]) { own, _ in own })
            let all = query(common).merging([kSecMatchLimit: kSecMatchLimitAll]) { own, _ in own }
            let found = find(all.merging([kSecReturnAttributes: true]) { own, _ in own }).result
            #expect((found as? [[String: Any]])?.count == 2)
            #expect(SecItemDelete(query(common) as CFDictionary) == errSecSuccess)
        }
    }

    @Test func attributes() throws {
        let key = try generate([:])
        let label = try #require(SecKeyCopyAttributes(key) as? [CFString: Any])
        let hash = try #require(label[kSecAttrApplicationLabel] as? Data)
        var added: AnyObject?
        let item: [CFString: Any] = [
            kSecValueRef: key, kSecAttrApplicationTag: tag, kSecAttrLabel: "a key",
            kSecReturnAttributes: true,
        ]
        #expect(SecItemAdd(item as CFDictionary, &added) == errSecSuccess)
        #expect(SecItemAdd(item as CFDictionary, nil) == errSecDuplicateItem)
        let attributes = try #require(added as? [String: Any])
        // A key's type and a password's type are one constant.
        #expect(attributes[kSecAttrKeyType as String] as? Int == 73)
        #expect(attributes[kSecAttrKeyClass as String] as? Int == 1)
        #expect(attributes[kSecAttrKeySizeInBits as String] as? Int == 256)
        #expect(attributes[kSecAttrEffectiveKeySize as String] as? Int == 256)
        #expect(attributes[kSecAttrApplicationLabel as String] as? Data == hash)
        #expect(attributes[kSecAttrApplicationTag as String] as? Data == tag)
        #expect(attributes[kSecAttrLabel as String] as? String == "a key")
        for flag in [kSecAttrCanSign, kSecAttrCanDerive, kSecAttrIsPermanent] {
            #expect(attributes[flag as String] as? Bool == true)
        }
        for flag in [kSecAttrCanVerify, kSecAttrCanEncrypt, kSecAttrCanDecrypt, kSecAttrCanWrap] {
            #expect(attributes[flag as String] as? Bool == false)
        }
        for (name, value) in [
            (kSecAttrKeyType, kSecAttrKeyTypeEC), (kSecAttrKeyType, 73),
            (kSecAttrKeyClass, kSecAttrKeyClassPrivate), (kSecAttrKeyClass, 1),
            (kSecAttrApplicationLabel, hash), (kSecAttrCanSign, true),
            (kSecAttrIsExtractable, true),
        ] as [(CFString, Any)] {
            #expect(find(query([name: value])).status == errSecSuccess)
        }
        #expect(
            find(query([kSecAttrKeyType: kSecAttrKeyTypeRSA])).status == errSecItemNotFound)
        #expect(find(query([kSecAttrKeyType: "RSA"])).status == errSecParam)
        #expect(find(query([kSecAttrService: "a"])).status == errSecNoSuchAttr)
        #expect(find(query([kSecAttrIsExtractable: false])).status == errSecUnimplemented)
        let changes = [kSecAttrLabel: "another", kSecAttrCanDerive: false] as CFDictionary
        #expect(SecItemUpdate(query() as CFDictionary, changes) == errSecSuccess)
        #expect(find(query([kSecAttrLabel: "another"])).status == errSecSuccess)
        #expect(SecItemDelete([kSecValueRef: key] as CFDictionary) == errSecSuccess)
        #expect(find(query()).status == errSecItemNotFound)
    }

    @Test func dataAndReferences() throws {
        let key = try generate([:])
        let data = try #require(SecKeyCopyExternalRepresentation(key, nil)) as Data
        let item = query([
            kSecValueData: data, kSecAttrKeyType: kSecAttrKeyTypeEC,
            kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecReturnPersistentRef: true,
        ])
        var added: AnyObject?
        #expect(SecItemAdd(item as CFDictionary, &added) == errSecSuccess)
        let reference = try #require(added as? Data)
        #expect(reference.prefix(4) == Data("keys".utf8))
        #expect(
            find([kSecValuePersistentRef: reference, kSecReturnData: true]).result as? Data == data)
        let stored =
            find([kSecValuePersistentRef: reference, kSecReturnRef: true]).result as! SecKey
        #expect(CFGetTypeID(stored) == SecKeyGetTypeID())
        #expect(stored == key && signs(stored) == errSecSuccess)
        #expect(find([kSecValueRef: key, kSecReturnData: true]).result as? Data == data)
        #expect(find([kSecMatchItemList: [stored], kSecReturnRef: true]).result as! SecKey == key)
        #expect(find([kSecMatchItemList: [key], kSecReturnRef: true]).result as! SecKey == key)
        // A copy in another group; the stored key is read for it.
        let copy: [CFString: Any] = [kSecValueRef: stored, kSecAttrAccessGroup: "company"]
        #expect(SecItemAdd(copy as CFDictionary, nil) == errSecSuccess)
        #expect(SecItemDelete(query() as CFDictionary) == errSecSuccess)
        #expect(find([kSecValuePersistentRef: reference]).status == errSecItemNotFound)
    }

    @Test func symmetricKeys() throws {
        let bytes = Data((0..<32).map { _ in UInt8.random(in: 0...255) })
        let item = query([
            kSecValueData: bytes, kSecAttrKeyClass: kSecAttrKeyClassSymmetric,
            kSecAttrKeyType: kSecAttrKeyTypeAES, kSecAttrApplicationLabel: "a name",
            kSecAttrKeySizeInBits: 256,
        ])
        #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
        // The name can be text or data.
        for name in ["a name", Data("a name".utf8)] as [Any] {
            let search = query([kSecAttrApplicationLabel: name, kSecReturnData: true])
            #expect(find(search).result as? Data == bytes)
        }
        let key = find(query([kSecReturnRef: true])).result as! SecKey
        #expect(SecKeyCopyPublicKey(key) == nil)
        #expect(!SecKeyIsAlgorithmSupported(key, .encrypt, .rsaEncryptionPKCS1))
        #expect(SecKeyCopyExternalRepresentation(key, nil) as Data? == bytes)
        #expect(signs(key) == errSecParam)
        #expect(key == find(query([kSecReturnRef: true])).result as! SecKey)
        #expect(SecItemDelete(query() as CFDictionary) == errSecSuccess)
    }

    @Test func symmetricKeysWithoutLabels() throws {
        for label in ["one", "two"] {
            let item = query([
                kSecValueData: Data(label.utf8), kSecAttrKeyClass: kSecAttrKeyClassSymmetric,
                kSecAttrKeyType: kSecAttrKeyTypeAES,
                kSecAttrKeySizeInBits: label == "one" ? 128 : 256,
                kSecAttrLabel: label,
            ])
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
        }
        func key(_ label: String) -> SecKey {
            find(query([kSecReturnRef: true, kSecAttrLabel: label])).result as! SecKey
        }
        #expect(key("one") == key("one") && key("one").hash == key("one").hash)
        #expect(key("one") != key("two"))
        #expect(SecItemDelete(query() as CFDictionary) == errSecSuccess)
    }

    @Test func identityOfAnItem() throws {
        let key = try generate([:])
        let item = query([kSecValueRef: key])
        #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
        let other = Data("another tag".utf8) + tag
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        let others: [[CFString: Any]] = [
            [kSecAttrApplicationTag: other], [kSecAttrSynchronizable: true],
            [kSecAttrAccessGroup: "company"], [kSecValueRef: publicKey],
        ]
        for each in others {
            let next = item.merging(each) { _, own in own }
            #expect(SecItemAdd(next as CFDictionary, nil) == errSecSuccess)
            #expect(SecItemAdd(next as CFDictionary, nil) == errSecDuplicateItem)
        }
        let labelled = item.merging([kSecAttrLabel: "a label"]) { own, _ in own }
        #expect(SecItemAdd(labelled as CFDictionary, nil) == errSecDuplicateItem)
        for reference in [key, publicKey] {
            #expect(SecItemDelete([kSecValueRef: reference] as CFDictionary) == errSecSuccess)
            #expect(find([kSecValueRef: reference]).status == errSecItemNotFound)
        }
    }

    @Test func accessControl() throws {
        let control = try #require(
            SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlocked, [.privateKeyUsage], nil))
        let plain = try generate([
            kSecPrivateKeyAttrs: [
                kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag,
                kSecAttrAccessControl: control,
            ]
        ])
        #expect(signs(plain) == errSecSuccess)
        #expect(SecItemDelete(query() as CFDictionary) == errSecSuccess)
        // A password of the program, at each use of the key.
        let asking = try #require(
            SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlocked, .applicationPassword, nil))
        let context = LAContext()
        #expect(context.setCredential(Data("swordfish".utf8), type: .applicationPassword))
        let key = try generate([
            kSecPrivateKeyAttrs: [
                kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag,
                kSecAttrAccessControl: asking, kSecUseAuthenticationContext: context,
            ] as [CFString: Any]
        ])
        #expect(signs(key) == errSecSuccess)
        let without = find(query([kSecReturnRef: true])).result as! SecKey
        #expect(signs(without) == errSecAuthFailed)
        let with =
            find(
                query([kSecReturnRef: true, kSecUseAuthenticationContext: context])
            ).result as! SecKey
        #expect(signs(with) == errSecSuccess)
        #expect(SecItemDelete(query() as CFDictionary) == errSecSuccess)
    }
}
