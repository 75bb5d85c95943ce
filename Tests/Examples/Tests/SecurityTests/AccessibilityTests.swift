import Foundation
import Security
import Testing

@Suite("when secrets can be read")
struct AccessibilityTests {
    private let accessibilities: [CFString] = [
        kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleAfterFirstUnlock,
        kSecAttrAccessibleAlways, kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
        kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        kSecAttrAccessibleAlwaysThisDeviceOnly,
    ]

    private func accessible(_ items: Items) -> String? {
        let found = items.find([kSecReturnAttributes: true]).result as? [String: Any]
        return found?[kSecAttrAccessible as String] as? String
    }

    @Test func isStoredAndFound() {
        let items = Items()
        for value in accessibilities {
            #expect(
                items.add(value as String, "x", [kSecAttrAccessible: value]) == errSecSuccess)
        }
        for value in accessibilities {
            let found = items.find([kSecAttrAccessible: value, kSecReturnAttributes: true])
            let account = (found.result as? [String: Any])?[kSecAttrAccount as String] as? String
            #expect(account == value as String)
        }
    }

    @Test func isWhenUnlockedByDefault() {
        let items = Items()
        #expect(items.add("ada") == errSecSuccess)
        #expect(accessible(items) == kSecAttrAccessibleWhenUnlocked as String)
    }

    @Test func isChangedByAnUpdate() {
        let items = Items()
        #expect(items.add("ada") == errSecSuccess)
        for value in accessibilities {
            #expect(items.update([:], [kSecAttrAccessible: value]) == errSecSuccess)
            #expect(accessible(items) == value as String)
        }
    }

    @Test func thisDeviceOnlyIsNotSynchronizable() {
        let items = Items()
        for value in accessibilities[3...] {
            let item: [CFString: Any] = [kSecAttrAccessible: value, kSecAttrSynchronizable: true]
            #expect(items.add("ada", "x", item) == errSecParam)
        }
    }
}
