import Testing
@testable import EndToEndRig

/// What was typed at a terminal, and what `lanyard` answered, to the letter.
struct LanyardTranscript: Sendable, CustomTestStringConvertible {
    let rule: String
    /// A script that is run before, of calls that have to succeed.
    var before = ""
    /// As in a shell.
    var command: String
    var variables: [String: String?] = [:]
    /// `HOME` in what is expected means LANYARD_HOME, `TIME` a moment.
    var output = ""
    var error = ""
    var status: Int32 = 0

    init(
        _ rule: String, before: String = "", _ command: String, variables: [String: String?] = [:],
        output: String = "", error: String = "", status: Int32 = 0
    ) {
        self.rule = rule
        self.before = before
        self.command = command
        self.variables = variables
        self.output = output
        self.error = error
        self.status = status
    }

    var testDescription: String { rule }
}

/// `lanyard` as users and scripts see it.
@Suite(.timeLimit(.minutes(10)))
struct LanyardTranscriptTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    @Test(arguments: LanyardTranscript.items)
    func items(_ transcript: LanyardTranscript) async throws { try await expect(transcript) }

    @Test(arguments: LanyardTranscript.lists)
    func lists(_ transcript: LanyardTranscript) async throws { try await expect(transcript) }

    @Test(arguments: LanyardTranscript.groups)
    func groups(_ transcript: LanyardTranscript) async throws { try await expect(transcript) }

    @Test(arguments: LanyardTranscript.keychains)
    func keychains(_ transcript: LanyardTranscript) async throws { try await expect(transcript) }

    @Test(arguments: LanyardTranscript.keys)
    func keys(_ transcript: LanyardTranscript) async throws { try await expect(transcript) }

    @Test(arguments: LanyardTranscript.usage)
    func usage(_ transcript: LanyardTranscript) async throws { try await expect(transcript) }

    private func expect(_ transcript: LanyardTranscript) async throws {
        if !transcript.before.isEmpty {
            try await home.shell(transcript.before)
        }
        let outcome = try await home.command(
            "setsid",
            ["--wait", "sh", "-c", "cd \"$LANYARD_E2E_FOLDER\"; \(transcript.command)"],
            variables: transcript.variables.merging(["LANYARD_E2E_FOLDER": home.path]) { $1 }
        ).run()
        #expect(outcome.status == transcript.status, "\(outcome)")
        #expect(normal(outcome.outputText) == transcript.output, "\(outcome)")
        #expect(normal(outcome.errorText) == transcript.error, "\(outcome)")
    }

    private func normal(_ text: String) -> String {
        text.replacing(home.lanyard, with: "HOME")
            .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "TIME")
    }
}
