import Foundation
import Security
import Testing

@Suite("the SecKeychain functions", .serialized)
struct PasswordFunctionTests {
    private func add(
        _ service: String, _ account: String, _ password: String, to keychain: SecKeychain? = nil
    ) -> (OSStatus, SecKeychainItem?) {
        var item: SecKeychainItem?
        let status = SecKeychainAddGenericPassword(
            keychain, UInt32(service.utf8.count), service, UInt32(account.utf8.count), account,
            UInt32(password.utf8.count), password, &item)
        return (status, item)
    }

    private func find(
        _ service: String, _ account: String? = nil, in keychain: SecKeychain? = nil
    ) -> (OSStatus, String?, SecKeychainItem?) {
        var length: UInt32 = 0
        var data: UnsafeMutableRawPointer?
        var item: SecKeychainItem?
        let status = SecKeychainFindGenericPassword(
            keychain, UInt32(service.utf8.count), service, UInt32(account?.utf8.count ?? 0),
            account,
            &length, &data, &item)
        let text = data.map { String(decoding: Data(bytes: $0, count: Int(length)), as: UTF8.self) }
        #expect(SecKeychainItemFreeContent(nil, data) == errSecSuccess)
        return (status, text, item)
    }

    @Test func genericPasswords() throws {
        let service = "generic functions"
        if let old = find(service, "ada").2 {
            #expect(SecKeychainItemDelete(old) == errSecSuccess)
        }
        #expect(find(service).0 == errSecItemNotFound)
        #expect(add(service, "ada", "one").0 == errSecSuccess)
        #expect(add(service, "ada", "two").0 == errSecDuplicateItem)
        let (status, password, item) = find(service, "ada")
        #expect(status == errSecSuccess)
        #expect(password == "one")
        let found = try #require(item)

        let comment = "a comment"
        try comment.utf8CString.withUnsafeBufferPointer { bytes in
            var attribute = SecKeychainAttribute(
                tag: SecItemAttr.commentItemAttr.rawValue, length: UInt32(comment.utf8.count),
                data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
            try withUnsafeMutablePointer(to: &attribute) { attribute in
                var list = SecKeychainAttributeList(count: 1, attr: attribute)
                #expect(
                    SecKeychainItemModifyAttributesAndData(found, &list, 3, "two") == errSecSuccess)
                attribute.pointee.data = nil
                var itemClass = SecItemClass.internetPasswordItemClass
                #expect(
                    SecKeychainItemCopyContent(found, &itemClass, &list, nil, nil) == errSecSuccess)
                #expect(itemClass == .genericPasswordItemClass)
                let data = try #require(attribute.pointee.data)
                #expect(
                    Data(bytes: data, count: Int(attribute.pointee.length)) == Data(comment.utf8))
                #expect(SecKeychainItemFreeContent(&list, nil) == errSecSuccess)
            }
        }
        #expect(find(service).1 == "two")
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service,
        ]
        #expect(SecItemCopyMatching(query as CFDictionary, nil) == errSecSuccess)
        #expect(SecKeychainItemDelete(found) == errSecSuccess)
        #expect(SecKeychainItemDelete(found) == errSecItemNotFound)
    }

    @Test func internetPasswords() {
        func find(_ port: UInt16, _ protocol: SecProtocolType) -> OSStatus {
            SecKeychainFindInternetPassword(
                nil, 11, "functions.x", 0, nil, 0, nil, 0, nil, port, `protocol`, .any, nil, nil,
                nil)
        }
        SecItemDelete(
            [kSecClass: kSecClassInternetPassword, kSecAttrServer: "functions.x"] as CFDictionary)
        #expect(
            SecKeychainAddInternetPassword(
                nil, 11, "functions.x", 0, nil, 3, "ada", 2, "/a", 8443, .HTTPS, .httpBasic, 1, "x",
                nil) == errSecSuccess)
        #expect(find(0, .any) == errSecSuccess)
        #expect(find(8443, .HTTPS) == errSecSuccess)
        #expect(find(8443, .FTP) == errSecItemNotFound)
        #expect(find(1, .any) == errSecItemNotFound)
    }

    @Test func keychains() throws {
        let name = "functions-\(UInt32.random(in: 0 ... .max))"
        var made: SecKeychain?
        #expect(SecKeychainCreate(name, 0, nil, false, nil, &made) == errSecSuccess)
        let keychain = try #require(made)
        #expect(SecKeychainCreate(name, 0, nil, false, nil, nil) == errSecDuplicateKeychain)
        #expect(add("a service", "ada", "there", to: keychain).0 == errSecSuccess)
        var opened: SecKeychain?
        #expect(SecKeychainOpen("\(name).keychain", &opened) == errSecSuccess)
        #expect(find("a service", in: opened).1 == "there")
        var status: SecKeychainStatus = 0
        #expect(SecKeychainGetStatus(opened, &status) == errSecSuccess)
        #expect(status == kSecUnlockStateStatus | kSecReadPermStatus | kSecWritePermStatus)

        var length: UInt32 = 4096
        var path = [CChar](repeating: 1, count: 4096)
        #expect(SecKeychainGetPath(opened, &length, &path) == errSecSuccess)
        let file = path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        #expect(file.hasSuffix("/\(name).keychain") && file.utf8.count == Int(length))
        length = 3
        #expect(SecKeychainGetPath(opened, &length, &path) == errSecBufferTooSmall)
        #expect(length == file.utf8.count)
        #expect(SecKeychainOpen(file, &opened) == errSecSuccess)
        #expect(SecKeychainOpen("/nowhere/x.keychain", &opened) == errSecNoSuchKeychain)
        #expect(SecKeychainDelete(keychain) == errSecSuccess)
        #expect(find("a service", in: keychain).0 == errSecNoSuchKeychain)
    }

    @Test func passphrases() throws {
        let name = "locked-\(UInt32.random(in: 0 ... .max))"
        var made: SecKeychain?
        #expect(SecKeychainCreate(name, 11, "correct pwd", false, nil, &made) == errSecSuccess)
        let keychain = try #require(made)
        #expect(SecKeychainSetUserInteractionAllowed(false) == errSecSuccess)
        defer { SecKeychainSetUserInteractionAllowed(true) }
        let unlocked = SecKeychainUnlock(keychain, 11, "correct pwd", true)
        guard unlocked != errSecNotAvailable else {
            print("SKIPPED: the kernel stores no keys here")
            return
        }
        #expect(unlocked == errSecSuccess)
        #expect(add("a service", "ada", "there", to: keychain).0 == errSecSuccess)
        #expect(SecKeychainLock(keychain) == errSecSuccess)
        var status: SecKeychainStatus = 0
        #expect(SecKeychainGetStatus(keychain, &status) == errSecSuccess)
        #expect(status & kSecUnlockStateStatus == 0)
        #expect(find("a service", in: keychain).0 == errSecInteractionNotAllowed)
        #expect(SecKeychainUnlock(keychain, 5, "wrong", true) == errSecAuthFailed)
        #expect(SecKeychainUnlock(keychain, 11, "correct pwd", true) == errSecSuccess)
        #expect(find("a service", in: keychain).1 == "there")
        #expect(SecKeychainDelete(keychain) == errSecSuccess)
    }
}
