package import KeychainServices
internal import LinuxSystem
internal import KeychainPlugin
internal import Synchronization

/// Another vendor's program, run to its end within a time limit and without a terminal: it can't ask the
/// user.
package struct ForeignProgram: Sendable {
    /// The result of a run.
    package struct Answer: Sendable {
        /// Whether it exited with 0.
        package let succeeded: Bool
        /// Its standard output.
        package let output: FileBytes
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
    /// The milliseconds that a run may take.
    let timeLimit: Int64
    /// The most bytes that it may write.
    private let outputLimit: Int

    /// Describes a program by its path, or by a name to look up in PATH.
    package init(
        _ name: String, _ environment: SetupEnvironment, timeLimit: Int64 = 10_000,
        outputLimit: Int = 1 << 20
    ) {
        self.name = name
        self.environment = environment
        self.timeLimit = timeLimit
        self.outputLimit = outputLimit
    }

    /// Runs the program with the environment, in English and with LANYARD_NO_PROMPT.
    ///
    /// - Parameters:
    ///   - input: Its standard input.
    ///   - variables: Added to the environment; nil removes one.
    /// - Throws: ``Status/notAvailable`` if it is missing, writes too much or does not end in time, now or
    ///   before (``SilentPrograms``).
    package func run(
        _ arguments: [String], input: FileBytes = "", variables: [String: String?] = [:]
    ) throws(KeychainError) -> Answer {
        guard let path = name.hasPrefix("/") ? name : environment.path(ofProgram: name) else {
            throw KeychainError(
                .notAvailable, "\(name) is not installed",
                hint: "install \(name), then set it up")
        }
        if environment.silent?.paths.contains(path) == true {
            throw KeychainError(.notAvailable, "\(name) does not answer")
        }
        var all = environment.variables
        for (name, value) in variables {
            all[name] = value
        }
        all["LC_ALL"] = "C"
        let deadline = Deadline(milliseconds: timeLimit)
        let run: ProgramRun
        do throws(KeychainError) {
            run = try input.withBytes { input throws(KeychainError) in
                try ProgramRun(
                    path, arguments, input: input, variables: all, inheritsVariables: false,
                    outputLimit: outputLimit, until: deadline)
            }
        } catch {
            if deadline.hasPassed {
                environment.silent?.note(path)
            }
            throw error
        }
        return Answer(
            succeeded: run.status == 0, output: run.output,
            complaint: String(decoding: run.errors.prefix(1 << 13), as: UTF8.self))
    }
}

extension ForeignProgram {
    /// Variables that hide every repository from git, even in the current and the root folder: it then runs
    /// no helper from their configurations.
    package static let outsideRepositories: [String: String?] = [
        "GIT_DIR": "/dev/null", "GIT_WORK_TREE": nil, "GIT_COMMON_DIR": nil,
    ]

    /// Variables that keep git and its helpers from asking the user. An empty GIT_ASKPASS overrides every
    /// other program.
    package static let withoutPrompts: [String: String?] = [
        "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "SSH_ASKPASS": nil,
        "GCM_INTERACTIVE": "never", "GIT_TRACE": nil, "GIT_TRACE2": nil, "GIT_TRACE_CURL": nil,
    ]
}

/// The programs that did not end in time. They are not started again: a second question would hang, too.
package final class SilentPrograms: Sendable {
    private let noted = Mutex<[String]>([])

    package init() {}

    /// Their paths, in the order of their questions.
    package var paths: [String] { noted.withLock { $0 } }

    fileprivate func note(_ path: String) {
        noted.withLock { $0.append(path) }
    }
}
