import Foundation
import Testing

/// More logins than SQLite has memory for: what does not fit goes to the file before its time.
@Suite(.needs(.unsanitized), .timeLimit(.minutes(10)))
struct ImportManyTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    @Test func eightyThousandAreImported() async throws {
        let count = 80_000
        let lines = (0..<count).map { "https://user-\($0):right-\($0)@host-\($0).example.com\n" }
        let file = try home.write(lines.joined(), to: "many")
        var command = try home.command("lanyard", ["import", "git-credentials", file])
        command.timeLimit = .seconds(300)
        let outcome = try await command.run()
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.outputText.hasPrefix("\(count) new, 0 the same, 0 skipped"), "\(outcome)")
        for number in [0, count / 2, count - 1] {
            try await home.expectGet(
                "protocol=https\nhost=host-\(number).example.com\n",
                "username=user-\(number)\npassword=right-\(number)\n")
        }
        let verifying = try await home.lanyard("verify")
        #expect(verifying.status == 0, "\(verifying)")
    }
}
