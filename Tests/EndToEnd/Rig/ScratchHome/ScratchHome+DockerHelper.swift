import Testing

extension ScratchHome {
    /// Runs docker-credential-lanyard.
    func dockerHelper(
        _ arguments: String..., input: String = "", variables: [String: String?] = [:]
    ) async throws -> Outcome {
        try await command(
            "docker-credential-lanyard", arguments, input: Array(input.utf8), variables: variables
        ).run()
    }

    /// Keeps a login as docker does, which has to succeed in silence.
    func storeForDocker(
        _ request: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await dockerHelper("store", input: request)
        expectAnswer(outcome, "", sourceLocation: sourceLocation)
    }

    /// Expects an answer to docker's `get`, to the letter.
    func expectDockerGet(
        _ request: String, _ answer: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await dockerHelper("get", input: request)
        expectAnswer(outcome, answer, sourceLocation: sourceLocation)
    }

    /// Expects an answer to docker's `list`, to the letter.
    func expectDockerList(
        _ answer: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await dockerHelper("list")
        expectAnswer(outcome, "\(answer)\n", sourceLocation: sourceLocation)
    }
}
