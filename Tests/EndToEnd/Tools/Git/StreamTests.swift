import Testing
@testable import EndToEndRig

/// Standard input and output that are not what a program expects.
@Suite(.timeLimit(.minutes(10)))
struct StreamTests {
    let home: ScratchHome
    let request = "protocol=https\nhost=example.com\n"

    init() async throws {
        home = try ScratchHome()
        try await home.store("\(request)username=ada\npassword=distinctive-secret\n")
    }

    private func redirected(_ redirection: String, _ operation: String) async throws -> Outcome {
        let command = try home.command(
            "sh", ["-c", "exec git-credential-lanyard \"$1\" \(redirection)", "sh", operation],
            input: Array(request.utf8))
        return try await command.run()
    }

    @Test func closedInputIsAnEmptyRequest() async throws {
        expectAnswer(try await redirected("<&-", "get"), "")
        expectAnswer(try await redirected("<&-", "store"), "")
        expectAnswer(try await redirected("<&-", "erase"), "")
        try await home.expectGet(request, "username=ada\npassword=distinctive-secret\n")
    }

    @Test func aFolderAsInputIsRefused() async throws {
        expectRefusal(try await redirected("</", "get"), "the request can't be read")
    }

    @Test(arguments: ["get", "capability", "--help", "--version"])
    func aFullOutputIsAnError(_ argument: String) async throws {
        expectRefusal(
            try await redirected(">/dev/full", argument), "the answer can't be written",
            secret: "distinctive-secret")
    }

    @Test(arguments: ["get", "capability", "--help", "--version"])
    func aClosedOutputIsAnError(_ argument: String) async throws {
        expectRefusal(
            try await redirected(">&-", argument), "the answer can't be written",
            secret: "distinctive-secret")
    }

    @Test func aClosedOutputIsNoErrorWhereNothingIsWritten() async throws {
        expectAnswer(try await redirected(">&-", "later"), "")
        let other = "protocol=https\nhost=example.org\n"
        let command = try home.command(
            "sh", ["-c", "exec git-credential-lanyard get >&-"], input: Array(other.utf8))
        expectAnswer(try await command.run(), "")
    }

    @Test func aReaderThatIsGoneIsAnError() async throws {
        let outcome = try await home.command(
            "sh",
            [
                "-c",
                """
                mkfifo "$1"
                # The reader ends before anything is written; then opening does not wait for it.
                exec 8<>"$1" 9>"$1" 8<&-
                git-credential-lanyard get >&9
                """, "sh", "\(home.path)/fifo",
            ], input: Array(request.utf8)
        ).run()
        expectRefusal(outcome, "the answer can't be written", secret: "distinctive-secret")
    }

    @Test func aClosedStderrKeepsTheStatus() async throws {
        let outcome = try await redirected("2>&-", "--colour")
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
        // Descriptor 2 must not become the keychain's file, and messages be written there.
        let stored = try await home.command(
            "sh", ["-c", "exec git-credential-lanyard store 0<&0 >&- 2>&-"],
            input: Array("\(request)username=bob\npassword=pb\n".utf8)
        ).run()
        #expect(stored.status == 0, "\(stored)")
        try await home.expectGet("\(request)username=bob\n", "username=bob\npassword=pb\n")
    }
}
