package import KeychainServices
internal import LinuxSystem

/// A program that Lanyard asks for an answer, with a time limit.
///
/// It inherits our environment and standard error, and with it the terminal, where it may ask the user.
package struct AskedProgram: Sendable {
    /// Its answer.
    package struct Answer: ~Copyable {
        /// All of its standard output.
        package let text: Secret
        /// Its exit status; 128 plus the signal's number if a signal ended it.
        package let status: Int32
    }

    /// Its name in messages.
    package let name: String
    private let path: String
    private let arguments: [String]
    private let timeLimit: UInt32
    private let defaults: [String: String]

    /// Describes a program to run.
    ///
    /// - Parameters:
    ///   - name: Its name in messages.
    ///   - path: The executable's path.
    ///   - timeLimit: In seconds.
    ///   - defaults: Variables to add if our environment lacks them.
    package init(
        _ name: String, path: String, _ arguments: [String], timeLimit: UInt32,
        defaults: [String: String] = [:]
    ) {
        self.name = name
        self.path = path
        self.arguments = arguments
        self.timeLimit = timeLimit
        self.defaults = defaults
    }

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - question: Its standard input; not for secrets, because it is a file in memory.
    ///   - limit: How many bytes the answer may have.
    /// - Throws: ``Status/notAvailable`` if it can't be run or does not end in time,
    ///   ``Status/dataTooLarge``. The program is killed then.
    package func answer(
        to question: Span<UInt8> = Span(), limit: Int
    ) throws(KeychainError) -> Answer {
        let deadline = Deadline(milliseconds: Int64(timeLimit) * 1000)
        let process = try start(question)
        do throws(LineChannel.Failure) {
            let text = try process.channel.readAll(limit: limit, until: deadline)
            return Answer(text: text, status: try process.exitStatus(until: deadline))
        } catch {
            switch error {
            case .tooLong:
                throw KeychainError(
                    .dataTooLarge, "\(name) answered with more than \(limit) bytes")
            case .systemCall(let error):
                throw KeychainError(.notAvailable, "\(name) can't be read: \(error.words)")
            case .deadline, .ended, .endedInLine, .signal:
                throw KeychainError(
                    .notAvailable, "\(name) did not answer within \(timeLimit) seconds",
                    hint: "--timeout gives it more time")
            }
        }
    }

    private func start(_ question: Span<UInt8>) throws(KeychainError) -> ChildProcess {
        do throws(SystemCallError) {
            let input = Descriptor(owning: try SystemCalls.makeMemoryFile(question))
            return try ChildProcess(.outputPipe) { _, output throws(SystemCallError) in
                try SystemCalls.startProcess(
                    path, arguments, input: input.number, output: output, showsErrors: true,
                    defaults: defaults)
            }
        } catch {
            throw KeychainError(.notAvailable, "\(name) can't be run: \(error.words)")
        }
    }
}
