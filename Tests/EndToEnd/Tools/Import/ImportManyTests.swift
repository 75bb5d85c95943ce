import Foundation
import Testing
@testable import EndToEndRig

/// More logins than SQLite has memory for: what does not fit goes to the file early, and
/// than are put into the keychain at once.
@Suite(.needs(.unsanitized, .sqlite), .timeLimit(.minutes(10)))
struct ImportManyTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    @Test func allAreThereAndFound() async throws {
        let count = 140_000
        let lines = (0..<count).map { "https://user-\($0):right-\($0)@host-\($0).example.com\n" }
        let file = try home.write(lines.joined(), to: "many")
        var command = try home.command("lanyard", ["import", "git-credentials", file])
        command.timeLimit = .seconds(300)
        let outcome = try await command.run()
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.outputText.hasPrefix("import    \(count) new"), "\(outcome)")
        for number in [0, 131_071, 131_072, count - 1] {
            try await home.expectGet(
                "protocol=https\nhost=host-\(number).example.com\n",
                "username=user-\(number)\npassword=right-\(number)\n")
        }
        let verifying = try await home.lanyard("verify")
        #expect(verifying.status == 0, "\(verifying)")
        let check = try await home.succeeds("sqlite3", home.keychain, "PRAGMA integrity_check")
        #expect(check.outputText == "ok\n")
        let again = try await command.run()
        #expect(again.outputText.hasPrefix("import    \(count) unchanged"), "\(again)")
    }
}
