import KeychainServices
import LanyardPrompting
import Testing

@testable import LanyardCommand
@testable import SealedStore

@Suite("the order of logged uses, and the time since which they are printed") struct UseListingTests
{
    private func use(_ name: ByteString, _ keychain: String, at time: Int64) -> ListedUse {
        ListedUse(
            use: LoggedUse(
                time: Timestamp(secondsSinceEpoch: time), action: .read,
                itemClass: .genericPassword, name: name),
            keychain: keychain)
    }

    /// A clock that went back changes nothing in the order of a keychain.
    @Test func theUsesOfSeveralKeychainsAreInOneOrder() {
        let merged = UseListing.merged([
            use("1", "a", at: 10), use("3", "a", at: 30), use("4", "a", at: 20),
            use("0", "b", at: 5), use("2", "b", at: 25), use("5", "b", at: 40),
        ])
        #expect(merged.map(\.use.name) == ["0", "1", "2", "3", "4", "5"])
    }

    /// A table that is wider than the terminal breaks in the middle of a name.
    @Test func theTableFitsATerminalAndNamesPrograms() throws {
        var logged = use("git.example.com/a/long/path", "a", at: 10).use
        logged.account = "ada@example.com"
        logged.program.path = "/usr/local/libexec/lanyard/bin/docker-credential-lanyard"
        logged.requester.path = "/usr/bin/docker"
        let uses = [ListedUse(use: logged, keychain: "a")]
        for (keychain, unit) in [("a", ""), ("b", "backup.service")] {
            var other = logged
            other.program.unit = ByteString(unit)
            let listing = UseListing(uses: uses + [ListedUse(use: other, keychain: keychain)])
            let text = listing.table.text(for: OutputTerminal(kernelColumns: 80) { _ in nil })
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
            #expect(text.contains("do") && !text.contains("/usr"), "\(text)")
        }
    }

    @Test(arguments: [
        ("30m", 998_200), ("2h", 992_800), ("45", 999_955), ("1970-01-02", 86_400),
        ("1970-01-02T00:00:01Z", 86_401), ("2100-01-01", 4_102_444_800),
    ])
    func aTimeIsReadAsUsersWriteIt(_ text: String, _ expected: Int64) throws {
        let now = Timestamp(secondsSinceEpoch: 1_000_000)
        #expect(try Timestamp(since: text, now: now).secondsSinceEpoch == expected)
    }

    @Test(arguments: ["", "never", "-1h", "yesterday", "1970-02-30", "1970-01-02T00:00", "2 h"])
    func anythingElseIsAnError(_ text: String) {
        #expect(throws: KeychainError(.param)) {
            try Timestamp(since: text, now: Timestamp(secondsSinceEpoch: 0))
        }
    }
}
