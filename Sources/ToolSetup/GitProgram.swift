internal import Keychain

/// The git that is installed, asked about configurations. It is never asked to write one.
struct GitProgram: Sendable {
    /// The environment that git runs in.
    let environment: SetupEnvironment
    /// How long git may take.
    var timeLimit: Duration = .seconds(10)

    /// What git reads outside of any repository, in its order, with includes followed.
    ///
    /// - Throws: ``Status/notAvailable`` if git is not there or does not answer in time,
    ///   ``Status/decode`` with git's own words if it can't read a file.
    func configuration() async throws(KeychainError) -> [GitConfigEntry] {
        let list = try await run([
            "-C", "/", "config", "--includes", "--show-scope", "--show-origin", "--null", "--list",
        ])
        // A repository in the root folder is none of ours.
        return GitConfigEntry.parse(list, withOrigins: true).filter {
            ["system", "global"].contains($0.scope)
        }
    }

    /// What git reads in the text of one file, includes not followed.
    ///
    /// - Throws: As ``configuration()`` does.
    func entries(of text: [UInt8]) async throws(KeychainError) -> [GitConfigEntry] {
        let list = try await run(
            ["config", "--file", "-", "--no-includes", "--null", "--list"], input: text)
        return GitConfigEntry.parse(list, withOrigins: false)
    }

    private func run(
        _ arguments: [String], input: [UInt8] = []
    ) async throws(KeychainError) -> [UInt8] {
        let git = ForeignProgram("git", environment, timeLimit: timeLimit)
        var confusing: [String: String?] = [:]
        for name in GitProgram.confusing {
            confusing[name] = .some(nil)
        }
        let answer = try await git.run(arguments, input: input, variables: confusing)
        guard answer.succeeded else {
            // git names file and line, and does not quote the line.
            throw KeychainError(
                .decode,
                "git can't read its configuration: \(answer.firstComplaint ?? "it failed")")
        }
        return answer.output
    }

    /// Variables that name a repository or hold configuration for one command alone.
    private static let confusing: Set<String> = [
        "GIT_CONFIG", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_DIR", "GIT_WORK_TREE",
        "GIT_COMMON_DIR", "GIT_TRACE", "GIT_TRACE2",
    ]
}
