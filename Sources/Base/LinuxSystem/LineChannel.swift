internal import Glibc
package import LanyardSecrets

/// Lines of text to and from the other side, over a socket or two pipes. Bytes that were read but
/// not taken are wiped at its end.
@safe  // Safe: the memory is its own, and freed in `deinit` alone.
package final class LineChannel {
    /// The reason why the other side sends nothing more.
    package enum Failure: Error {
        case deadline
        /// It is gone, or has ended its output.
        case ended
        /// The same, in the middle of a line.
        case endedInLine
        case tooLong
        /// A signal arrived that would have ended us.
        case signal
        case systemCall(SystemCallError)
    }

    /// The most bytes of a line without its line feed: 16 MiB. Part of the protocol.
    package static let lineLimit = 16 << 20
    /// The milliseconds between checks that the other side is still there.
    private static let slice: Int64 = 100

    /// The most milliseconds between the end of the other side and the signal that ended it.
    private static let longestDelay: Int64 = 2000

    private let input: Int32
    private let output: Int32
    private let signals: EndingSignals?
    /// Whether the other side is gone, in case another process has its end of the socket open.
    private let isGone: () -> Bool
    private let memory = UnsafeMutableRawBufferPointer.allocate(
        byteCount: 64 << 10, alignment: 16)
    /// The part of the memory that was read but not taken.
    private var unread = 0..<0

    /// Creates a channel over descriptors, which the caller still owns.
    ///
    /// - Parameter signals: Signals that end reading; nil for none.
    package init(
        input: Int32, output: Int32, signals: EndingSignals? = nil,
        isGone: @escaping () -> Bool = { false }
    ) {
        self.signals = signals
        self.input = input
        self.output = output
        self.isGone = isGone
    }

    deinit {
        // Safe: only this value has the memory, and this is its last use.
        unsafe wipe(0..<memory.count)
        unsafe memory.deallocate()
    }

    /// Writes a text, which ends with a line feed.
    ///
    /// - Parameter deadline: The end of waiting; nil for no limit.
    package func write(_ text: borrowing Secret, until deadline: Deadline?) throws(Failure) {
        try text.withBytes { bytes throws(Failure) in
            var written = 0
            while written < bytes.count {
                guard try wait(for: output, .writable, until: deadline) else {
                    throw .ended
                }
                let rest = bytes.extracting(droppingFirst: written)
                written += try attempt { () throws(SystemCallError) in
                    try SystemCalls.writeSome(output, rest)
                }
            }
        }
    }

    /// Reads a line, without the line feed.
    ///
    /// - Parameter limit: The most bytes of the line.
    /// - Returns: Nil if there is none: the other side has ended its output after a line.
    package func readLine(
        limit: Int = lineLimit, until deadline: Deadline?
    ) throws(Failure) -> Secret? {
        var line = SecretBuilder(capacity: 4096)
        while true {
            let isComplete = takeUnread(&line)
            guard line.count <= limit else {
                throw .tooLong
            }
            if isComplete {
                return line.finish()
            }
            guard try fill(until: deadline) else {
                try checkSignals()
                if line.count > 0 {
                    throw .endedInLine
                }
                return nil
            }
        }
    }

    /// Reads everything that is left.
    ///
    /// - Parameter limit: The most bytes.
    package func readAll(limit: Int, until deadline: Deadline?) throws(Failure) -> Secret {
        var all = SecretBuilder(capacity: 4096)
        repeat {
            take(unread.count, &all)
            guard all.count <= limit else {
                throw .tooLong
            }
        } while try fill(until: deadline)
        return all.finish()
    }

    /// Appends unread bytes to a line, up to the line feed that ends it.
    ///
    /// - Returns: Whether there was a line feed.
    private func takeUnread(_ line: inout SecretBuilder) -> Bool {
        // Safe: `unread` is within the memory, and `memchr` gets its size.
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: memory[unread])
        guard let start = bytes.baseAddress, unsafe !bytes.isEmpty else {
            return false
        }
        let feed = unsafe memchr(start, Int32(UInt8(ascii: "\n")), bytes.count)
        let count = unsafe feed.map { unsafe UnsafeRawPointer($0) - start } ?? bytes.count
        take(count, &line)
        guard unsafe feed != nil else {
            return false
        }
        unread.removeFirst()
        return true
    }

    /// Appends some of the unread bytes, and wipes them here.
    private func take(_ count: Int, _ text: inout SecretBuilder) {
        let taken = unread.prefix(count)
        // Safe: `unread` is within the memory; the last use of the span comes before the memory changes.
        unsafe UnsafeRawBufferPointer(rebasing: memory[taken]).withMemoryRebound(to: UInt8.self) {
            unsafe text.append(Span(_unsafeElements: $0))
        }
        wipe(taken)
        unread = taken.upperBound..<unread.upperBound
    }

    /// Waits for bytes and reads them.
    ///
    /// - Returns: Whether there were any before the end.
    private func fill(until deadline: Deadline?) throws(Failure) -> Bool {
        guard try wait(for: input, .readable, until: deadline) else {
            return false
        }
        let count: Int
        do throws(SystemCallError) {
            // Safe: `read` gets the size of the memory.
            count = try unsafe SystemCalls.read(input, memory)
        } catch {
            // It closed its end before reading all that we sent.
            guard error.code == ECONNRESET else {
                throw .systemCall(error)
            }
            return false
        }
        unread = 0..<count
        return count > 0
    }

    /// - Returns: Whether it is ready; false if the other side is gone.
    private func wait(
        for descriptor: Int32, _ readiness: SystemCalls.Readiness, until deadline: Deadline?
    ) throws(Failure) -> Bool {
        while true {
            // Checked first: bytes written before its end can still be read.
            let isGone = isGone()
            if let signals, !isGone, readiness == .readable {
                switch try? signals.wait(for: descriptor, until: deadline) {
                case .input: return true
                case .child: continue
                case .signal: throw .signal
                case .deadline: throw .deadline
                case nil: throw .ended
                }
            }
            let slice = isGone ? 0 : LineChannel.slice
            let moment = deadline.map { Deadline(milliseconds: min($0.remaining, slice)) }
            let isReady = try attempt { () throws(SystemCallError) in
                try SystemCalls.wait(for: descriptor, readiness, until: moment)
            }
            if isReady || isGone {
                return isReady
            }
            if let deadline, deadline.hasPassed {
                throw .deadline
            }
        }
    }

    /// Throws if a signal ended the other side, as ^C does: on a busy machine it may reach us much later.
    private func checkSignals() throws(Failure) {
        let moment = Deadline(milliseconds: LineChannel.longestDelay)
        while let signals, let event = try? signals.wait(for: -1, until: moment),
            event != .deadline
        {
            if event == .signal {
                throw .signal
            }
        }
    }

    private func attempt<Result>(
        _ body: () throws(SystemCallError) -> Result
    ) throws(Failure) -> Result {
        do throws(SystemCallError) {
            return try body()
        } catch {
            throw [EPIPE, ECONNRESET].contains(error.code) ? .ended : .systemCall(error)
        }
    }

    private func wipe(_ range: Range<Int>) {
        // Safe: ranges of unread bytes, or of all, are within the memory.
        unsafe explicit_bzero(memory.baseAddress! + range.lowerBound, range.count)
    }
}
