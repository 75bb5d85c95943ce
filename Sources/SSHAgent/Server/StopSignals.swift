internal import Glibc
internal import KeychainServices
internal import LinuxSystem
internal import Synchronization

/// The signals that end the agent: each becomes a byte in a pipe. The agent can then remove the socket's file.
struct StopSignals: ~Copyable {
    private let readEnd: Descriptor

    /// Readable once a signal has arrived.
    var descriptor: Int32 { readEnd.number }

    /// Catches SIGTERM, SIGINT and SIGHUP until the process ends.
    init() throws(KeychainError) {
        var ends: [Int32] = [-1, -1]
        // Safe: `pipe` writes two numbers, and the array has two.
        guard unsafe pipe(&ends) == 0 else {
            throw KeychainError(.io, "can't wait for signals")
        }
        for end in ends {
            SystemCalls.closeOnExec(end)
            SystemCalls.stopBlocking(end)
        }
        readEnd = Descriptor(owning: ends[0])
        stopPipe.store(ends[1], ordering: .releasing)
        for number in [SIGTERM, SIGINT, SIGHUP] {
            var action = sigaction()
            // Safe: the handler only calls `write`, with one valid byte, and preserves errno.
            unsafe action.__sigaction_handler.sa_handler = { _ in
                let code = errno
                var byte: UInt8 = 0
                _ = unsafe write(stopPipe.load(ordering: .acquiring), &byte, 1)
                errno = code
            }
            // Safe: a local variable that outlives the call.
            unsafe sigaction(number, &action, nil)
        }
    }
}

/// The pipe that the handler writes to; it can capture nothing.
private let stopPipe = Atomic<Int32>(-1)
