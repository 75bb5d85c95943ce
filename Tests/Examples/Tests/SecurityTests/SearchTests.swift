import Foundation
import Security
import Testing

@Suite("results of SecItemCopyMatching")
struct SearchTests {
    @Test func oneByDefault() {
        let items = Items()
        #expect(items.add("first", "1") == errSecSuccess)
        #expect(items.add("second", "2") == errSecSuccess)
        let found = items.find([kSecReturnData: true])
        #expect(found.status == errSecSuccess)
        #expect(found.result as? Data == Data("1".utf8))
        #expect(
            items.find([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne]).result is NSData)
    }

    @Test func allIsAnArrayOldestFirst() {
        let items = Items()
        for account in ["c", "a", "b"] {
            #expect(items.add(account) == errSecSuccess)
        }
        let found = items.find([kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll])
        let accounts = (found.result as? [[String: Any]])?.map {
            $0[kSecAttrAccount as String] as? String
        }
        #expect(accounts == ["c", "a", "b"])
        let two = items.find([kSecReturnData: true, kSecMatchLimit: 2])
        #expect((two.result as? [Data])?.count == 2)
        let one = items.find([
            kSecAttrAccount: "a", kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll,
        ])
        #expect((one.result as? [Data])?.count == 1)
        #expect(items.find([kSecReturnData: true, kSecMatchLimit: 0]).status == errSecParam)
    }

    @Test func severalKindsAreADictionary() throws {
        let items = Items()
        #expect(
            items.add(
                "ada", "secret", [kSecAttrLabel: "a label", kSecAttrGeneric: Data([1, 2])])
                == errSecSuccess)
        let found = items.find([
            kSecReturnAttributes: kCFBooleanTrue as Any, kSecReturnData: true, kSecReturnRef: true,
            kSecReturnPersistentRef: true,
        ])
        let item = try #require(found.result as? [String: Any])
        #expect(item[kSecClass as String] as? String == kSecClassGenericPassword as String)
        #expect(item[kSecAttrAccount as String] as? String == "ada")
        #expect(item[kSecAttrLabel as String] as? String == "a label")
        #expect(item[kSecAttrGeneric as String] as? Data == Data([1, 2]))
        #expect(item[kSecValueData as String] as? Data == Data("secret".utf8))
        #expect(item[kSecAttrSynchronizable as String] as? Bool == false)
        #expect(
            item[kSecAttrAccessible as String] as? String == kSecAttrAccessibleWhenUnlocked
                as String)
        let created = try #require(item[kSecAttrCreationDate as String] as? Date)
        #expect(abs(created.timeIntervalSinceNow) < 60)
        #expect(item[kSecValueRef as String] is SecKeychainItem)
        #expect((item[kSecValuePersistentRef as String] as? Data)?.count == 20)
    }

    @Test func numbersAreLimits() throws {
        let items = Items()
        for account in ["a", "b", "c"] {
            #expect(items.add(account, account) == errSecSuccess)
        }
        func find(_ limit: Any) -> (status: OSStatus, result: AnyObject?) {
            items.find([kSecReturnData: true, kSecMatchLimit: limit])
        }
        // One is no array, whichever way it is said.
        #expect(find(1).result as? Data == Data("a".utf8))
        #expect((find(2).result as? [Data])?.count == 2)
        #expect((find(9).result as? [Data])?.count == 3)
        #expect(find(-1).status == errSecParam)
        #expect(find("several").status == errSecParam)
    }

    @Test func aFailureReturnsNothing() {
        let items = Items()
        for limit in [kSecMatchLimitOne, kSecMatchLimitAll] {
            let found = items.find([kSecReturnData: true, kSecMatchLimit: limit])
            #expect(found.status == errSecItemNotFound)
            #expect(found.result == nil)
        }
    }

    @Test func attributesHaveNoSecret() throws {
        let items = Items()
        #expect(items.add("ada", "secret") == errSecSuccess)
        let found = items.find([kSecReturnAttributes: true]).result as? [String: Any]
        let attributes = try #require(found)
        #expect(attributes[kSecValueData as String] == nil)
        #expect(attributes[kSecAttrModificationDate as String] is Date)
    }

    @Test func everyAttributeHasToMatch() {
        let items = Items()
        #expect(items.add("ada", "x", [kSecAttrLabel: "one"]) == errSecSuccess)
        #expect(items.find([kSecAttrAccount: "ada", kSecAttrLabel: "one"]).status == errSecSuccess)
        #expect(
            items.find([kSecAttrAccount: "ada", kSecAttrLabel: "two"]).status
                == errSecItemNotFound)
        #expect(items.find([kSecAttrComment: "none"]).status == errSecItemNotFound)
        #expect(items.find([kSecAttrIsInvisible: false]).status == errSecSuccess)
    }

    @Test func nothingToReturnIsAnExistenceTest() {
        let items = Items()
        #expect(items.find([:]).status == errSecItemNotFound)
        #expect(items.add("ada") == errSecSuccess)
        let found = items.find([kSecReturnData: false])
        #expect(found.status == errSecSuccess)
        #expect(found.result == nil)
    }

    @Test func references() throws {
        let items = Items()
        #expect(items.add("ada", "one") == errSecSuccess)
        let reference = try #require(items.find([kSecReturnPersistentRef: true]).result as? Data)
        func read(_ query: [CFString: Any]) -> OSStatus {
            var found: AnyObject?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            return status == errSecSuccess && found as? Data != Data("one".utf8)
                ? errSecDecode : status
        }
        #expect(read([kSecValuePersistentRef: reference, kSecReturnData: true]) == errSecSuccess)
        #expect(
            read([kSecValuePersistentRef: Data([1]), kSecReturnData: true]) == errSecParam)
        let item = try #require(items.find([kSecReturnRef: true]).result as? SecKeychainItem)
        #expect(read([kSecValueRef: item, kSecReturnData: true]) == errSecSuccess)
        #expect(read([kSecValueRef: NSObject(), kSecReturnData: true]) == errSecParam)
        #expect(SecItemDelete([kSecValuePersistentRef: reference] as CFDictionary) == errSecSuccess)
        #expect(
            read([kSecValuePersistentRef: reference, kSecReturnData: true]) == errSecItemNotFound)
    }

    @Test func caseCanBeIgnored() {
        let items = Items()
        #expect(items.add("Ada") == errSecSuccess)
        #expect(items.find([kSecAttrAccount: "ada"]).status == errSecItemNotFound)
        #expect(
            items.find([kSecAttrAccount: "ada", kSecMatchCaseInsensitive: true]).status
                == errSecSuccess)
    }

    @Test func marksAndWidthCanBeIgnored() {
        let items = Items()
        #expect(items.add("Zo\u{EB}") == errSecSuccess)
        let plain: [CFString: Any] = [kSecAttrAccount: "Zoe"]
        let wide: [CFString: Any] = [kSecAttrAccount: "\u{FF3A}o\u{EB}"]
        #expect(items.find(plain).status == errSecItemNotFound)
        #expect(items.find(wide).status == errSecItemNotFound)
        func find(_ query: [CFString: Any], _ option: CFString, _ value: Bool) -> OSStatus {
            items.find(query.merging([option: value]) { own, _ in own }).status
        }
        #expect(find(plain, kSecMatchDiacriticInsensitive, true) == errSecSuccess)
        #expect(find(plain, kSecMatchDiacriticInsensitive, false) == errSecItemNotFound)
        #expect(find(wide, kSecMatchWidthInsensitive, true) == errSecSuccess)
        #expect(find(wide, kSecMatchWidthInsensitive, false) == errSecItemNotFound)
    }

    @Test func aListOfItems() throws {
        let items = Items()
        for account in ["a", "b", "c"] {
            #expect(items.add(account, account) == errSecSuccess)
        }
        let found = items.find([kSecReturnRef: true, kSecMatchLimit: 2]).result
        let list = try #require(found as? [SecKeychainItem])
        func values(_ more: [CFString: Any]) -> [Data]? {
            var query = more
            query[kSecMatchItemList] = list
            query[kSecMatchLimit] = kSecMatchLimitAll
            query[kSecReturnData] = true
            return items.find(query).result as? [Data]
        }
        #expect(values([:]) == [Data("a".utf8), Data("b".utf8)])
        #expect(values([kSecAttrAccount: "b"]) == [Data("b".utf8)])
        #expect(values([kSecAttrAccount: "c"]) == nil)
        let references = items.find([kSecReturnPersistentRef: true, kSecMatchLimit: 2]).result
        let persistent = try #require(references as? [Data])
        let first: [CFString: Any] = [
            kSecMatchItemList: [persistent[0]], kSecReturnData: true,
        ]
        #expect(items.find(first).result as? Data == Data("a".utf8))
        #expect(items.find([kSecMatchItemList: [Any]()]).status == errSecItemNotFound)
        #expect(items.delete([kSecMatchItemList: list]) == errSecSuccess)
        #expect(items.find([kSecReturnData: true]).result as? Data == Data("c".utf8))
        #expect(items.find([kSecMatchItemList: ["a"]]).status == errSecParam)
        #expect(items.find([kSecMatchItemList: 1]).status == errSecParam)
        #expect(items.add("d", "d", [kSecMatchItemList: list]) == errSecParam)
    }

    @Test func synchronizable() {
        let items = Items()
        #expect(items.add("ada", "here") == errSecSuccess)
        #expect(items.add("ada", "elsewhere", [kSecAttrSynchronizable: true]) == errSecSuccess)
        #expect(items.find([kSecReturnData: true]).result as? Data == Data("here".utf8))
        #expect(
            items.find([kSecReturnData: true, kSecAttrSynchronizable: true]).result as? Data
                == Data("elsewhere".utf8))
        let both = items.find([
            kSecReturnData: true, kSecAttrSynchronizable: kSecAttrSynchronizableAny,
            kSecMatchLimit: kSecMatchLimitAll,
        ])
        #expect((both.result as? [Data])?.count == 2)
    }
}
