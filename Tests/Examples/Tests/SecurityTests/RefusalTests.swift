import Foundation
import Security
import Testing

@Suite("requests that the SecItem functions refuse")
struct RefusalTests {
    @Test func unknownKeysAndValues() {
        let items = Items()
        #expect(items.add("ada", "x", ["nonsense": 1]) == errSecParam)
        #expect(items.find(["m_Nonsense": 1]).status == errSecParam)
        #expect(items.add("ada", "x", [kSecAttrAccessible: "zz"]) == errSecParam)
        #expect(items.add("ada", "x", [kSecAttrLabel: 5]) == errSecParam)
        #expect(items.find([kSecReturnData: "yes"]).status == errSecParam)
        let text = items.query([kSecAttrAccount: "ada", kSecValueData: "a text"])
        #expect(SecItemAdd(text as CFDictionary, nil) == errSecParam)
        #expect(SecItemCopyMatching([:] as CFDictionary, nil) == errSecParam)
        #expect(SecItemDelete([:] as CFDictionary) == errSecParam)
    }

    @Test func classes() {
        for itemClass in [kSecClassCertificate, kSecClassKey, kSecClassIdentity] {
            let query = [kSecClass: itemClass, kSecAttrLabel: "no such item"] as CFDictionary
            #expect(SecItemCopyMatching(query, nil) == errSecItemNotFound)
            #expect(SecItemDelete(query) == errSecItemNotFound)
            #expect(SecItemAdd(query, nil) == errSecParam)
            let password = [kSecClass: itemClass, kSecAttrService: "x"] as CFDictionary
            #expect(SecItemCopyMatching(password, nil) == errSecNoSuchAttr)
        }
        let share = [kSecClass: kSecClassAppleSharePassword] as CFDictionary
        #expect(SecItemCopyMatching(share, nil) == errSecItemNotFound)
        #expect(SecItemAdd(share, nil) == errSecUnimplemented)
        let unknown = [kSecClass: "none"] as CFDictionary
        #expect(SecItemCopyMatching(unknown, nil) == errSecNoSuchClass)
        let items = Items()
        #expect(items.add("ada", "x", [kSecAttrServer: "example.org"]) == errSecNoSuchAttr)
        #expect(items.add("ada", "x", [kSecAttrApplicationTag: Data()]) == errSecNoSuchAttr)
    }

    @Test func keysOfAMac() {
        let items = Items()
        #expect(items.add("ada", "x", [kSecUseDataProtectionKeychain: true]) == errSecSuccess)
        #expect(items.find([kSecUseDataProtectionKeychain: false]).status == errSecSuccess)
        #expect(items.find([kSecUseOperationPrompt: "for a test"]).status == errSecSuccess)
        for value in [
            kSecUseAuthenticationUIAllow, kSecUseAuthenticationUIFail, kSecUseAuthenticationUISkip,
        ] {
            let found = items.find([kSecUseAuthenticationUI: value, kSecReturnData: true])
            #expect(found.status == errSecSuccess)
            #expect(found.result as? Data == Data("x".utf8))
        }
        #expect(items.find([kSecUseAuthenticationContext: NSObject()]).status == errSecParam)
        #expect(items.find([kSecMatchIssuers: NSArray()]).status == errSecParam)
        #expect(items.find([kSecMatchSubjectContains: "a"]).status == errSecParam)
        #expect(items.find([kSecMatchTrustedOnly: true]).status == errSecParam)
        #expect(items.find([kSecMatchTrustedOnly: false]).status == errSecSuccess)
        #expect(items.find([kSecMatchPolicy: SecPolicyCreateBasicX509()]).status == errSecParam)
    }

    @Test func accessControls() {
        let items = Items()
        var error: Unmanaged<CFError>?
        let plain = SecAccessControlCreateWithFlags(
            kCFAllocatorDefault, kSecAttrAccessibleAfterFirstUnlock, [], &error)
        #expect(items.add("ada", "x", [kSecAttrAccessControl: plain as Any]) == errSecSuccess)
        #expect(
            items.find([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]).status
                == errSecSuccess)
        let refusals: [(SecAccessControlCreateFlags, OSStatus)] = [
            // The keychain has no passphrase.
            (SecAccessControlCreateFlags.userPresence, errSecAuthFailed),
            (SecAccessControlCreateFlags([.biometryAny, .or, .devicePasscode]), errSecAuthFailed),
            (SecAccessControlCreateFlags.biometryAny, errSecUnimplemented),
            (SecAccessControlCreateFlags.privateKeyUsage, errSecParam),
            (SecAccessControlCreateFlags([.userPresence, .devicePasscode]), errSecParam),
        ]
        let synchronizable = SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenUnlocked, .applicationPassword, nil)
        let travelling: [CFString: Any] = [
            kSecAttrAccessControl: synchronizable as Any, kSecAttrSynchronizable: true,
        ]
        #expect(items.add("bob", "x", travelling) == errSecParam)
        for (flags, status) in refusals {
            let control = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlocked, flags, &error)
            #expect(items.add("bob", "x", [kSecAttrAccessControl: control as Any]) == status)
        }
        #expect(error == nil)
        #expect(
            SecAccessControlCreateWithFlags(nil, "nonsense" as CFTypeRef, [], &error) == nil)
        #expect(error.map { CFErrorGetCode($0.takeRetainedValue()) } == Int(errSecParam))
        let unknown = SecAccessControlCreateFlags(rawValue: 1 << 33)
        #expect(
            SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, unknown, &error)
                == nil)
        #expect(error.map { CFErrorGetCode($0.takeRetainedValue()) } == Int(errSecParam))
    }

    @Test func unstoredAttributes() {
        let items = Items()
        for key in [kSecAttrSyncViewHint, kSecAttrAccess] {
            #expect(items.add("ada", "x", [key: "a value"]) == errSecUnimplemented)
            #expect(items.find([key: "a value"]).status == errSecUnimplemented)
        }
        #expect(items.add("ada", "x", [kSecAttrIsExtractable: true]) == errSecNoSuchAttr)
    }

    @Test func anApplicationPassword() {
        let items = Items()
        let control = SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenUnlocked, .applicationPassword, nil)
        let context = LAContext()
        let attributes: [CFString: Any] = [
            kSecAttrAccessControl: control as Any, kSecUseAuthenticationContext: context,
        ]
        #expect(items.add("ada", "x", attributes) == errSecAuthFailed)
        #expect(!context.setCredential(Data(), type: .applicationPassword))
        #expect(context.setCredential(Data("swordfish".utf8), type: .applicationPassword))
        #expect(items.add("ada", "x", attributes) == errSecSuccess)
        let query: [CFString: Any] = [
            kSecAttrAccount: "ada", kSecReturnData: true, kSecUseAuthenticationContext: context,
        ]
        #expect(items.find(query).result as? Data == Data("x".utf8))
        _ = context.setCredential(Data("sword".utf8), type: .applicationPassword)
        #expect(items.find(query).status == errSecAuthFailed)
        #expect(
            items.find([kSecAttrAccount: "ada", kSecReturnData: true]).status == errSecAuthFailed)
        #expect(items.find([kSecAttrAccount: "ada"]).status == errSecSuccess)
        // What is skipped doesn't count, although it is older.
        #expect(items.add("bob", "y") == errSecSuccess)
        let skipping: [CFString: Any] = [
            kSecReturnData: true, kSecUseAuthenticationUI: kSecUseAuthenticationUISkip,
        ]
        #expect(items.find(skipping).result as? Data == Data("y".utf8))

        #expect(context.setCredential(Data("swordfish".utf8), type: .applicationPassword))
        context.invalidate()
        #expect(!context.isCredentialSet(.applicationPassword))
        #expect(items.find(query).status == errSecAuthFailed)
    }

    @Test func otherProgramsGroups() {
        let items = Items()
        #expect(items.add("ada", "x", [kSecAttrAccessGroup: "git"]) == errSecMissingEntitlement)
        #expect(items.find([kSecAttrAccessGroup: "git"]).status == errSecMissingEntitlement)
        #expect(items.delete([kSecAttrAccessGroup: "git"]) == errSecMissingEntitlement)
    }

    @Test func thisDeviceWithoutPassphrase() {
        let items = Items()
        #expect(
            items.add(
                "ada", "x", [kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly])
                == errSecAuthFailed)
    }

    @Test func messagesAndRandomNumbers() {
        let text = SecCopyErrorMessageString(errSecItemNotFound, nil) as String?
        #expect(text == "Item not found.")
        #expect((SecCopyErrorMessageString(-12_345_678, nil) as String?)?.isEmpty == false)
        var bytes = [UInt8](repeating: 0, count: 64)
        #expect(SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes) == errSecSuccess)
        #expect(Set(bytes).count > 16)
        #expect(SecRandomCopyBytes(kSecRandomDefault, -1, &bytes) == errSecParam)
    }
}
