#if SecretService
internal import CLibsecret
internal import KeychainServices
internal import LinuxSystem
internal import Synchronization

/// Ends a call of the store that takes too long. Its thread cancels libsecret's wait, and closes
/// the connection if even that does not help.
@safe  // Safe: queue and cancellable are its own, and GLib lets any thread use them.
final class CallWatch: @unchecked Sendable {
    /// All times are in milliseconds.
    private struct Call {
        /// The call's number: what is known about an earlier one does not apply to it.
        var number = 0
        var isRunning = false
        var isOver = false
        /// Whether the Secret Service itself has answered anything.
        var hasHeard = false
        var isSilenceAllowed = false
        var start: Int64 = 0
        var silence: Int64 = 0
        var limit: Int64 = 0
        var connection: BusConnection?
        var owner: String?

        /// The time for asking programs that have given no sign of life.
        var askTime: Int64 { silence / 4 }
    }

    private struct State {
        var call = Call()
        /// The time at which the thread wakes up without a message, nil for never.
        var wakingTime: Int64?
        var isStopped = false
    }

    private let state = Mutex(State())
    /// How many milliseconds late the bus or the thread may be on a busy machine.
    private let delayOfBusyMachine: Int64
    // Safe: new objects are ours; `deinit` gives them back.
    /// Wakes the thread.
    private let queue: OpaquePointer = unsafe g_async_queue_new()
    /// The argument that cancels libsecret's calls.
    let cancellable: UnsafeMutablePointer<GCancellable> = unsafe g_cancellable_new()

    /// Creates a watch whose thread starts with the first call.
    init(delayOfBusyMachine: Int64 = 50) {
        self.delayOfBusyMachine = delayOfBusyMachine
    }

    deinit {
        // Safe: the thread, which has its own reference, has ended.
        unsafe g_async_queue_unref(queue)
        unsafe g_object_unref(cancellable)
    }

    /// Ends the thread. No calls may follow.
    func stop() {
        state.withLock { $0.isStopped = true }
        wake()
    }

    /// Runs a closure, and cancels its wait after the time limit.
    ///
    /// - Parameters:
    ///   - limit: The most milliseconds for the whole call.
    ///   - silence: The milliseconds that the Secret Service has for its first sign of life.
    func run<Result: ~Copyable>(
        limit: Int64, silence: Int64, _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        if isOver {
            // Safe: no call is waiting now.
            unsafe g_cancellable_reset(cancellable)
        }
        begin(limit: limit, silence: min(silence, limit))
        defer { state.withLock { $0.call.isRunning = false } }
        return try body()
    }

    /// Restarts the time, for the user's answer.
    func restart(limit: Int64) {
        begin(limit: limit, silence: limit)
        hear()
    }

    private func begin(limit: Int64, silence: Int64) {
        let call = Call(
            isRunning: true, start: SystemCalls.monotonicMilliseconds(), silence: silence,
            limit: limit)
        let wakingTime = state.withLock { state in
            let before = state.call
            state.call = call
            state.call.number = before.number + 1
            (state.call.connection, state.call.owner) = (before.connection, before.owner)
            defer { state.wakingTime = state.wakingTime ?? .max }
            return state.wakingTime
        }
        guard let wakingTime else {
            // Safe: the thread gives the reference back; it is not joined.
            return unsafe g_thread_unref(
                g_thread_new(
                    "lanyard-watch",
                    { data in
                        unsafe Unmanaged<CallWatch>.fromOpaque(data!).takeRetainedValue().watch()
                        return nil
                    }, Unmanaged.passRetained(self).toOpaque()))
        }
        if wakingTime > call.start + call.askTime {
            wake()
        }
    }

    private func wake() {
        // Safe: only a number other than 0 is pushed.
        unsafe g_async_queue_push(queue, UnsafeMutableRawPointer(bitPattern: 1))
    }

    // MARK: Reports from the call

    /// Records the program that the call waits for.
    func expect(_ connection: BusConnection, owner: String? = nil) {
        state.withLock {
            $0.call.connection = connection
            $0.call.owner = owner
        }
    }

    /// Records a sign of life: the call may now take its full time.
    func hear() { state.withLock { $0.call.hasHeard = true } }

    /// Allows silence while the Secret Service starts and can't answer yet.
    func allowSilence() { state.withLock { $0.call.isSilenceAllowed = true } }

    var isOver: Bool { state.withLock { $0.call.isOver } }

    /// The error after the time limit: ``Status/databaseLocked``, or ``Status/notAvailable`` if the
    /// Secret Service has not answered anything.
    var failure: KeychainError {
        let call = state.withLock { $0.call }
        let tenths = (call.limit + 99) / 100
        let text = tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
        return call.hasHeard
            ? KeychainError(
                .databaseLocked,
                "the Secret Service is busy and did not answer within \(text)",
                hint: "try again later, or give it more time with lanyard.timeout")
            : KeychainError(.notAvailable, "the Secret Service did not answer within \(text)")
    }

    // MARK: The thread

    private func watch() {
        while let call = next() {
            guard sleep(call, until: call.askTime), ask(call), sleep(call, until: call.silence)
            else {
                continue
            }
            let late = SystemCalls.monotonicMilliseconds() - call.start - call.silence
            let isSilent = state.withLock { !$0.call.hasHeard && !$0.call.isSilenceAllowed }
            let time = isSilent && late <= delayOfBusyMachine ? call.silence : call.limit
            guard sleep(call, until: time), cancel(call, after: time),
                sleep(call, until: time + CallWatch.grace)
            else {
                continue
            }
            state.withLock { $0.call.connection }?.close()
        }
    }

    /// Returns the next call to watch, nil if there will be none.
    private func next() -> Call? {
        while true {
            let (call, isStopped) = state.withLock { ($0.call, $0.isStopped) }
            guard !isStopped else {
                return nil
            }
            guard !call.isRunning || call.isOver else {
                return call
            }
            sleep(until: nil)
        }
    }

    /// Asks programs without a sign of life for one. If the bus is late the machine is busy, and
    /// silence means nothing.
    ///
    /// - Returns: Whether the call is still running.
    private func ask(_ call: Call) -> Bool {
        let now = state.withLock { $0.call }
        guard !now.hasHeard, let connection = now.connection, let owner = now.owner else {
            return true
        }
        let start = SystemCalls.monotonicMilliseconds()
        let rest = max(call.start + call.silence - start, 1)
        guard connection.answers("org.freedesktop.DBus", within: rest) else {
            return true
        }
        let delay = SystemCalls.monotonicMilliseconds() - start
        let hasAnswered = connection.answers(owner, within: max(rest - delay, 1))
        return state.withLock { [delayOfBusyMachine] state in
            guard state.call.number == call.number else {
                return false
            }
            state.call.hasHeard = state.call.hasHeard || hasAnswered
            state.call.isSilenceAllowed =
                state.call.isSilenceAllowed || delay > delayOfBusyMachine
            return state.call.isRunning
        }
    }

    /// - Returns: Whether the call was still running.
    private func cancel(_ call: Call, after time: Int64) -> Bool {
        let isCancelled = state.withLock { state in
            guard state.call.isRunning, state.call.number == call.number else {
                return false
            }
            state.call.isOver = true
            state.call.limit = time
            return true
        }
        if isCancelled {
            // Safe: the cancellable is ours.
            unsafe g_cancellable_cancel(cancellable)
        }
        return isCancelled
    }

    /// Sleeps until some time after the call's start.
    ///
    /// - Returns: Whether the call is still running.
    private func sleep(_ call: Call, until time: Int64) -> Bool {
        while true {
            let now = SystemCalls.monotonicMilliseconds()
            let goesOn = state.withLock {
                $0.call.isRunning && $0.call.number == call.number && !$0.isStopped
            }
            guard goesOn, now < call.start + time else {
                return goesOn
            }
            sleep(until: call.start + time)
        }
    }

    private func sleep(until time: Int64?) {
        state.withLock { $0.wakingTime = time ?? .max }
        let rest = time.map { max($0 - SystemCalls.monotonicMilliseconds(), 0) }
        // Safe: the queue is ours, and its elements are not used as pointers.
        if let rest {
            _ = unsafe g_async_queue_timeout_pop(queue, guint64(rest) * 1_000)
        } else {
            _ = unsafe g_async_queue_pop(queue)
        }
        state.withLock { $0.wakingTime = .max }
    }

    /// How long a canceled call may still run.
    private static let grace: Int64 = 500
}
#endif
