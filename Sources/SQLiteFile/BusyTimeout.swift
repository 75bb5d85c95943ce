internal import LinuxSystem

/// How long a connection has waited for other processes.
struct BusyTimeout {
    /// In milliseconds.
    var timeout: Int64
    /// Whether waiting has failed in this transaction, which then stops waiting. A transaction too
    /// large for memory would otherwise wait for each part it writes.
    var isSpent = false
    private var start: Int64 = 0

    init(timeout: Int64) {
        self.timeout = timeout
    }

    /// SQLite calls it with the number of its calls for the same lock; returning 0 gives up.
    static let handler: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32 = { wait, count in
        // Safe: the database that owns the connection owns this value too, and frees it after
        // closing the connection; SQLite calls in the thread that uses both.
        let wait = unsafe wait!.assumingMemoryBound(to: BusyTimeout.self)
        let now = SystemCalls.monotonicMilliseconds()
        if count == 0 {
            unsafe wait.pointee.start = now
        }
        guard unsafe !wait.pointee.isSpent else {
            return 0
        }
        guard unsafe now - wait.pointee.start < wait.pointee.timeout else {
            unsafe wait.pointee.isSpent = wait.pointee.timeout > 0
            return 0
        }
        // Random: waiting processes then don't wake at the same moment.
        SystemCalls.sleep(milliseconds: UInt32.random(in: 1...(count < 5 ? 4 : 25)))
        return 1
    }
}
