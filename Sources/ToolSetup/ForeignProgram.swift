package import KeychainServices
internal import LinuxSystem
internal import Subprocess
internal import SystemPackage

/// A program of somebody else's, run to its end within a time limit and with nobody to ask: it has no
/// terminal.
package struct ForeignProgram: Sendable {
    /// What came of a run.
    package struct Answer: Sendable {
        /// Whether it ended with 0.
        package let succeeded: Bool
        /// What it wrote to standard output, up to 1 MiB.
        package let output: [UInt8]
        /// What it wrote to standard error, up to 8 KiB.
        package let complaint: String

        /// The first line of standard error, nil if there is none.
        package var firstComplaint: String? {
            complaint.split(whereSeparator: \.isNewline).first.map { String($0) }
        }
    }

    /// The name by which it is looked for along PATH, or its path.
    let name: String
    /// The environment that it runs in.
    let environment: SetupEnvironment
    /// How long it may take.
    var timeLimit: Duration

    /// A program that is looked for along PATH, or one with a path.
    package init(
        _ name: String, _ environment: SetupEnvironment, timeLimit: Duration = .seconds(10)
    ) {
        self.name = name
        self.environment = environment
        self.timeLimit = timeLimit
    }

    /// Runs the program.
    ///
    /// - Parameters:
    ///   - input: Its standard input.
    ///   - variables: Added to the environment; nil takes one away.
    /// - Throws: ``Status/notAvailable`` if it is not there or does not end in time.
    package func run(
        _ arguments: [String], input: [UInt8] = [], variables: [String: String?] = [:]
    ) async throws(KeychainError) -> Answer {
        let answer: Answer?
        do {
            answer = try await withThrowingTaskGroup(of: Answer?.self) { group in
                group.addTask { try await start(arguments, input, variables) }
                group.addTask {
                    try await Task.sleep(for: timeLimit)
                    return nil
                }
                defer { group.cancelAll() }
                return try await group.next() ?? nil
            }
        } catch let error as SubprocessError where error.code == .executableNotFound {
            throw KeychainError(
                .notAvailable, "\(name) is not installed",
                hint: "install \(name), then set it up")
        } catch {
            throw KeychainError(.notAvailable, "\(name) can't be run")
        }
        guard let answer else {
            throw KeychainError(
                .notAvailable,
                "\(name) did not answer within \(timeLimit.components.seconds) seconds")
        }
        return answer
    }

    private func start(
        _ arguments: [String], _ input: [UInt8], _ changes: [String: String?]
    ) async throws -> Answer {
        var all = environment.variables
        for (name, value) in changes {
            all[name] = value
        }
        var variables: [Environment.Key: String] = [:]
        for (name, value) in all {
            variables[Environment.Key(stringLiteral: name)] = value
        }
        variables["LC_ALL"] = "C"
        var options = PlatformOptions()
        // Neither it nor what it starts can ask at our terminal; and when its time is over, all of
        // them end.
        options.createSession = true
        options.teardownSequence = [
            .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .seconds(1))
        ]
        // Subprocess takes a name with a slash for a name all the same.
        let isPath = name.hasPrefix("/")
        let result = try await Subprocess.run(
            isPath ? .path(FilePath(name)) : .name(name), arguments: Arguments(arguments),
            environment: .custom(variables), platformOptions: options,
            // Not a pipe: a program may end before it has read all of it.
            input: .fileDescriptor(
                FileDescriptor(rawValue: try SystemCalls.makeMemoryFile(input)),
                closeAfterSpawningProcess: true),
            output: .bytes(limit: 1 << 20),
            error: .bytes(limit: 1 << 13))
        return Answer(
            succeeded: result.terminationStatus.isSuccess, output: result.standardOutput,
            complaint: String(decoding: result.standardError, as: UTF8.self))
    }
}

extension ForeignProgram {
    /// Variables that keep git from every repository, that in the current folder and that in the root
    /// folder among them: it runs none of the helpers that their configurations name.
    package static let outsideRepositories: [String: String?] = [
        "GIT_DIR": "/dev/null", "GIT_WORK_TREE": nil, "GIT_COMMON_DIR": nil,
    ]

    /// Variables that keep git, its helpers and lanyard from asking anybody. An empty GIT_ASKPASS stands
    /// before every other program.
    package static let askingNobody: [String: String?] = [
        "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "SSH_ASKPASS": nil,
        "GCM_INTERACTIVE": "never", "LANYARD_NO_PROMPT": "1", "GIT_TRACE": nil, "GIT_TRACE2": nil,
        "GIT_TRACE_CURL": nil,
    ]
}
