import KeychainServices
import Testing

@testable import SealedStore

/// How many items there are of each group and accessibility.
@Suite("Tallies", .serialized) struct ItemTallyTests {
    private static func fill(_ scratch: ScratchKeychain) throws {
        let keychain = try scratch.open()
        func add(_ group: ByteString, _ count: Int, _ accessible: Accessibility) throws {
            for number in 0..<count {
                for itemClass in [ItemClass.internetPassword, .genericPassword] {
                    let name = ByteString("\(group)-\(accessible.code)-\(number)")
                    var attributes =
                        itemClass == .internetPassword
                        ? internetPassword(name) : genericPassword(name, account: "ada")
                    attributes.accessGroup = group
                    attributes.accessible = accessible
                    try keychain.add(itemClass, attributes, secret: Secret("s"))
                }
            }
        }
        try add("git", 3, .whenUnlocked)
        try add("git", 1, .afterFirstUnlock)
        try add("docker", 1, .always)
        try add("b", 1, .alwaysThisDeviceOnly)
        try add("漢\n", 1, .whenUnlockedThisDeviceOnly)
    }

    private static let groups = [
        ItemTally.Group(name: "git", items: 8), .init(name: "b", items: 2),
        .init(name: "docker", items: 2), .init(name: "漢\n", items: 2),
    ]

    @Test func ofAnEmptyKeychain() throws {
        let scratch = try ScratchKeychain()
        let tally = try #require(try scratch.openStore().tally())
        #expect(
            tally
                == ItemTally(
                    items: 0, groups: [], itemsOfOtherGroups: 0, accessibilities: [:],
                    isPortable: false, isFirstUnlocked: true))
    }

    @Test func byGroupAndAccessibility() throws {
        let scratch = try ScratchKeychain()
        try ItemTallyTests.fill(scratch)
        let tally = try #require(try scratch.openStore().tally())
        #expect(tally.items == 14)
        #expect(tally.groups == ItemTallyTests.groups)
        #expect(tally.itemsOfOtherGroups == 0)
        #expect(
            tally.accessibilities == [
                .whenUnlocked: 6, .afterFirstUnlock: 2, .always: 2, .alwaysThisDeviceOnly: 2,
                .whenUnlockedThisDeviceOnly: 2,
            ])
        #expect(tally.items(.always, .alwaysThisDeviceOnly) == 4)
        #expect(tally.itemsOfThisDevice == 4)
        #expect(!tally.isPortable)
    }

    @Test func ofALockedKeychainWithoutAsking() throws {
        let scratch = try ScratchKeychain()
        try ItemTallyTests.fill(scratch)
        try scratch.setQuickPassphrase("pass")
        let provider = ScriptedProvider(given: "pass", answers: ["pass"])
        let store = try scratch.openStore(provider: provider)
        let tally = try #require(try store.tally())
        #expect(tally.groups == ItemTallyTests.groups)
        #expect(tally.isPortable)
        #expect(!tally.isFirstUnlocked)
        #expect(try store.lockState() == .locked)
        #expect(provider.questions.isEmpty)
    }

    @Test func ofOneThatCameFromAnotherMachine() throws {
        let scratch = try ScratchKeychain()
        try ItemTallyTests.fill(scratch)
        try scratch.setQuickPassphrase("pass")
        #expect(try scratch.moved().openStore().tally() == nil)
    }

    /// A damaged row keeps nothing else from being told.
    @Test func withAGroupThatCannotBeTold() throws {
        let scratch = try ScratchKeychain()
        try ItemTallyTests.fill(scratch)
        let database = try RawDatabase(scratch.location.file)
        try database.run(
            """
            UPDATE item SET attributes = zeroblob(200) WHERE access_group =
                (SELECT access_group FROM item ORDER BY change DESC LIMIT 1)
            """)
        let tally = try #require(try scratch.openStore().tally())
        #expect(tally.items == 14)
        #expect(tally.itemsOfOtherGroups == 1)
        #expect(tally.groups.reduce(0) { $0 + $1.items } == 13)
    }

    @Test func inSituationsOfTheKernelsKeyring() throws {
        guard KernelKey.isPermitted else {
            print("skipped: \(KernelKey.reason)")
            return
        }
        let scratch = try ScratchKeychain.locked()
        defer { scratch.lockAll() }
        try scratch.unlock()
        #expect(try scratch.openStore().tally()?.isFirstUnlocked == true)
        try scratch.openStore().lock()
        #expect(try scratch.openStore().tally()?.isFirstUnlocked == true)
        try scratch.openStore().lock(firstUnlock: true)
        #expect(try scratch.openStore().tally()?.isFirstUnlocked == false)
    }
}
