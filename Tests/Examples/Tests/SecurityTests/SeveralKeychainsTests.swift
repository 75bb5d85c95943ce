import Foundation
import Security
import Testing

/// Keychains of the test's own, which end with it.
final class TwoKeychains {
    let first: SecKeychain
    let second: SecKeychain

    init() throws {
        let number = UInt32.random(in: 0 ... .max)
        var made: SecKeychain?
        #expect(SecKeychainCreate("first-\(number)", 0, nil, false, nil, &made) == errSecSuccess)
        first = try #require(made)
        #expect(SecKeychainCreate("second-\(number)", 0, nil, false, nil, &made) == errSecSuccess)
        second = try #require(made)
    }

    deinit {
        SecKeychainDelete(first)
        SecKeychainDelete(second)
    }

    var list: [SecKeychain] { [first, second] }
}

@Suite("several keychains", .serialized)
struct SeveralKeychainsTests {
    private let keychains: TwoKeychains
    private let items = Items("several keychains")

    init() throws {
        keychains = try TwoKeychains()
    }

    private func values(_ list: [SecKeychain], _ more: [CFString: Any] = [:]) -> [String]? {
        var query = more
        query[kSecMatchSearchList] = list
        query[kSecMatchLimit] = query[kSecMatchLimit] ?? kSecMatchLimitAll
        query[kSecReturnData] = true
        return (items.find(query).result as? [Data])?.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func addsToTheOneThatIsUsed() {
        let (first, second) = (keychains.first, keychains.second)
        #expect(items.add("ada", "one", [kSecUseKeychain: first]) == errSecSuccess)
        #expect(items.add("ada", "again", [kSecUseKeychain: first]) == errSecDuplicateItem)
        #expect(items.add("ada", "two", [kSecUseKeychain: second]) == errSecSuccess)
        #expect(values([first]) == ["one"])
        #expect(values([second]) == ["two"])
        // Neither is in the search list of the user.
        #expect(items.find([:]).status == errSecItemNotFound)
        #expect(items.find([kSecUseKeychain: second]).status == errSecSuccess)
    }

    @Test func searchesInTheOrderOfTheList() {
        let (first, second) = (keychains.first, keychains.second)
        #expect(items.add("ada", "one", [kSecUseKeychain: first]) == errSecSuccess)
        #expect(items.add("bob", "two", [kSecUseKeychain: second]) == errSecSuccess)
        #expect(items.add("eve", "three", [kSecUseKeychain: first]) == errSecSuccess)
        #expect(values([first, second]) == ["one", "three", "two"])
        #expect(values([second, first]) == ["two", "one", "three"])
        #expect(values([second, first], [kSecMatchLimit: 2]) == ["two", "one"])
        let one = items.find([kSecMatchSearchList: [second, first], kSecReturnData: true])
        #expect(one.result as? Data == Data("two".utf8))
        let none = items.find([kSecMatchSearchList: [SecKeychain]()])
        #expect(none.status == errSecItemNotFound)
    }

    @Test func changesThoseOfTheList() {
        let (first, second) = (keychains.first, keychains.second)
        for keychain in keychains.list {
            #expect(items.add("ada", "old", [kSecUseKeychain: keychain]) == errSecSuccess)
            #expect(items.add("bob", "old", [kSecUseKeychain: keychain]) == errSecSuccess)
        }
        let new = [kSecValueData: Data("new".utf8)]
        let ada: [CFString: Any] = [kSecAttrAccount: "ada", kSecMatchSearchList: keychains.list]
        #expect(items.update(ada, new) == errSecSuccess)
        #expect(values(keychains.list, [kSecAttrAccount: "ada"]) == ["new", "new"])
        #expect(values(keychains.list, [kSecAttrAccount: "bob"]) == ["old", "old"])
        #expect(items.delete([kSecMatchSearchList: [second]]) == errSecSuccess)
        #expect(Set(values(keychains.list) ?? []) == ["new", "old"])
        #expect(items.delete([kSecMatchSearchList: [second]]) == errSecItemNotFound)
        #expect(items.delete([kSecMatchSearchList: keychains.list]) == errSecSuccess)
        #expect(values([first]) == nil)
    }

    @Test func referencesRememberTheKeychain() throws {
        #expect(items.add("ada", "one", [kSecUseKeychain: keychains.second]) == errSecSuccess)
        let found = items.find([
            kSecMatchSearchList: keychains.list, kSecReturnRef: true,
            kSecReturnPersistentRef: true,
        ])
        let parts = try #require(found.result as? [String: Any])
        let item = try #require(parts[kSecValueRef as String] as? SecKeychainItem)
        var data: AnyObject?
        let query: [CFString: Any] = [kSecValueRef: item, kSecReturnData: true]
        #expect(SecItemCopyMatching(query as CFDictionary, &data) == errSecSuccess)
        #expect(data as? Data == Data("one".utf8))
        #expect(
            items.find([kSecMatchItemList: [item], kSecReturnData: true]).result as? Data
                == Data("one".utf8))
        // A persistent one has no room for the keychain's name.
        let persistent: [CFString: Any] = [
            kSecValuePersistentRef: parts[kSecValuePersistentRef as String] as Any
        ]
        #expect(SecItemCopyMatching(persistent as CFDictionary, nil) == errSecItemNotFound)
        let listed = persistent.merging([kSecMatchSearchList: keychains.list]) { own, _ in own }
        #expect(SecItemCopyMatching(listed as CFDictionary, nil) == errSecSuccess)
        #expect(SecKeychainItemDelete(item) == errSecSuccess)
        #expect(values(keychains.list) == nil)
    }

    @Test func functionsSearchAList() {
        let service = items.service
        let length = UInt32(service.utf8.count)
        #expect(items.add("ada", "one", [kSecUseKeychain: keychains.second]) == errSecSuccess)
        func find(_ list: [SecKeychain]) -> OSStatus {
            SecKeychainFindGenericPassword(
                list as CFArray, length, service, 3, "ada", nil, nil, nil)
        }
        #expect(find(keychains.list) == errSecSuccess)
        #expect(find([keychains.first]) == errSecItemNotFound)
    }

    /// A process of its own, because the list is the user's.
    @Test(.enabled(if: worker != nil && Openssl.isInstalled, "no SECURITY_WORKER or no openssl"))
    func theUsersSearchList() throws {
        let authority = try Authority()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(worker))
        process.arguments = [
            "search-list", authority.folder.appendingPathComponent("leaf.p12").path,
        ]
        var environment = ProcessInfo.processInfo.environment
        environment["LANYARD_KEYCHAIN"] = nil
        environment["LANYARD_HOME"] = authority.folder.appendingPathComponent("home").path
        process.environment = environment
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                the function finds c
                one c
                several cda
                several cdab
                identities [1, 1]
                delete 0
                identities [0, 1]

                """)
    }

    @Test func refusals() {
        let (first, list) = (keychains.first, keychains.list)
        #expect(items.add("ada", "x", [kSecUseKeychain: list]) == errSecParam)
        #expect(items.add("ada", "x", [kSecMatchSearchList: list]) == errSecParam)
        #expect(items.add("ada", "x", [kSecUseKeychain: first]) == errSecSuccess)
        #expect(items.find([kSecMatchSearchList: ["a name"]]).status == errSecParam)
        #expect(
            items.update([kSecUseKeychain: first], [kSecUseKeychain: keychains.second])
                == errSecParam)
        var gone: SecKeychain?
        #expect(SecKeychainOpen("never-made", &gone) == errSecSuccess)
        #expect(items.find([kSecMatchSearchList: [gone as Any]]).status == errSecNoSuchKeychain)
        #expect(items.add("ada", "x", [kSecUseKeychain: gone as Any]) == errSecNoSuchKeychain)
    }
}
