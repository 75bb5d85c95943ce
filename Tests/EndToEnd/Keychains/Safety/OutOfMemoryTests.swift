import Testing
@testable import EndToEndRig

/// A program that has no memory left says so in one line, and prints no stack.
@Suite(.needs(.unsanitized), .timeLimit(.minutes(10)))
struct OutOfMemoryTests {
    @Test(arguments: [200_000, 300_000]) func isOneLine(_ kilobytes: Int) async throws {
        let home = try ScratchHome()
        let outcome = try await home.command(
            "sh", ["-c", "ulimit -v \(kilobytes); exec lanyard import csv /dev/zero"]
        ).run()
        #expect(outcome.status == 148, "\(outcome)")
        #expect(outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errorText == "lanyard: error: not enough memory\n", "\(outcome)")
    }
}
