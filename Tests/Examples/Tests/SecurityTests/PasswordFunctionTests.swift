import Foundation
import struct KeychainServices.Keychain
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

    @Test func dates() throws {
        let items = Items("dates of functions")
        #expect(add(items.service, "ada", "x").0 == errSecSuccess)
        let item = try #require(find(items.service).2)
        let attributes = items.find([kSecReturnAttributes: true]).result as? [String: Any]
        let created = try #require(attributes?[kSecAttrCreationDate as String] as? Date)
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "yyyyMMddHHmmss'Z'"
        for tag in [SecItemAttr.creationDateItemAttr, .modDateItemAttr] {
            var attribute = SecKeychainAttribute(tag: tag.rawValue, length: 0, data: nil)
            try withUnsafeMutablePointer(to: &attribute) { attribute in
                var list = SecKeychainAttributeList(count: 1, attr: attribute)
                #expect(SecKeychainItemCopyContent(item, nil, &list, nil, nil) == errSecSuccess)
                let data = try #require(attribute.pointee.data)
                let bytes = Data(bytes: data, count: Int(attribute.pointee.length))
                #expect(bytes == Data(format.string(from: created).utf8) + [0])
                #expect(SecKeychainItemFreeContent(&list, nil) == errSecSuccess)
            }
        }
        #expect(items.delete() == errSecSuccess)
    }

    @Test func references() throws {
        let items = Items("references of functions")
        #expect(add(items.service, "ada", "x").0 == errSecSuccess)
        #expect(add(items.service, "bob", "x").0 == errSecSuccess)
        let ada = try #require(find(items.service, "ada").2)
        let again = try #require(find(items.service, "ada").2)
        let bob = try #require(find(items.service, "bob").2)
        #expect(CFEqual(ada, again) && CFHash(ada) == CFHash(again) && !CFEqual(ada, bob))
        #expect([bob, ada].contains(again))
        var keychains: [SecKeychain] = []
        for name in ["equal", "equal.keychain", "other"] {
            var keychain: SecKeychain?
            #expect(SecKeychainOpen(name, &keychain) == errSecSuccess)
            keychains.append(try #require(keychain))
        }
        #expect(CFEqual(keychains[0], keychains[1]) && !CFEqual(keychains[0], keychains[2]))
        #expect(CFHash(keychains[0]) == CFHash(keychains[1]))
        #expect(!CFEqual(keychains[0], ada) && !CFEqual(ada, nil) && CFEqual(nil, nil))
        #expect(items.delete() == errSecSuccess)
    }

    @Test func userInteraction() {
        #expect(SecKeychainSetUserInteractionAllowed(false) == errSecSuccess)
        #expect(!Keychain.isUserInteractionAllowed)
        Keychain.isUserInteractionAllowed = true
        var mayAsk = false
        #expect(SecKeychainGetUserInteractionAllowed(&mayAsk) == errSecSuccess)
        #expect(mayAsk)
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

    @Test func searchList() throws {
        let keychains = try TwoKeychains()
        func paths(_ list: CFArray?) -> [String] {
            (list as? [SecKeychain] ?? []).map { keychain in
                var length: UInt32 = 1024
                var path = [CChar](repeating: 0, count: Int(length))
                #expect(SecKeychainGetPath(keychain, &length, &path) == errSecSuccess)
                return String(decoding: path.prefix(Int(length)).map(UInt8.init), as: UTF8.self)
            }
        }
        // The variable LANYARD_KEYCHAIN is in effect: the list is that one.
        var list: CFArray?
        #expect(SecKeychainCopySearchList(&list) == errSecSuccess)
        #expect(paths(list).map { $0.hasSuffix("/login.keychain") } == [true])
        #expect(SecKeychainSetSearchList(keychains.list as CFArray) == errSecSuccess)
        let home = try #require(ProcessInfo.processInfo.environment["LANYARD_HOME"])
        func configuration() throws -> String {
            try String(contentsOfFile: "\(home)/config/config", encoding: .utf8)
        }
        let names = paths(keychains.list as CFArray).map {
            $0.split(separator: "/").last?.dropLast(".keychain".count) ?? ""
        }
        #expect(try configuration().contains(names.joined(separator: " ")))
        #expect(SecKeychainSetSearchList([] as CFArray) == errSecSuccess)
        #expect(try !configuration().contains(names.joined(separator: " ")))
        #expect(SecKeychainSetSearchList(["login"] as CFArray) == errSecParam)
        var missing: SecKeychain?
        #expect(SecKeychainOpen("never-made", &missing) == errSecSuccess)
        #expect(SecKeychainSetSearchList([missing as Any] as CFArray) == errSecNoSuchKeychain)
    }

    @Test func versionAndDefault() {
        var version: UInt32 = 0
        #expect(SecKeychainGetVersion(&version) == errSecSuccess)
        #expect(version == 2)
        var keychain: SecKeychain?
        #expect(SecKeychainCopyDefault(&keychain) == errSecSuccess)
        #expect(SecKeychainSetDefault(keychain) == errSecSuccess)
        #expect(SecKeychainSetDefault(nil) == errSecParam)
        var missing: SecKeychain?
        #expect(SecKeychainOpen("never-made", &missing) == errSecSuccess)
        #expect(SecKeychainSetDefault(missing) == errSecNoSuchKeychain)
        #expect(SecKeychainDelete(nil) == errSecParam)
        var mayAsk = false
        #expect(SecKeychainGetUserInteractionAllowed(&mayAsk) == errSecSuccess)
        #expect(mayAsk)
    }

    @Test func labels() throws {
        let items = Items("labels of functions")
        #expect(add(items.service, "ada", "x").0 == errSecSuccess)
        let found = items.find([kSecReturnAttributes: true]).result as? [String: Any]
        #expect(found?[kSecAttrLabel as String] as? String == items.service)
        #expect(found?[kSecAttrAccount as String] as? String == "ada")
        // A missing name is any.
        #expect(find(items.service).1 == "x")
        let item = try #require(find(items.service, "ada").2)
        #expect(SecKeychainItemModifyContent(item, nil, 1, "y") == errSecSuccess)
        #expect(find(items.service).1 == "y")
    }

    @Test func itemsOfALockedKeychain() throws {
        let items = Items("locked items")
        let name = "locked-\(UInt32.random(in: 0 ... .max))"
        var made: SecKeychain?
        #expect(SecKeychainCreate(name, 11, "correct pwd", false, nil, &made) == errSecSuccess)
        let keychain = try #require(made)
        defer { SecKeychainDelete(keychain) }
        let unlocked = SecKeychainUnlock(keychain, 11, "correct pwd", true)
        guard unlocked != errSecNotAvailable else {
            print("SKIPPED: the kernel stores no keys here")
            return
        }
        let there: [CFString: Any] = [kSecUseKeychain: keychain]
        let always = there.merging([kSecAttrAccessible: kSecAttrAccessibleAlways]) { own, _ in own }
        #expect(items.add("ada", "locked", there) == errSecSuccess)
        #expect(items.add("bob", "always", always) == errSecSuccess)
        #expect(SecKeychainLock(keychain) == errSecSuccess)
        func find(_ more: [CFString: Any]) -> (status: OSStatus, result: AnyObject?) {
            items.find(there.merging(more) { own, _ in own })
        }
        let ui = kSecUseAuthenticationUI
        let data: [CFString: Any] = [
            ui: kSecUseAuthenticationUIFail, kSecAttrAccount: "ada", kSecReturnData: true,
        ]
        #expect(find(data).status == errSecInteractionNotAllowed)
        #expect(
            find([
                kSecUseNoAuthenticationUI: true, kSecAttrAccount: "ada", kSecReturnData: true,
            ]).status == errSecInteractionNotAllowed)
        // Attributes can be read, and so can what is always readable.
        #expect(find([kSecAttrAccount: "ada", kSecReturnAttributes: true]).status == errSecSuccess)
        #expect(
            find([kSecAttrAccount: "bob", kSecReturnData: true]).result as? Data
                == Data("always".utf8))
        let skipped = find([
            ui: kSecUseAuthenticationUISkip, kSecReturnData: true,
            kSecMatchLimit: kSecMatchLimitAll,
        ])
        #expect(skipped.result as? [Data] == [Data("always".utf8)])
        // What is skipped doesn't count, although it is older.
        let first = find([ui: kSecUseAuthenticationUISkip, kSecReturnData: true])
        #expect(first.result as? Data == Data("always".utf8))
        // The older key for the same gives way, in whatever order the dictionary has them.
        var both = data
        both[ui] = kSecUseAuthenticationUISkip
        both[kSecUseNoAuthenticationUI] = true
        for more in [
            kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef, kSecMatchCaseInsensitive,
            kSecMatchWidthInsensitive, kSecMatchDiacriticInsensitive,
        ] {
            both[more] = false
            #expect(find(both).status == errSecItemNotFound)
        }
        #expect(
            items.add(
                "eve", "x", there.merging([ui: kSecUseAuthenticationUIFail]) { own, _ in own })
                == errSecInteractionNotAllowed)
        #expect(SecKeychainUnlock(keychain, 11, "correct pwd", true) == errSecSuccess)
        #expect(find(data).result as? Data == Data("locked".utf8))
        #expect(SecKeychainLockAll() == errSecSuccess)
        #expect(find(data).status == errSecInteractionNotAllowed)
        // Deleting takes no key.
        #expect(items.delete(there) == errSecSuccess)
        #expect(find([:]).status == errSecItemNotFound)
    }

    @Test func settings() throws {
        let name = "settings-\(UInt32.random(in: 0 ... .max))"
        var made: SecKeychain?
        #expect(SecKeychainCreate(name, 0, nil, false, nil, &made) == errSecSuccess)
        let keychain = try #require(made)
        var settings = SecKeychainSettings(
            version: 0, lockOnSleep: true, useLockInterval: false, lockInterval: 0)
        #expect(SecKeychainCopySettings(keychain, &settings) == errSecSuccess)
        #expect(
            settings
                == SecKeychainSettings(
                    version: UInt32(SEC_KEYCHAIN_SETTINGS_VERS1), lockOnSleep: false,
                    useLockInterval: true, lockInterval: 28800))
        settings.lockOnSleep = true
        settings.lockInterval = UInt32(Int32.max)
        #expect(SecKeychainSetSettings(keychain, &settings) == errSecSuccess)
        settings.version = 0
        #expect(SecKeychainSetSettings(keychain, &settings) == errSecParam)
        #expect(SecKeychainCopySettings(keychain, &settings) == errSecSuccess)
        #expect(settings.lockOnSleep && !settings.useLockInterval)
        #expect(settings.lockInterval == UInt32(Int32.max))
        settings.lockInterval = 300
        #expect(SecKeychainSetSettings(keychain, &settings) == errSecSuccess)
        settings.lockInterval = 0
        #expect(SecKeychainSetSettings(keychain, &settings) == errSecParam)
        #expect(SecKeychainCopySettings(keychain, &settings) == errSecSuccess)
        #expect(settings.lockInterval == 300)
        #expect(SecKeychainDelete(keychain) == errSecSuccess)
        #expect(SecKeychainCopySettings(keychain, &settings) == errSecNoSuchKeychain)
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
