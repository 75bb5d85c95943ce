internal import Glibc
internal import KeychainServices
internal import LinuxSystem
internal import Synchronization

/// Takes the signals that would end or stop the process, those of ^C, ^\ and ^Z among them, until
/// ``restore()``: while a person is asked, they are an answer.
///
/// Each puts a byte into a pipe, so that none is lost between two calls; handlers, since blocking
/// signals would do so in one thread only.
struct EndingSignals {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
    /// How many milliseconds pass before children are looked at without a signal, which who started
    /// us may have blocked.
    private static let longestWait: Int64 = 1000

    /// What a wait ended with.
    enum Event {
        case input
        case signal
        /// A child may have ended.
        case child
        case deadline
    }

    private let readEnd: Int32
    private let watchesChildren: Bool
    private let before: [(number: Int32, action: sigaction)]

    /// - Parameter andChildren: Whether a child's end is waited for, too.
    init(andChildren: Bool = false) throws(KeychainError) {
        var ends: [Int32] = [-1, -1]
        // Safe: it writes two numbers, and there are two.
        guard unsafe pipe(&ends) == 0 else {
            throw KeychainError(.io, "signals can't be waited for")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
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
        // Safe: the handler calls nothing but `write`, of one byte that there is, and leaves errno
        // as it was.
        unsafe taking.__sigaction_handler.sa_handler = { number in
            let code = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = unsafe write(signalPipe.load(ordering: .acquiring), &byte, 1)
            errno = code
        }
        var old = sigaction()
        // Safe: local variables, alive for the call.
        unsafe sigaction(number, nil, &old)
        // What the program was told to ignore, as by nohup, stays ignored; but a child's end must
        // not be, or how it ended is lost.
        // Safe: handlers are compared as the addresses that they are.
        if unsafe number == SIGCHLD
            || unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self)
                != unsafeBitCast(SIG_IGN, to: Int.self)
        {
            unsafe sigaction(number, &taking, nil)
        }
        return old
    }

    /// Lets signals do again what they did before.
    func restore() {
        for (number, action) in before {
            // Safe: what the kernel itself said was in force before.
            var action = action
            unsafe sigaction(number, &action, nil)
        }
        SystemCalls.close(signalPipe.exchange(-1, ordering: .acquiringAndReleasing))
        SystemCalls.close(readEnd)
    }

    /// Waits until there is something to read.
    ///
    /// - Returns: Whether there is; not if a signal came first.
    func waitForInput(_ input: Int32) throws(KeychainError) -> Bool {
        try wait(for: input, until: nil) == .input
    }

    /// Waits until something happens. A signal goes before input.
    ///
    /// - Parameter input: What may become readable or end; -1 for nothing.
    func wait(for input: Int32, until deadline: Deadline?) throws(KeychainError) -> Event {
        while true {
            var descriptors = [
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
                pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
            ]
            let longest = EndingSignals.longestWait
            let time = min(deadline?.remaining ?? longest, longest)
            // Safe: it is told of two entries, and there are two.
            let count = unsafe poll(&descriptors, 2, Int32(time))
            guard count != -1 || errno == EINTR else {
                throw KeychainError(.io, "the terminal can't be waited for")
            }
            // Looked at now: a signal that ended a child came to us no later than the child's end.
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
        // Safe: it is told of one byte, and there is one.
        return unsafe read(readEnd, &number, 1) == 1 ? Int32(number) : nil
    }
}

/// Where a signal's handler writes; a handler can hold nothing of its own. Any thread may be the one
/// that a signal finds.
private let signalPipe = Atomic<Int32>(-1)
