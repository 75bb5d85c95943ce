internal import KeychainServices
internal import LinuxSystem

/// The git that is installed, asked about configurations. It is never asked to write one.
package struct GitProgram: Sendable {
    /// The environment that git runs in.
    let environment: SetupEnvironment
    /// How long git may take.
    var timeLimit: Duration = .seconds(10)

    /// In an environment.
    package init(environment: SetupEnvironment) {
        self.environment = environment
    }

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

    /// Where git finds a helper that it is told of by name: in its own folder, else along PATH; nil if it
    /// does not.
    package func path(ofHelper program: String) async -> String? {
        let own = await ownFolder().map { "\($0)/\(program)" }
        return own.flatMap { SystemCalls.isExecutable($0) ? $0 : nil }
            ?? environment.path(ofProgram: program)
    }

    /// Whether git finds a helper by its name in jobs too, whose PATH is short.
    package func findsInJobs(_ program: String) async -> Bool {
        guard !environment.jobsFind(program) else {
            return true
        }
        return await ownFolder().map { SystemCalls.isExecutable("\($0)/\(program)") } ?? false
    }

    /// The folder of git's own programs, which it looks in before PATH: git(1), `--exec-path`.
    private func ownFolder() async -> String? {
        guard let answer = try? await ForeignProgram("git", environment).run(["--exec-path"]) else {
            return nil
        }
        return String(decoding: answer.output, as: UTF8.self).split(whereSeparator: \.isNewline)
            .first.map { String($0) }
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
