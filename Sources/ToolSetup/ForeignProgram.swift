package import KeychainServices
internal import LinuxSystem
internal import Subprocess
internal import SystemPackage

/// Another vendor's program, run to its end within a time limit and without a terminal: it can't ask the
/// user.
package struct ForeignProgram: Sendable {
    /// The result of a run.
    package struct Answer: Sendable {
        /// Whether it exited with 0.
        package let succeeded: Bool
        /// Its standard output.
        package let output: [UInt8]
        /// Its standard error, up to 8 KiB.
        package let complaint: String

        /// The first line of standard error, nil if it is empty.
        package var firstComplaint: String? {
            complaint.split(whereSeparator: \.isNewline).first.map { String($0) }
        }
    }

    /// The name to look up in PATH, or its path.
    let name: String
    /// The environment for the program.
    let environment: SetupEnvironment
    /// Limits the duration of a run.
    var timeLimit: Duration
    /// Limits its standard output; a run with more fails.
    private let outputLimit: Int

    /// Describes a program by its path, or by a name to look up in PATH.
    package init(
        _ name: String, _ environment: SetupEnvironment, timeLimit: Duration = .seconds(10),
        outputLimit: Int = 1 << 20
    ) {
        self.name = name
        self.environment = environment
        self.timeLimit = timeLimit
        self.outputLimit = outputLimit
    }

    /// Runs the program.
    ///
    /// - Parameters:
    ///   - input: Its standard input.
    ///   - variables: Added to the environment; nil removes one.
    /// - Throws: ``Status/notAvailable`` if it is missing or does not end in time.
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
        // Neither the program nor its children can ask at our terminal, and all of them end when its time
        // is over.
        options.createSession = true
        options.teardownSequence = [
            .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .seconds(1))
        ]
        // Subprocess takes even a name with a slash for a name.
        let isPath = name.hasPrefix("/")
        let result = try await Subprocess.run(
            isPath ? .path(FilePath(name)) : .name(name), arguments: Arguments(arguments),
            environment: .custom(variables), platformOptions: options,
            // Not a pipe: a program may end before it has read everything.
            input: .fileDescriptor(
                FileDescriptor(rawValue: try SystemCalls.makeMemoryFile(input)),
                closeAfterSpawningProcess: true),
            output: .bytes(limit: outputLimit),
            error: .bytes(limit: 1 << 13))
        return Answer(
            succeeded: result.terminationStatus.isSuccess, output: result.standardOutput,
            complaint: String(decoding: result.standardError, as: UTF8.self))
    }
}

extension ForeignProgram {
    /// Variables that hide every repository from git, even in the current and the root folder: it then runs
    /// no helper from their configurations.
    package static let outsideRepositories: [String: String?] = [
        "GIT_DIR": "/dev/null", "GIT_WORK_TREE": nil, "GIT_COMMON_DIR": nil,
    ]

    /// Variables that keep git, its helpers and lanyard from asking the user. An empty GIT_ASKPASS
    /// overrides every other program.
    package static let withoutPrompts: [String: String?] = [
        "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "SSH_ASKPASS": nil,
        "GCM_INTERACTIVE": "never", "LANYARD_NO_PROMPT": "1", "GIT_TRACE": nil, "GIT_TRACE2": nil,
        "GIT_TRACE_CURL": nil,
    ]
}
