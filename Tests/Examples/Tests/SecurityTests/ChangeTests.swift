import Foundation
import Security
import Testing

@Suite("items added, changed and deleted")
struct ChangeTests {
    @Test func duplicates() {
        let items = Items()
        #expect(items.add("ada", "one") == errSecSuccess)
        #expect(items.add("ada", "two") == errSecDuplicateItem)
        #expect(items.find([kSecReturnData: true]).result as? Data == Data("one".utf8))
    }

    @Test func addReturns() {
        let items = Items()
        var item = items.query([
            kSecAttrAccount: "ada", kSecValueData: Data("x".utf8), kSecReturnData: true,
        ])
        var added: AnyObject?
        #expect(SecItemAdd(item as CFDictionary, &added) == errSecSuccess)
        #expect(added as? Data == Data("x".utf8))
        item[kSecAttrAccount as String] = "bob"
        item[kSecReturnAttributes as String] = true
        #expect(SecItemAdd(item as CFDictionary, &added) == errSecSuccess)
        let parts = added as? [String: Any]
        #expect(parts?[kSecAttrAccount as String] as? String == "bob")
        #expect(parts?[kSecValueData as String] as? Data == Data("x".utf8))
    }

    @Test func updates() {
        let items = Items()
        #expect(items.update([:], [kSecValueData: Data()]) == errSecItemNotFound)
        #expect(items.add("ada") == errSecSuccess)
        #expect(items.add("bob") == errSecSuccess)
        let changes: [CFString: Any] = [
            kSecValueData: Data("new".utf8), kSecAttrComment: "changed",
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
        ]
        #expect(items.update([:], changes) == errSecSuccess)
        let found = items.find([
            kSecAttrComment: "changed", kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll,
        ])
        #expect(found.result as? [Data] == [Data("new".utf8), Data("new".utf8)])
        #expect(
            items.update([kSecAttrAccount: "bob"], [kSecAttrAccount: "ada"]) == errSecDuplicateItem)
        #expect(items.update([:], [kSecClass: kSecClassInternetPassword]) == errSecParam)
        #expect(items.update([kSecMatchLimit: 1], changes) == errSecParam)
    }

    @Test func additionsAreBare() throws {
        let items = Items()
        #expect(items.add("ada", "x", [kSecMatchLimit: kSecMatchLimitOne]) == errSecParam)
        #expect(items.add("ada", "x", [kSecMatchCaseInsensitive: true]) == errSecParam)
        #expect(items.add("ada") == errSecSuccess)
        let reference = try #require(items.find([kSecReturnPersistentRef: true]).result as? Data)
        #expect(items.add("bob", "x", [kSecValuePersistentRef: reference]) == errSecParam)
    }

    @Test func theKeychainSetsTheDates() throws {
        let items = Items()
        let old = Date(timeIntervalSince1970: 1)
        let dates: [CFString: Any] = [kSecAttrCreationDate: old, kSecAttrModificationDate: old]
        #expect(items.add("ada", "x", dates) == errSecSuccess)
        #expect(items.find(dates).status == errSecItemNotFound)
        #expect(
            items.update([:], dates.merging([kSecAttrComment: "c"]) { own, _ in own })
                == errSecSuccess)
        let found = items.find([kSecReturnAttributes: true]).result as? [String: Any]
        for key in [kSecAttrCreationDate, kSecAttrModificationDate] {
            let date = try #require(found?[key as String] as? Date)
            #expect(abs(date.timeIntervalSinceNow) < 60)
            #expect(items.find([key: date]).status == errSecSuccess)
        }
    }

    @Test func updatesReturnAndMatchNothingMore() throws {
        let items = Items()
        #expect(items.add("ada") == errSecSuccess)
        #expect(items.update([:], [:]) == errSecParam)
        let changes = [kSecAttrComment: "c"]
        for key in [kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef] {
            #expect(items.update([key: true], changes) == errSecParam)
            #expect(items.update([key: false], changes) == errSecSuccess)
        }
        #expect(items.update([kSecMatchCaseInsensitive: true], changes) == errSecParam)
        #expect(items.delete([kSecMatchCaseInsensitive: true]) == errSecParam)
        let skip: [CFString: Any] = [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]
        #expect(items.update(skip, changes) == errSecParam)
        #expect(items.delete(skip) == errSecParam)
        #expect(items.add("bob", "x", skip) == errSecParam)
        let reference = try #require(items.find([kSecReturnPersistentRef: true]).result as? Data)
        let both: [CFString: Any] = [
            kSecValuePersistentRef: reference, kSecAttrAccount: "ada",
        ]
        #expect(items.update(both, changes) == errSecParam)
        #expect(items.delete(both) == errSecParam)
        let alone = [kSecValuePersistentRef: reference] as CFDictionary
        #expect(SecItemUpdate(alone, changes as CFDictionary) == errSecSuccess)
        #expect(items.find(changes).status == errSecSuccess)
    }

    @Test func deletes() {
        let items = Items()
        #expect(items.delete() == errSecItemNotFound)
        #expect(items.add("ada") == errSecSuccess)
        #expect(items.add("bob") == errSecSuccess)
        // Many programs delete with the dictionary of the item that they add next.
        #expect(
            items.delete([kSecAttrAccount: "ada", kSecValueData: Data("else".utf8)])
                == errSecSuccess)
        #expect(items.delete([kSecMatchLimit: kSecMatchLimitAll]) == errSecSuccess)
        #expect(items.find([:]).status == errSecItemNotFound)
    }

    @Test func attributesOfServers() throws {
        let login: [String: Any] = [
            kSecClass as String: kSecClassInternetPassword,
            kSecAttrServer as String: "attributes.example.org",
            kSecAttrPort as String: 8443,
            kSecAttrPath as String: "/a",
            kSecAttrAccount as String: "ada",
            kSecAttrSecurityDomain as String: "realm",
            kSecAttrProtocol as String: kSecAttrProtocolHTTPS,
            kSecAttrAuthenticationType as String: kSecAttrAuthenticationTypeHTTPDigest,
            kSecAttrCreator as String: 0x6C61_6E79,
            kSecAttrIsInvisible as String: true,
            kSecValueData as String: Data("x".utf8),
        ]
        SecItemDelete(login as CFDictionary)
        var wanted = login
        wanted[kSecReturnAttributes as String] = true
        var found: AnyObject?
        #expect(SecItemAdd(wanted as CFDictionary, &found) == errSecSuccess)
        let parts = try #require(found as? [String: Any])
        #expect(parts[kSecAttrPort as String] as? Int == 8443)
        #expect(parts[kSecAttrPath as String] as? String == "/a")
        #expect(parts[kSecAttrProtocol as String] as? String == kSecAttrProtocolHTTPS as String)
        #expect(
            parts[kSecAttrAuthenticationType as String] as? String
                == kSecAttrAuthenticationTypeHTTPDigest as String)
        #expect(parts[kSecAttrCreator as String] as? Int == 0x6C61_6E79)
        #expect(parts[kSecAttrIsInvisible as String] as? Bool == true)
        wanted[kSecAttrPort as String] = 70_000
        #expect(SecItemCopyMatching(wanted as CFDictionary, nil) == errSecParam)
        #expect(SecItemDelete(login as CFDictionary) == errSecSuccess)
    }

    @Test func whatAnItemReturnsFindsItAgain() throws {
        let items = Items()
        #expect(items.add("ada", "one", [kSecAttrComment: "c"]) == errSecSuccess)
        let found = items.find([kSecReturnAttributes: true]).result
        let attributes = try #require(found as? [String: Any])
        let changes = [kSecValueData as String: Data("two".utf8)]
        #expect(SecItemUpdate(attributes as CFDictionary, changes as CFDictionary) == errSecSuccess)
        #expect(items.find([kSecReturnData: true]).result as? Data == Data("two".utf8))
    }
}
