import Testing

extension ScratchHome {
    /// Runs git-credential-lanyard.
    func helper(
        _ arguments: String..., input: String = "", variables: [String: String?] = [:]
    ) async throws -> Outcome {
        try await command(
            "git-credential-lanyard", arguments, input: Array(input.utf8), variables: variables
        ).run()
    }

    /// Stores a login, which has to succeed in silence.
    func store(
        _ request: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await helper("store", input: request)
        expectAnswer(outcome, "", sourceLocation: sourceLocation)
    }

    /// Erases logins, which has to succeed in silence.
    func erase(
        _ request: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await helper("erase", input: request)
        expectAnswer(outcome, "", sourceLocation: sourceLocation)
    }

    /// Expects an answer to `get`, to the letter.
    func expectGet(
        _ request: String, _ answer: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await helper("get", input: request)
        expectAnswer(outcome, answer, sourceLocation: sourceLocation)
    }
}

/// Expects success of `lanyard backup` for a keychain without a recovery key, and what it says about that.
func expectBackup(_ outcome: Outcome, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
        outcome.status == 0 && outcome.output.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
    #expect(
        outcome.errorText.hasPrefix("lanyard: warning: the copy opens on this machine alone"),
        "\(outcome)", sourceLocation: sourceLocation)
}

/// Expects success, an answer to the letter, and silence on stderr.
func expectAnswer(
    _ outcome: Outcome, _ answer: String, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
    #expect(outcome.outputText == answer, "\(outcome)", sourceLocation: sourceLocation)
    #expect(outcome.errorText == "", "\(outcome)", sourceLocation: sourceLocation)
}
