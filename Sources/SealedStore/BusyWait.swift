internal import LinuxSystem

/// How long a connection has waited for other processes.
struct BusyWait {
    let timeout: Int64
    private var start: Int64 = 0

    init(timeout: Int64) {
        self.timeout = timeout
    }

    /// Called by SQLite with the number of times it has been called for the same lock; 0 gives up.
    static let handler: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32 = { wait, count in
        let wait = wait!.assumingMemoryBound(to: BusyWait.self)
        let now = SystemCalls.monotonicMilliseconds()
        if count == 0 {
            wait.pointee.start = now
        }
        guard now - wait.pointee.start < wait.pointee.timeout else {
            return 0
        }
        // Random, so that many processes that wait don't wake at the same moment.
        SystemCalls.sleep(milliseconds: UInt32.random(in: 1...(count < 5 ? 4 : 25)))
        return 1
    }
}
