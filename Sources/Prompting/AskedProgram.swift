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

    /// After how many milliseconds to check a program that has closed nothing: its own children may keep
    /// the output open after it ends.
    private static let look: Int64 = 100

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
        let running = try start(question)
        do throws(KeychainError) {
            let text = try read(running, limit: limit, until: deadline)
            guard let status = SystemCalls.exitStatus(of: running.identifier, until: deadline)
            else {
                throw tookTooLong
            }
            return Answer(text: text, status: status)
        } catch {
            SystemCalls.endProcess(running.identifier)
            throw error
        }
    }

    private func start(
        _ question: Span<UInt8>
    ) throws(KeychainError) -> RunningProgram {
        do throws(SystemCallError) {
            let output = try Pipe()
            let input = Descriptor(owning: try SystemCalls.makeMemoryFile(question))
            let identifier = try SystemCalls.startProcess(
                path, arguments, input: input.number, output: output.writeEnd.number,
                showsErrors: true, defaults: defaults)
            return RunningProgram(identifier: identifier, output: output.keepingReadEnd())
        } catch {
            throw KeychainError(.notAvailable, "\(name) can't be run: \(error.words)")
        }
    }

    private func read(
        _ running: borrowing RunningProgram, limit: Int, until deadline: Deadline
    ) throws(KeychainError) -> Secret {
        var text = SecretBuilder(capacity: 4096)
        do throws(SystemCallError) {
            while true {
                // Checked first, which makes everything written before the end readable.
                let hasEnded = SystemCalls.hasEndedUnnoticed(running.identifier)
                let wait = Deadline(
                    milliseconds: hasEnded ? 0 : min(AskedProgram.look, deadline.remaining))
                if try SystemCalls.wait(for: running.output.number, .readable, until: wait) {
                    let chunk = try SystemCalls.readSecret(running.output.number, 4096)
                    guard chunk.count > 0 else {
                        return text.finish()
                    }
                    text.append(chunk)
                } else if hasEnded {
                    return text.finish()
                }
                if deadline.hasPassed || text.count > limit {
                    break
                }
            }
        } catch {
            throw KeychainError(.notAvailable, "\(name) can't be read: \(error.words)")
        }
        guard text.count <= limit else {
            throw KeychainError(.dataTooLarge, "\(name) answered with more than \(limit) bytes")
        }
        throw tookTooLong
    }

    private var tookTooLong: KeychainError {
        KeychainError(
            .notAvailable, "\(name) did not answer within \(timeLimit) seconds",
            hint: "--timeout gives it more time")
    }
}

/// A running program, with its output.
private struct RunningProgram: ~Copyable {
    let identifier: Int32
    let output: Descriptor
}
