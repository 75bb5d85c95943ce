import Foundation
import Testing
@testable import EndToEndRig

/// Nothing of a login can be found in any file by searching for it.
@Suite(.timeLimit(.minutes(10)))
struct NothingReadableTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private static let words = ReadableForms(words: [
        "server": "server-wombat.example", "port": "54321", "account": "account-quokka",
        "path": "path-numbat/notes.git", "secret": "secret-bilby-0123456789",
        "changed secret": "secret-potoroo-0123456789", "token": "token-dunnart-0123456789",
        "credential": "credential-kowari-0123456789", "protocol": "protocol=https",
        "label": "https://server-wombat.example:54321",
    ])

    @Test func neitherSecretNorServerNorAccountNorPath() async throws {
        let host = "protocol=https\nhost=server-wombat.example:54321\n"
        let login = "\(host)path=path-numbat/notes.git\nusername=account-quokka\n"
        try await home.store("\(login)password=secret-bilby-0123456789\n")
        try await home.store("\(host)username=account-quokka\npassword=secret-bilby-0123456789\n")
        try await home.store(
            "\(login)password=secret-potoroo-0123456789\n"
                + "oauth_refresh_token=token-dunnart-0123456789\n")
        try await home.store(
            "capability[]=authtype\n\(host)authtype=Bearer\n"
                + "credential=credential-kowari-0123456789\n")
        try await home.expectGet(
            login,
            "username=account-quokka\npassword=secret-potoroo-0123456789\n"
                + "oauth_refresh_token=token-dunnart-0123456789\n")
        let stored = try Snapshot(home.lanyard).contents
        #expect(stored.count == 3)
        #expect(Self.words.search(stored) == [])

        // Nor do names of files say anything, nor is anything left of what was erased.
        let names = try Snapshot(home.lanyard).entries.keys.joined(separator: "\n")
        #expect(Self.words.search(["names": Array(names.utf8)]) == [])
        try await home.erase(host)
        try await home.expectGet(host, "")
        #expect(Self.words.search(try Snapshot(home.lanyard).contents) == [])
    }

    /// A change that is killed at its end leaves its journal: with what it changed, as it was.
    @Test(.needs(.tracing), arguments: ["store", "erase"])
    func norInTheJournalOfAKilledChange(_ operation: String) async throws {
        let login = "protocol=https\nhost=server-wombat.example:54321\nusername=account-quokka\n"
        try await home.store("\(login)password=secret-bilby-0123456789\n")
        let request =
            operation == "erase" ? login : "\(login)password=secret-potoroo-0123456789\n"
        let outcome = try await home.command(
            "strace",
            ["-o", "/dev/null", "-e", "trace=unlink", "-e", "inject=unlink:signal=SIGKILL"]
                + ["git-credential-lanyard", operation], input: Array(request.utf8)
        ).run()
        #expect(outcome.status != 0 && outcome.error.isEmpty, "\(outcome)")
        let left = try Snapshot(home.lanyard).contents
        let journal = try #require(left["data/login.keychain-journal"])
        #expect(journal.count > 4096)
        #expect(Self.words.search(left) == [])
        print("\(operation): \(left.count) files, \(left.values.reduce(0) { $0 + $1.count }) bytes")
    }

    /// The same search finds what is there, or its silence would prove nothing.
    @Test func theSearchFindsWhatIsThere() {
        for (name, word) in Self.words.words {
            for spelling in ReadableForms.spellings(word) {
                let bytes = [0, 255] + Array(spelling) + [7]
                #expect(Self.words.search(["file": bytes]).contains("\(name) in file"))
            }
        }
    }
}
