import Testing
@testable import EndToEndRig

/// The protocol as others see it: every transcript is run against the real program.
@Suite(.timeLimit(.minutes(10)))
struct TranscriptTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    @Test(arguments: Transcript.calls)
    func call(_ transcript: Transcript) async throws {
        try await expect(transcript)
    }

    @Test(arguments: Transcript.answers)
    func answer(_ transcript: Transcript) async throws {
        try await expect(transcript)
    }

    @Test(arguments: Transcript.places)
    func place(_ transcript: Transcript) async throws {
        try await expect(transcript)
    }

    @Test(arguments: Transcript.dockerCalls)
    func callByDocker(_ transcript: Transcript) async throws {
        try await expect(transcript)
    }

    @Test(arguments: Transcript.dockerAnswers)
    func answerToDocker(_ transcript: Transcript) async throws {
        try await expect(transcript)
    }

    @Test(arguments: Transcript.dockerMatches)
    func matchForDocker(_ transcript: Transcript) async throws {
        try await expect(transcript)
    }

    private func expect(_ transcript: Transcript) async throws {
        for request in transcript.stored {
            let stored = try await home.command(
                transcript.program, ["store"], input: Array(request.utf8)
            ).run()
            expectAnswer(stored, "")
        }
        let before = try Snapshot(home.path)
        // From a checked folder, where a relative path shows.
        let outcome = try await home.command(
            "env", ["--chdir=\(home.path)", transcript.program] + transcript.arguments,
            input: Array(transcript.input.utf8), variables: transcript.variables
        ).run()
        #expect(outcome.status == transcript.status, "\(outcome)")
        #expect(outcome.outputText == inHome(transcript.output), "\(outcome)")
        #expect(outcome.errorText == inHome(transcript.error), "\(outcome)")
        let after = try Snapshot(home.path)
        if transcript.writes {
            #expect(after.contentDifferences(from: before) != [], "nothing was written")
        } else {
            #expect(after.differences(from: before) == [])
        }
    }

    private func inHome(_ text: String) -> String {
        text.replacing("HOME/", with: "\(home.lanyard)/")
    }
}
