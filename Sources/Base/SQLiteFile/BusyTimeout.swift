internal import LinuxSystem

/// How long a connection has waited for other processes.
@safe  // Safe: the database that owns the connection frees this value after closing it.
struct BusyTimeout {
    /// In milliseconds.
    var timeout: Int64
    /// Whether waiting has failed in this transaction, which then stops waiting. A transaction too
    /// large for memory would otherwise wait for each part it writes.
    var isSpent = false
    private var start: Int64 = 0
    /// Nil for a database in memory.
    private let connection: OpaquePointer?

    init(timeout: Int64, of connection: OpaquePointer? = nil) {
        self.timeout = timeout
        // Safe: as above.
        unsafe self.connection = connection
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
        // SQLite would take a journal of the file that is there now for one of this file.
        return unsafe wait.pointee.hasMoved ? 0 : 1
    }

    // Safe: as above.
    private var hasMoved: Bool { unsafe connection.map(Database.hasMoved) ?? false }
}
