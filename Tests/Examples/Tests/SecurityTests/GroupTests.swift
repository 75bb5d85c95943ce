import Foundation
import Security
import Testing

/// The program's groups, as the environment names them.
private let groups = (ProcessInfo.processInfo.environment["LANYARD_ACCESS_GROUP"] ?? "")
    .split(separator: ":").map(String.init)

@Suite(
    "several access groups",
    .enabled(if: groups.count > 1, "LANYARD_ACCESS_GROUP names no two groups"))
struct GroupTests {
    private func found(_ items: Items, _ more: [CFString: Any] = [:]) -> [String] {
        var query = more
        query[kSecReturnAttributes] = true
        query[kSecMatchLimit] = kSecMatchLimitAll
        let found = items.find(query).result as? [[String: Any]] ?? []
        return found.compactMap { $0[kSecAttrAccessGroup as String] as? String }
    }

    @Test func newItemsGetTheFirst() {
        let items = Items()
        #expect(items.add("ada") == errSecSuccess)
        #expect(found(items) == [groups[0]])
    }

    @Test func aGroupNarrowsASearch() {
        let items = Items()
        for group in groups {
            #expect(items.add("ada", group, [kSecAttrAccessGroup: group]) == errSecSuccess)
            #expect(
                items.add("ada", group, [kSecAttrAccessGroup: group]) == errSecDuplicateItem)
        }
        #expect(found(items) == groups)
        for group in groups {
            #expect(found(items, [kSecAttrAccessGroup: group]) == [group])
            let one = items.find([kSecAttrAccessGroup: group, kSecReturnData: true])
            #expect(one.result as? Data == Data(group.utf8))
        }
    }

    @Test func changesReachEveryGroupOrTheNamedOne() {
        let items = Items()
        for group in groups {
            #expect(items.add("ada", "x", [kSecAttrAccessGroup: group]) == errSecSuccess)
        }
        #expect(items.update([:], [kSecAttrComment: "c"]) == errSecSuccess)
        #expect(Set(found(items, [kSecAttrComment: "c"])) == Set(groups))
        #expect(items.delete([kSecAttrAccessGroup: groups[0]]) == errSecSuccess)
        #expect(found(items) == Array(groups[1...]))
        #expect(items.update([:], [kSecAttrAccessGroup: groups[0]]) == errSecSuccess)
        #expect(found(items) == [groups[0]])
        #expect(items.update([:], [kSecAttrAccessGroup: "git"]) == errSecMissingEntitlement)
        #expect(items.delete() == errSecSuccess)
        #expect(items.delete() == errSecItemNotFound)
    }

    @Test func otherGroupsAreMissing() {
        let items = Items()
        let other: [CFString: Any] = [kSecAttrAccessGroup: "\(groups[0]):\(groups[1])"]
        #expect(items.add("ada", "x", other) == errSecMissingEntitlement)
        #expect(items.find(other).status == errSecMissingEntitlement)
        #expect(items.update(other, [kSecAttrComment: "c"]) == errSecMissingEntitlement)
        #expect(items.delete(other) == errSecMissingEntitlement)
    }
}
