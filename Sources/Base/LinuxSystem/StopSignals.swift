internal import Glibc
package import LanyardSecrets
internal import Synchronization

/// The signals that end a program which waits for others: each becomes a byte in a pipe. The program can then
/// clean up.
package struct StopSignals: ~Copyable {
    private let readEnd: Descriptor

    /// Readable once a signal has arrived.
    package var descriptor: Int32 { readEnd.number }

    /// Catches SIGTERM, SIGINT and SIGHUP until the process ends.
    package init() throws(KeychainError) {
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
            unsafe action.__sigaction_handler.sa_handler = { number in
                let code = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = unsafe write(stopPipe.load(ordering: .acquiring), &byte, 1)
                errno = code
            }
            // Safe: a local variable that outlives the call.
            unsafe sigaction(number, &action, nil)
        }
    }

    /// Returns the number of the next signal that has arrived, nil if there is none.
    package borrowing func next() -> Int32? {
        var number: UInt8 = 0
        // Safe: the count matches the one byte.
        return unsafe read(descriptor, &number, 1) == 1 ? Int32(number) : nil
    }
}

/// The pipe that the handler writes to; it can capture nothing.
private let stopPipe = Atomic<Int32>(-1)
