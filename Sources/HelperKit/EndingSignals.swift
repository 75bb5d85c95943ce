internal import Glibc
internal import Keychain
internal import SealedStore

/// Takes the signals that would end or stop the process, those of ^C, ^\ and ^Z among them, until
/// ``restore()``: while a person is asked, they are an answer.
///
/// Each puts a byte into a pipe, so that none is lost between two calls; handlers, since blocking
/// signals would do so in one thread only.
struct EndingSignals {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]

    private let readEnd: Int32
    private let before: [sigaction]

    init() throws(KeychainError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw KeychainError(.io, "signals can't be waited for")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        readEnd = ends[0]
        signalPipe = ends[1]
        before = EndingSignals.numbers.map { number in
            var taking = sigaction()
            taking.__sigaction_handler.sa_handler = { _ in
                let code = errno
                var byte: UInt8 = 0
                _ = write(signalPipe, &byte, 1)
                errno = code
            }
            var old = sigaction()
            sigaction(number, nil, &old)
            // What the program was told to ignore, as by nohup, stays ignored.
            if unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self)
                != unsafeBitCast(SIG_IGN, to: Int.self)
            {
                sigaction(number, &taking, nil)
            }
            return old
        }
    }

    /// Lets signals do again what they did before.
    func restore() {
        for (number, action) in zip(EndingSignals.numbers, before) {
            var action = action
            sigaction(number, &action, nil)
        }
        SystemCalls.close(signalPipe)
        SystemCalls.close(readEnd)
    }

    /// Waits until there is something to read.
    ///
    /// - Returns: Whether there is; not if a signal came first.
    func waitForInput(_ input: Int32) throws(KeychainError) -> Bool {
        var descriptors = [
            pollfd(fd: input, events: Int16(POLLIN), revents: 0),
            pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&descriptors, 2, -1) == -1 {
            guard errno == EINTR else {
                throw KeychainError(.io, "the terminal can't be waited for")
            }
        }
        return descriptors[1].revents == 0
    }
}

/// Where a signal's handler writes; a handler can hold nothing of its own.
nonisolated(unsafe) private var signalPipe: Int32 = -1
