import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// An import that is killed at any moment loses nothing, and goes on when it runs again.
@Suite(.needs(.sqlite), .serialized, .timeLimit(.minutes(10)))
struct KilledImportTests {
    private static let count = 10_000

    @Test func killedImportsGoOn() async throws {
        let home = try ScratchHome()
        let lines = (0..<Self.count).map { "https://user:secret-\($0)@host-\($0).example\n" }
        let text = lines.joined()
        try home.writeAtHome(text, to: ".git-credentials")
        var killed = 0
        var delay = Duration.milliseconds(5)
        var isDone = false
        for _ in 0..<200 where !isDone {
            let (outcome, _) = try await home.command(
                "lanyard", ["import", "git-credentials", "--remove-plain-text"]
            ).run { [delay] process in
                try await Task.sleep(for: delay, tolerance: .zero)
                kill(process, SIGKILL)
            }
            if let status = outcome.status {
                #expect(status == 0, "\(outcome)")
                isDone = true
            } else {
                killed += 1
                delay = delay * 1.3
                // What is not in the file is in the keychain, whenever that was.
                try await expectNothingLost(home, text)
                // One that is killed when all is done leaves nothing for the next.
                isDone = home.textAtHome(".git-credentials") == nil
            }
        }
        #expect(isDone && killed > 2, "\(killed) were killed")
        #expect(home.textAtHome(".git-credentials") == nil)
        try await expectNothingLost(home, text)
        let check = try await home.succeeds("sqlite3", home.keychain, "PRAGMA integrity_check")
        #expect(check.outputText == "ok\n")
        let verified = try await home.lanyard("verify")
        #expect(verified.status == 0, "\(verified)")
    }

    private func expectNothingLost(_ home: ScratchHome, _ text: String) async throws {
        let left = home.textAtHome(".git-credentials")
        #expect(left == text || left == nil)
        if left == nil {
            let list = try await home.json("list", "--json")
            #expect(list.elements.count == Self.count)
        }
    }
}
