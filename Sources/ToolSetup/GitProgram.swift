internal import Keychain
internal import Subprocess
internal import SystemPackage
internal import LinuxSystem

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
        let answer: Answer?
        do {
            answer = try await withThrowingTaskGroup(of: Answer?.self) { group in
                group.addTask { try await start(arguments, input) }
                group.addTask {
                    try await Task.sleep(for: timeLimit)
                    return nil
                }
                defer { group.cancelAll() }
                return try await group.next() ?? nil
            }
        } catch let error as SubprocessError where error.code == .executableNotFound {
            throw KeychainError(
                .notAvailable, "git is not installed", hint: "install git, then set it up")
        } catch {
            throw KeychainError(.notAvailable, "git can't be run")
        }
        guard let answer else {
            throw KeychainError(
                .notAvailable, "git did not answer within \(timeLimit.components.seconds) seconds")
        }
        guard answer.succeeded else {
            // git names file and line, and does not quote the line.
            let words = answer.complaint.split(whereSeparator: \.isNewline).first
            throw KeychainError(
                .decode, "git can't read its configuration: \(words ?? "it failed")")
        }
        return answer.output
    }

    private struct Answer: Sendable {
        let succeeded: Bool
        let output: [UInt8]
        let complaint: String
    }

    private func start(_ arguments: [String], _ input: [UInt8]) async throws -> Answer {
        var variables: [Environment.Key: String] = [:]
        for (name, value) in environment.variables where !GitProgram.confusing.contains(name) {
            variables[Environment.Key(stringLiteral: name)] = value
        }
        variables["LC_ALL"] = "C"
        let result = try await Subprocess.run(
            .name("git"), arguments: Arguments(arguments), environment: .custom(variables),
            // Not a pipe: git may end before it has read all of it.
            input: .fileDescriptor(
                FileDescriptor(rawValue: try SystemCalls.makeMemoryFile(input)),
                closeAfterSpawningProcess: true),
            output: .bytes(limit: 1 << 20),
            error: .bytes(limit: 1 << 13))
        return Answer(
            succeeded: result.terminationStatus.isSuccess, output: result.standardOutput,
            complaint: String(decoding: result.standardError, as: UTF8.self))
    }

    /// Variables that name a repository or hold configuration for one command alone.
    private static let confusing: Set<String> = [
        "GIT_CONFIG", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_DIR", "GIT_WORK_TREE",
        "GIT_COMMON_DIR", "GIT_TRACE", "GIT_TRACE2",
    ]
}
