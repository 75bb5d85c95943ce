internal import KeychainServices
internal import LinuxSystem

/// The installed git, which answers questions about configurations. It never writes one.
package struct GitProgram: Sendable {
    /// The environment that git runs in.
    let environment: SetupEnvironment
    /// The milliseconds that a call may take.
    var timeLimit: Int64 = 10_000

    /// Creates one for an environment.
    package init(environment: SetupEnvironment) {
        self.environment = environment
    }

    /// Returns what git reads outside of any repository, in its order, with includes followed.
    ///
    /// - Throws: ``Status/notAvailable`` if git is missing or does not answer in time, ``Status/decode``
    ///   with git's own words if it can't read a file.
    func configuration() throws(KeychainError) -> [GitConfigEntry] {
        let list = try run([
            "-C", "/", "config", "--includes", "--show-scope", "--show-origin", "--null", "--list",
        ])
        // The setup ignores a repository in the root folder.
        return GitConfigEntry.parse(list, withOrigins: true).filter {
            ["system", "global"].contains($0.scope)
        }
    }

    /// Returns what git reads in the text of one file, without following includes.
    ///
    /// - Throws: As ``configuration()`` does.
    func entries(of text: FileBytes) throws(KeychainError) -> [GitConfigEntry] {
        let list = try run(
            ["config", "--file", "-", "--no-includes", "--null", "--list"], input: text)
        return GitConfigEntry.parse(list, withOrigins: false)
    }

    /// Returns the path at which git finds a helper by its name: in its own folder, else in PATH; nil if it
    /// is missing.
    package func path(ofHelper program: String) -> String? {
        let own = ownFolder().map { "\($0)/\(program)" }
        return own.flatMap { SystemCalls.isExecutable($0) ? $0 : nil }
            ?? environment.path(ofProgram: program)
    }

    /// Whether git finds a helper by its name in jobs, too, which have a short PATH.
    package func findsInJobs(_ program: String) -> Bool {
        guard !environment.jobsFind(program) else {
            return true
        }
        return ownFolder().map { SystemCalls.isExecutable("\($0)/\(program)") } ?? false
    }

    /// Returns the folder of git's own programs, which it searches before PATH: git(1), `--exec-path`.
    private func ownFolder() -> String? {
        guard let answer = try? ForeignProgram("git", environment).run(["--exec-path"]) else {
            return nil
        }
        return String(decoding: answer.output, as: UTF8.self).split(whereSeparator: \.isNewline)
            .first.map { String($0) }
    }

    private func run(
        _ arguments: [String], input: FileBytes = ""
    ) throws(KeychainError) -> FileBytes {
        let git = ForeignProgram("git", environment, timeLimit: timeLimit)
        var confusing: [String: String?] = [:]
        for name in GitProgram.confusing {
            confusing[name] = .some(nil)
        }
        let answer = try git.run(arguments, input: input, variables: confusing)
        guard answer.succeeded else {
            // git names file and line, and does not quote the line.
            throw KeychainError(
                .decode,
                "git can't read its configuration: \(answer.firstComplaint ?? "it failed")")
        }
        return answer.output
    }

    /// Variables that name a repository or configure a single command.
    private static let confusing: Set<String> = [
        "GIT_CONFIG", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_DIR", "GIT_WORK_TREE",
        "GIT_COMMON_DIR", "GIT_TRACE", "GIT_TRACE2",
    ]
}
