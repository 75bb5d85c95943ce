internal import Glibc
internal import KeychainServices
internal import LinuxSystem

/// A program that asks a person for us. It does not outlive this value.
struct ChildProcess: ~Copyable {
    /// Why nothing more is to be had from it.
    enum Failure: Error {
        /// A signal came that would have ended us.
        case signal
        case deadline
        /// It ended, or ended its output.
        case ended
        case tooLong
    }

    private let identifier: pid_t
    private let input: Descriptor?
    private let output: Descriptor
    private let signals: EndingSignals
    /// Whether it ended with 0, nil while it runs.
    private var outcome: Bool?
    /// What was read and not yet taken.
    private var rest = Secret("")

    /// Starts a program that has no more of us than its standard streams.
    ///
    /// - Parameters:
    ///   - path: The executable's path.
    ///   - hasInput: Whether it can be written to; else its input is empty.
    ///   - showsErrors: Whether it has our standard error; else what it writes there is lost.
    ///   - signals: Those of children among them; taken until this value has ended.
    init(
        _ path: String, _ arguments: [String] = [], hasInput: Bool, showsErrors: Bool,
        signals: EndingSignals
    ) throws(SystemCallError) {
        let fromChild = try Pipe()
        // What it started may hold the other end when it is gone.
        _ = fcntl(fromChild.readEnd.number, F_SETFL, O_NONBLOCK)
        if hasInput {
            let toChild = try Pipe()
            identifier = try SystemCalls.startProcess(
                path, arguments, input: toChild.readEnd.number,
                output: fromChild.writeEnd.number, showsErrors: showsErrors)
            input = .some(toChild.writeEnd)
        } else {
            identifier = try SystemCalls.startProcess(
                path, arguments, input: nil, output: fromChild.writeEnd.number,
                showsErrors: showsErrors)
            input = nil
        }
        output = fromChild.readEnd
        self.signals = signals
    }

    deinit {
        if outcome == nil {
            SystemCalls.endProcess(identifier)
        }
    }

    /// Writes to its standard input a text that is short enough for a pipe to take at once.
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
    /// - Parameter limit: How many bytes it may have.
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

    /// Reads its output to the end, which comes with the process's own at the latest: what it
    /// started may live on.
    ///
    /// - Returns: The start of the output: one byte more than the limit at most.
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

    /// - Returns: Nothing at the end.
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

    /// ^C ends it as well, and may reach us a moment later, in another thread.
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
        // Safe: the variable lives for the call.
        if outcome == nil, unsafe waitpid(identifier, &status, WNOHANG) != 0 {
            outcome = status == 0
        }
    }
}
