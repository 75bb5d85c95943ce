import Foundation
import Security

/// Passwords of a service of the test's own.
struct Items {
    let service: String

    init(_ service: String = #function) {
        self.service = service
        SecItemDelete(query([:]) as CFDictionary)
    }

    /// Returns the service's query with further keys.
    func query(_ more: [CFString: Any]) -> [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
        ]
        for (key, value) in more {
            query[key as String] = value
        }
        return query
    }

    func add(
        _ account: String, _ value: String = "value", _ more: [CFString: Any] = [:]
    ) -> OSStatus {
        var item = query(more)
        item[kSecAttrAccount as String] = account
        item[kSecValueData as String] = Data(value.utf8)
        return SecItemAdd(item as CFDictionary, nil)
    }

    func find(_ more: [CFString: Any]) -> (status: OSStatus, result: AnyObject?) {
        var result: AnyObject?
        let status = SecItemCopyMatching(query(more) as CFDictionary, &result)
        return (status, result)
    }

    func update(_ more: [CFString: Any], _ changes: [CFString: Any]) -> OSStatus {
        var named: [String: Any] = [:]
        for (key, value) in changes {
            named[key as String] = value
        }
        return SecItemUpdate(query(more) as CFDictionary, named as CFDictionary)
    }

    func delete(_ more: [CFString: Any] = [:]) -> OSStatus {
        SecItemDelete(query(more) as CFDictionary)
    }
}
