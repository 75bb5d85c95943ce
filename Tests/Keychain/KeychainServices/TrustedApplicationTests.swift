import Testing

@testable import KeychainServices

@Suite("Trusted applications") struct TrustedApplicationTests {
    private let git = TrustedApplication(path: "/usr/bin/git", owner: 0)!
    private let mine = TrustedApplication(path: "/home/ada/my program", owner: 1000)!

    @Test func areStoredAndFoundAgain() {
        var attributes = ItemAttributes()
        #expect(attributes.trustedApplications == nil)
        attributes.trustedApplications = [git, mine]
        #expect(attributes.trustedApplications == [git, mine])
        #expect(attributes.trust(git) && attributes.trust(mine))
        #expect(!attributes.trust(TrustedApplication(path: "/usr/bin/git", owner: 1000)))
        #expect(!attributes.trust(TrustedApplication(path: "/usr/bin/gi", owner: 0)))
        #expect(!attributes.trust(nil))
    }

    @Test func anEmptyListTrustsAll() {
        var attributes = ItemAttributes()
        #expect(attributes.trust(nil))
        attributes.trustedApplications = []
        #expect(attributes.trust(nil) && attributes.trust(git))
    }

    @Test(arguments: ["x", "0", "0 ", "-1 /usr/bin/git", "0 usr/bin/git", "\n", "9999999999 /x"])
    func anInvalidListTrustsNone(_ text: ByteString) {
        var attributes = ItemAttributes()
        attributes[.trustedApplications] = .text(text)
        #expect(attributes.trustedApplications == [])
        #expect(!attributes.trust(git) && !attributes.trust(nil))
    }

    @Test func takesAPathOfOneLine() {
        #expect(TrustedApplication(path: "git", owner: 0) == nil)
        #expect(TrustedApplication(path: "/usr/bin/git\n0 /bin/sh", owner: 0) == nil)
    }
}
