import Foundation
import Security
import Testing

@Suite("texts given as data")
struct DataAttributeTests {
    private func attributes(_ items: Items) throws -> [String: Any] {
        try #require(items.find([kSecReturnAttributes: true]).result as? [String: Any])
    }

    @Test func comeBackAsTheyWereGiven() throws {
        let items = Items()
        let data = Data("ada".utf8)
        var item = items.query([kSecAttrAccount: data, kSecAttrLabel: "a label"])
        item[kSecAttrComment as String] = data
        #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
        let found = try attributes(items)
        #expect(found[kSecAttrAccount as String] as? Data == data)
        #expect(found[kSecAttrComment as String] as? Data == data)
        #expect(found[kSecAttrLabel as String] as? String == "a label")
        #expect(found[kSecAttrService as String] as? String == items.service)
        // Groups are always text.
        #expect(found[kSecAttrAccessGroup as String] is String)
    }

    @Test func sameBytesAreOneItem() throws {
        let items = Items()
        let data = Data("ada".utf8)
        #expect(
            SecItemAdd(items.query([kSecAttrAccount: data]) as CFDictionary, nil) == errSecSuccess)
        #expect(items.add("ada") == errSecDuplicateItem)
        #expect(items.find([kSecAttrAccount: "ada"]).status == errSecSuccess)
        #expect(items.find([kSecAttrAccount: data]).status == errSecSuccess)
        #expect(items.update([kSecAttrAccount: "ada"], [kSecAttrAccount: "ada"]) == errSecSuccess)
        #expect(try attributes(items)[kSecAttrAccount as String] as? String == "ada")
        #expect(items.update([:], [kSecAttrAccount: data]) == errSecSuccess)
        #expect(try attributes(items)[kSecAttrAccount as String] as? Data == data)
    }

    @Test func whatIsNoTextIsData() throws {
        let items = Items()
        let data = Data([0xFF, 0xFE])
        #expect(
            SecItemAdd(items.query([kSecAttrAccount: data]) as CFDictionary, nil) == errSecSuccess)
        #expect(try attributes(items)[kSecAttrAccount as String] as? Data == data)
    }
}
