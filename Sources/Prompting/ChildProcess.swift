internal import Glibc
internal import KeychainServices
internal import LinuxSystem

/// A program that asks the user for us. It does not outlive this value.
struct ChildProcess: ~Copyable {
    /// Why it can't be read or written.
    enum Failure: Error {
        /// A signal arrived that would have ended us.
        case signal
        case deadline
        /// It ended, or closed its output.
        case ended
        case tooLong
    }

    private let identifier: pid_t
    private let input: Descriptor?
    private let output: Descriptor
    private let signals: EndingSignals
    /// Whether it ended with 0; nil while it runs.
    private var outcome: Bool?
    /// Bytes that were read but not consumed yet.
    private var rest = Secret("")

    /// Starts a program that inherits only our standard streams.
    ///
    /// - Parameters:
    ///   - path: The executable's path.
    ///   - hasInput: Whether it can be written to; else its input is empty.
    ///   - showsErrors: Whether it shares our standard error; else its errors are discarded.
    ///   - signals: Includes those of children; active until this value has ended.
    ///   - variables: What its environment has instead of our values.
    init(
        _ path: String, _ arguments: [String] = [], hasInput: Bool, showsErrors: Bool,
        signals: EndingSignals, variables: [String: String] = [:]
    ) throws(SystemCallError) {
        let fromChild = try Pipe()
        // Its own children may keep the other end open after it ends.
        _ = fcntl(fromChild.readEnd.number, F_SETFL, O_NONBLOCK)
        if hasInput {
            let toChild = try Pipe()
            identifier = try SystemCalls.startProcess(
                path, arguments, input: toChild.readEnd.number,
                output: fromChild.writeEnd.number, showsErrors: showsErrors, variables: variables)
            input = .some(toChild.keepingWriteEnd())
        } else {
            identifier = try SystemCalls.startProcess(
                path, arguments, input: nil, output: fromChild.writeEnd.number,
                showsErrors: showsErrors, variables: variables)
            input = nil
        }
        output = fromChild.keepingReadEnd()
        self.signals = signals
    }

    deinit {
        if outcome == nil {
            SystemCalls.endProcess(identifier)
        }
    }

    /// Writes a text to its standard input, short enough for a pipe to take at once.
    borrowing func write(_ text: String) throws(Failure) {
        switch input {
        case .some(let input):
            do throws(SystemCallError) {
                try SystemCalls.writeAll(input.number, Array(text.utf8).span)
            } catch {
                throw .ended
            }
        case .none: throw .ended
        }
    }

    /// Reads a line of its output, without the newline.
    ///
    /// - Parameter limit: How many bytes the line may have.
    mutating func readLine(limit: Int, until deadline: Deadline) throws(Failure) -> Secret {
        var line = SecretBuilder(capacity: limit)
        while true {
            let newline = rest.firstIndex(of: UInt8(ascii: "\n"))
            let part = rest.prefix(newline ?? rest.count)
            guard line.count + part.count <= limit else {
                throw .tooLong
            }
            line.append(part)
            if let newline {
                rest = rest.dropping(newline + 1)
                return line.finish()
            }
            rest = try readChunk(until: deadline)
            guard rest.count > 0 else {
                throw reasonOfEnd()
            }
        }
    }

    /// Reads its output to the end, or until the process ends: its own children may live on.
    ///
    /// - Returns: The start of the output, at most one byte more than the limit.
    mutating func readAll(limit: Int, until deadline: Deadline) throws(Failure) -> Secret {
        var all = SecretBuilder(capacity: limit + 1)
        while true {
            let chunk = try readChunk(until: deadline)
            guard chunk.count > 0 else {
                return all.finish()
            }
            all.append(chunk.prefix(min(chunk.count, limit + 1 - all.count)))
        }
    }

    /// Waits until it has ended.
    ///
    /// - Returns: Whether it ended with 0.
    mutating func waitForEnd(until deadline: Deadline) throws(Failure) -> Bool {
        while true {
            lookWhetherEnded()
            if let outcome {
                return outcome
            }
            _ = try wait(for: -1, until: deadline)
        }
    }

    /// - Returns: An empty secret at the end.
    private mutating func readChunk(until deadline: Deadline) throws(Failure) -> Secret {
        while true {
            if outcome == nil, try wait(for: output.number, until: deadline) == .child {
                lookWhetherEnded()
            }
            do throws(SystemCallError) {
                return try SystemCalls.readSecret(output.number, 1024)
            } catch {
                guard error.code == EAGAIN else {
                    throw .ended
                }
            }
            if outcome != nil {
                return Secret("")
            }
        }
    }

    private func wait(
        for input: Int32, until deadline: Deadline
    ) throws(Failure) -> EndingSignals.Event {
        guard let event = try? signals.wait(for: input, until: deadline) else {
            throw .ended
        }
        switch event {
        case .signal: throw .signal
        case .deadline: throw .deadline
        case .input, .child: return event
        }
    }

    /// Returns why it ended: ^C ends it too, and may reach us a moment later, in another thread.
    private func reasonOfEnd() -> Failure {
        let moment = Deadline(milliseconds: 50)
        while true {
            do throws(Failure) {
                _ = try wait(for: -1, until: moment)
            } catch {
                return error == .signal ? .signal : .ended
            }
        }
    }

    private mutating func lookWhetherEnded() {
        var status: Int32 = 0
        guard outcome == nil else {
            return
        }
        // Safe: the variable outlives the call.
        switch unsafe waitpid(identifier, &status, WNOHANG) {
        case 0: break
        case -1: outcome = false
        default: outcome = status == 0
        }
    }
}
