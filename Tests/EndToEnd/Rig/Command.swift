import Glibc
import Subprocess

/// A program that runs to its end, or to the end of its time.
struct Command: Sendable {
    var program: String
    var arguments: [String]
    /// The whole environment: nothing is inherited.
    var environment: [String: String]
    var input: [UInt8] = []
    var timeLimit: Duration = .seconds(120)

    /// Runs the program in a process group of its own.
    ///
    /// - Throws: ``TookTooLong`` when the time is over; then all of the group is killed.
    func run() async throws -> Outcome {
        try await run { _ in }.outcome
    }

    /// Runs the program while `body` runs: its standard input holds ``input`` and stays open until
    /// `body` ends.
    ///
    /// - Parameter body: Is given the process's id, which is its group's id too.
    /// - Throws: ``TookTooLong``, and what `body` throws; then all of the group is killed.
    func run<Result: Sendable>(
        during body: @escaping @Sendable (pid_t) async throws -> Result
    ) async throws -> (outcome: Outcome, result: Result) {
        try await limited { command in
            let ended = try await Subprocess.run(
                command.configuration, input: .inputWriter,
                output: .bytes(limit: 16 << 20), error: .bytes(limit: 16 << 20)
            ) { execution in
                // A program need not read what it is given.
                _ = try? await execution.standardInputWriter.write(command.input)
                let result = try await body(execution.processIdentifier.value)
                try await execution.standardInputWriter.finish()
                return result
            }
            // What the program left running does not outlive it.
            kill(-ended.processIdentifier.value, SIGKILL)
            let outcome = Outcome(
                command: command, termination: ended.terminationStatus,
                output: ended.standardOutput, error: ended.standardError)
            return (outcome, ended.closureResult)
        }
    }

    /// Writing to a program that has ended must fail and not kill the tests. Subprocess gives the
    /// programs it starts the default back.
    private static let ignoresBrokenPipes: Void = {
        signal(SIGPIPE, SIG_IGN)
    }()

    private func limited<Result: Sendable>(
        _ body: @escaping @Sendable (Command) async throws -> Result
    ) async throws -> Result {
        Command.ignoresBrokenPipes
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await body(self) }
            group.addTask {
                try await Task.sleep(for: timeLimit)
                return nil
            }
            // What is left when this scope ends is cancelled, and a cancelled program killed.
            guard let first = try await group.next(), let result = first else {
                throw TookTooLong(command: self)
            }
            group.cancelAll()
            return result
        }
    }

    private var configuration: Configuration {
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [
            .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .seconds(5))
        ]
        // A name alone is looked up; `env` takes a path too, and becomes the program.
        let isName = !program.contains("/")
        return Configuration(
            executable: .name(isName ? program : "env"),
            arguments: Arguments(isName ? arguments : [program] + arguments),
            environment: .custom(
                Dictionary(
                    uniqueKeysWithValues: environment.map {
                        (.init(stringLiteral: $0.key), $0.value)
                    }
                )),
            platformOptions: options)
    }
}

extension Command {
    /// The program and its arguments, of a script as one of them the first line.
    fileprivate var words: String {
        ([program] + arguments).map { String($0.prefix { !$0.isNewline }) }.joined(separator: " ")
    }
}

/// A program did not end in its time.
struct TookTooLong: Error, CustomStringConvertible {
    let command: Command

    var description: String {
        "no end after \(command.timeLimit): \(command.words)"
    }
}

/// How a program ended and what it printed.
struct Outcome: Sendable, CustomStringConvertible {
    let command: Command
    let termination: TerminationStatus
    let output: [UInt8]
    let error: [UInt8]

    /// The exit status, nil if a signal ended it.
    var status: Int32? {
        if case .exited(let status) = termination { Int32(status) } else { nil }
    }

    var outputText: String { String(decoding: output, as: UTF8.self) }
    var errorText: String { String(decoding: error, as: UTF8.self) }

    var description: String {
        """
        \(command.words): \(termination)
        stdout: \(outputText.debugDescription)
        stderr: \(errorText.debugDescription)
        """
    }
}
