import Testing

@testable import LinuxSystem

@Suite("User account") struct UserAccountTests {
    private static let users = """
        root:x:0:0:root:/root:/bin/bash
        # a comment
        +nis::::::
        ada:x:1000:1001:Ada,,,:/home/ada:/bin/sh
        adam:x:1002:1002::/home/adam:/bin/sh
        short:x:1003:1003
        unchanged:x:4294967295:1000::/home/unchanged:/bin/sh
        group:x:1004:4294967295::/home/group:/bin/sh
        negative:x:-1:1000::/home/negative:/bin/sh
        sign:x:+5:1000::/home/sign:/bin/sh
        empty:x::1000::/home/empty:/bin/sh
        large:x:4294967296:1000::/home/large:/bin/sh
        relative:x:1005:1005::home:/bin/sh
        homeless:x:1006:1006:::/bin/sh
        ada:x:0:0:a second one:/root:/bin/sh
        last:x:1007:1007::/home/last:/bin/sh
        """
    private static let groups = """
        root:x:0:
        ada:x:1001:
        disk:x:6:adam,ada
        audio:x:29:ada
        twice:x:29:ada
        own:x:1001:ada
        like:x:30:adam,nada,ada2
        bad:x:-1:ada
        none:x:4294967295:ada
        short:x:31
        """

    private func account(_ name: String) -> UserAccount? {
        UserAccount(
            named: name, users: Array(UserAccountTests.users.utf8),
            groups: Array(UserAccountTests.groups.utf8))
    }

    @Test func theFirstLineOfANameCounts() {
        #expect(
            account("ada")?.identity
                == UserIdentity(user: 1000, group: 1001, groups: [1001, 6, 29]))
        #expect(account("ada")?.home == "/home/ada")
        #expect(account("root")?.identity == UserIdentity(user: 0, group: 0, groups: [0]))
        #expect(account("last")?.home == "/home/last")
    }

    @Test(arguments: [
        "", "no-such-user", "ad", "Ada", "ada:x", "+nis", "+", "# a comment", "short", "unchanged",
        "group", "negative",
        "sign", "empty", "large", "relative", "homeless", "ada\nroot",
    ])
    func othersAreUnknown(_ name: String) {
        #expect(account(name) == nil)
    }

    @Test func withoutGroupsTheOwnOneRemains() {
        let account = UserAccount(
            named: "ada", users: Array(UserAccountTests.users.utf8), groups: [])
        #expect(account?.identity.groups == [1001])
    }

    @Test func aNumberHasTheNameOfItsFirstLine() {
        let users = Array((UserAccountTests.users + "\n:x:7:7::/:\n").utf8)
        #expect(UserAccount.name(of: 1000, users: users) == "ada")
        #expect(UserAccount.name(of: 0, users: users) == "root")
        #expect(UserAccount.name(of: 1007, users: users) == "last")
        for other: UInt32 in [1, 7, 1003, 5, .max] {
            #expect(UserAccount.name(of: other, users: users) == nil)
        }
    }

    @Test func thisMachineHasRoot() {
        #expect(UserAccount.find("root")?.identity.user == 0)
        #expect(UserAccount.find("no-such-user") == nil)
    }
}
