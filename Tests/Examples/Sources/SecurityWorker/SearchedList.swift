import Foundation
import Security

/// Two keychains in the user's search list. The second one has the older items.
struct SearchedList {
    private let file: Data
    private let keychains: [SecKeychain]
    private let service = "a service"

    init(file: String) {
        self.file = FileManager.default.contents(atPath: file) ?? Data()
        keychains = ["first", "second"].compactMap { name in
            var made: SecKeychain?
            SecKeychainCreate(name, 0, nil, false, nil, &made)
            return made
        }
        SecKeychainSetSearchList(keychains as CFArray)
        for (keychain, accounts) in zip(keychains, [["c", "d"], ["a", "b"]]).reversed() {
            for account in accounts {
                let item: [CFString: Any] = [
                    kSecClass: kSecClassGenericPassword, kSecAttrService: service,
                    kSecAttrAccount: account, kSecValueData: Data(account.utf8),
                    kSecUseKeychain: keychain,
                ]
                SecItemAdd(item as CFDictionary, nil)
            }
        }
    }

    func search() {
        print("the function finds", theFunctionFinds())
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecReturnData: true,
        ]
        print("one", texts(find(query)))
        for limit in [3 as Any, kSecMatchLimitAll] {
            print("several", texts(find(query.merging([kSecMatchLimit: limit]) { own, _ in own })))
        }
        deleteAnIdentity()
    }

    private func theFunctionFinds() -> String {
        var length: UInt32 = 0
        var data: UnsafeMutableRawPointer?
        SecKeychainFindGenericPassword(
            nil, UInt32(service.utf8.count), service, 0, nil, &length, &data, nil)
        defer { SecKeychainItemFreeContent(nil, data) }
        return data.map { String(decoding: Data(bytes: $0, count: Int(length)), as: UTF8.self) }
            ?? "nothing"
    }

    /// Deletes the identity of the first keychain by its reference, which the search of both found.
    private func deleteAnIdentity() {
        for keychain in keychains {
            var items: CFArray?
            let options: [CFString: Any] = [
                kSecImportExportPassphrase: "swordfish", kSecImportExportKeychain: keychain,
            ]
            SecPKCS12Import(file as CFData, options as CFDictionary, &items)
        }
        print("identities", keychains.map(identities))
        let query: [CFString: Any] = [kSecClass: kSecClassIdentity, kSecReturnRef: true]
        let found = find(query) as Any
        print("delete", SecItemDelete([kSecValueRef: found] as CFDictionary))
        print("identities", keychains.map(identities))
    }

    private func identities(_ keychain: SecKeychain) -> Int {
        let query: [CFString: Any] = [
            kSecClass: kSecClassIdentity, kSecMatchSearchList: [keychain], kSecReturnRef: true,
            kSecMatchLimit: kSecMatchLimitAll,
        ]
        return (find(query) as? [SecIdentity])?.count ?? 0
    }

    private func find(_ query: [CFString: Any]) -> AnyObject? {
        var found: AnyObject?
        SecItemCopyMatching(query as CFDictionary, &found)
        return found
    }

    private func texts(_ found: AnyObject?) -> String {
        let all = found as? [Data] ?? (found as? Data).map { [$0] } ?? []
        return all.map { String(decoding: $0, as: UTF8.self) }.joined()
    }
}
