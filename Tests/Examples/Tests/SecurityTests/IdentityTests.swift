import Foundation
import Security
import Testing

@Suite("the identity of an item")
struct IdentityTests {
    private func add(_ item: [CFString: Any]) -> OSStatus {
        SecItemAdd(item as CFDictionary, nil)
    }

    /// Adds an item, the same with another value of each attribute, and again with the same value.
    private func expect(_ item: [CFString: Any], _ others: [CFString: Any], _ status: OSStatus) {
        for (key, value) in others {
            var other = item
            other[key] = value
            #expect(add(other) == status, "\(key)")
        }
        #expect(add(item) == errSecDuplicateItem)
    }

    private func deleteAll(_ query: [CFString: Any]) {
        let all = query.merging([kSecAttrSynchronizable: kSecAttrSynchronizableAny]) { own, _ in own
        }
        SecItemDelete(all as CFDictionary)
    }

    @Test func partsOfGenericPasswords() {
        let services = ["identity", "another identity"]
        for service in services {
            deleteAll([kSecClass: kSecClassGenericPassword, kSecAttrService: service])
        }
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: services[0],
            kSecAttrAccount: "ada", kSecValueData: Data("x".utf8),
        ]
        #expect(add(item) == errSecSuccess)
        let parts: [CFString: Any] = [
            kSecAttrService: services[1], kSecAttrAccount: "Ada", kSecAttrSynchronizable: true,
        ]
        expect(item, parts, errSecSuccess)
        expect(item, parts, errSecDuplicateItem)
        expect(item, otherAttributes, errSecDuplicateItem)
        expect(item, [kSecAttrGeneric: Data([1])], errSecDuplicateItem)
    }

    @Test func partsOfInternetPasswords() {
        for server in ["identity.example.org", "another.example.org"] {
            deleteAll([kSecClass: kSecClassInternetPassword, kSecAttrServer: server])
        }
        let item: [CFString: Any] = [
            kSecClass: kSecClassInternetPassword, kSecAttrServer: "identity.example.org",
            kSecAttrAccount: "ada", kSecValueData: Data("x".utf8),
        ]
        #expect(add(item) == errSecSuccess)
        let parts: [CFString: Any] = [
            kSecAttrServer: "another.example.org", kSecAttrAccount: "bob", kSecAttrPort: 8443,
            kSecAttrPath: "/a", kSecAttrSecurityDomain: "realm", kSecAttrSynchronizable: true,
            kSecAttrProtocol: kSecAttrProtocolHTTPS,
            kSecAttrAuthenticationType: kSecAttrAuthenticationTypeHTTPBasic,
        ]
        expect(item, parts, errSecSuccess)
        expect(item, parts, errSecDuplicateItem)
        expect(item, otherAttributes, errSecDuplicateItem)
        // A part that is missing is empty or 0.
        let empty: [CFString: Any] = [
            kSecAttrPort: 0, kSecAttrPath: "", kSecAttrSecurityDomain: "",
            kSecAttrSynchronizable: false,
        ]
        expect(item, empty, errSecDuplicateItem)
    }

    private let otherAttributes: [CFString: Any] = [
        kSecAttrLabel: "label", kSecAttrComment: "comment", kSecAttrDescription: "kind",
        kSecAttrCreator: 1, kSecAttrType: 2, kSecAttrIsInvisible: true, kSecAttrIsNegative: true,
        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
    ]
}
