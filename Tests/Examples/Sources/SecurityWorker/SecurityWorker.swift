import Foundation
import Security

/// Adds, reads and changes items: its own, and some that other workers also add.
///
/// `SecurityWorker NAME COUNT` prints the statuses other than success. `SecurityWorker search-list FILE` prints what a
/// search of two keychains in the user's list finds, with an identity of a PKCS #12 file in both.
@main
struct SecurityWorker {
    static func main() {
        let name = CommandLine.arguments[1]
        guard name != "search-list" else {
            return SearchedList(file: CommandLine.arguments[2]).search()
        }
        let count = Int(CommandLine.arguments[2]) ?? 0
        for number in 0..<count {
            note(add(account: "\(name) \(number)"), "add")
            note(add(account: "shared \(number)"), "add shared")
            note(change(account: "\(name) \(number)"), "change")
            note(read(account: "shared \(number)"), "read shared")
        }
    }

    private static func note(_ status: OSStatus, _ work: String) {
        if status != errSecSuccess {
            print("\(work) \(status)")
        }
    }

    private static func query(_ account: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "workers",
            kSecAttrAccount as String: account,
        ]
    }

    private static func add(account: String) -> OSStatus {
        var item = query(account)
        item[kSecValueData as String] = Data("old".utf8)
        return SecItemAdd(item as CFDictionary, nil)
    }

    private static func change(account: String) -> OSStatus {
        let changes = [kSecValueData as String: Data("new \(account)".utf8)]
        return SecItemUpdate(query(account) as CFDictionary, changes as CFDictionary)
    }

    private static func read(account: String) -> OSStatus {
        var wanted = query(account)
        wanted[kSecReturnData as String] = true
        var found: CFTypeRef?
        let status = SecItemCopyMatching(wanted as CFDictionary, &found)
        return status == errSecSuccess && found as? Data == nil ? errSecDecode : status
    }
}
