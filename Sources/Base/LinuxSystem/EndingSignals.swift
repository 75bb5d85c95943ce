internal import Glibc
package import LanyardSecrets
internal import Synchronization

/// Catches the signals that would end or stop the process, those of ^C, ^\ and ^Z among them, until
/// ``restore()``: while Lanyard asks the user, they are an answer.
///
/// Each writes a byte to a pipe, which saves it between two calls. They have handlers because blocking
/// affects one thread only.
package struct EndingSignals {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
    /// After how many milliseconds to check children without a signal: our parent may have blocked it.
    private static let longestWait: Int64 = 1000

    /// How a wait ended.
    package enum Event: Sendable {
        case input
        case signal
        /// A child may have ended.
        case child
        case deadline
    }

    private let readEnd: Int32
    private let watchesChildren: Bool
    private let before: [(number: Int32, action: sigaction)]

    /// - Parameter andChildren: Whether to wait for the end of a child, too.
    package init(andChildren: Bool = false) throws(KeychainError) {
        var ends: [Int32] = [-1, -1]
        // Safe: `pipe` writes two numbers, and the array has two.
        guard unsafe pipe(&ends) == 0 else {
            throw KeychainError(.io, "can't wait for signals")
        }
        for end in ends {
            SystemCalls.closeOnExec(end)
            SystemCalls.stopBlocking(end)
        }
        watchesChildren = andChildren
        readEnd = ends[0]
        signalPipe.store(ends[1], ordering: .releasing)
        before = (EndingSignals.numbers + (andChildren ? [SIGCHLD] : [])).map {
            (number: $0, action: EndingSignals.take($0))
        }
    }

    /// - Returns: What the signal did before.
    private static func take(_ number: Int32) -> sigaction {
        var taking = sigaction()
        // Safe: the handler only calls `write`, with one valid byte, and preserves errno.
        unsafe taking.__sigaction_handler.sa_handler = { number in
            let code = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = unsafe write(signalPipe.load(ordering: .acquiring), &byte, 1)
            errno = code
        }
        var old = sigaction()
        // Safe: local variables that outlive the call.
        unsafe sigaction(number, nil, &old)
        // Signals ignored by the parent's wish, as under nohup, stay ignored. SIGCHLD must not be, or the
        // child's exit status is lost.
        // Safe: handlers are compared by address only.
        if unsafe number == SIGCHLD
            || unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self)
                != unsafeBitCast(SIG_IGN, to: Int.self)
        {
            unsafe sigaction(number, &taking, nil)
        }
        return old
    }

    /// Restores what the signals did before.
    package func restore() {
        for (number, action) in before {
            // Safe: the kernel itself returned this action earlier.
            var action = action
            unsafe sigaction(number, &action, nil)
        }
        SystemCalls.close(signalPipe.exchange(-1, ordering: .acquiringAndReleasing))
        SystemCalls.close(readEnd)
    }

    /// Waits until something happens. A signal takes precedence over input.
    ///
    /// - Parameter input: A descriptor that may become readable or end; -1 for none.
    package func wait(
        for input: Int32, until deadline: Deadline?
    ) throws(KeychainError) -> Event {
        while true {
            var descriptors = [
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
                pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
            ]
            let longest = EndingSignals.longestWait
            let time = min(deadline?.remaining ?? longest, longest)
            // Safe: the count matches the two entries.
            let count = unsafe poll(&descriptors, 2, Int32(time))
            guard count != -1 || errno == EINTR else {
                throw KeychainError(.io, "can't wait for the terminal")
            }
            // Checked now: a signal that ended a child reached us no later than the child's end.
            if let number = nextSignal() {
                return number == SIGCHLD ? .child : .signal
            }
            if descriptors[0].revents != 0 {
                return .input
            }
            if let deadline, deadline.hasPassed {
                return .deadline
            }
            if count == 0, watchesChildren {
                return .child
            }
        }
    }

    private func nextSignal() -> Int32? {
        var number: UInt8 = 0
        // Safe: the count matches the one byte.
        return unsafe read(readEnd, &number, 1) == 1 ? Int32(number) : nil
    }
}

/// The pipe that signal handlers write to; they can capture nothing, and may run in any thread.
private let signalPipe = Atomic<Int32>(-1)
