#if SecretService
internal import CLibsecret
internal import KeychainServices
internal import LinuxSystem
internal import Synchronization

/// Ends a call of the store that takes too long: a thread of its own cancels what libsecret waits for then, and
/// closes the connection where even that helps nothing.
@safe  // Safe: queue and cancellable are its own, and GLib lets any thread use them.
final class CallWatch: @unchecked Sendable {
    /// All times are in milliseconds.
    private struct Call {
        /// Which one it is: what was found out about an earlier one says nothing of now.
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

        /// When those are asked who have not shown by themselves that they are there.
        var askTime: Int64 { silence / 4 }
    }

    private struct State {
        var call = Call()
        /// When the thread wakes by itself if nothing wakes it, nil as long as there is none.
        var wakingTime: Int64?
        var isStopped = false
    }

    private let state = Mutex(State())
    /// How many milliseconds late the bus or the thread is where the whole machine is busy.
    private let delayOfBusyMachine: Int64
    // Safe: new objects are ours; `deinit` gives them back.
    /// What wakes the thread.
    private let queue: OpaquePointer = unsafe g_async_queue_new()
    /// What libsecret's calls are given.
    let cancellable: UnsafeMutablePointer<GCancellable> = unsafe g_cancellable_new()

    /// A watch whose thread starts with the first call.
    init(delayOfBusyMachine: Int64 = 50) {
        self.delayOfBusyMachine = delayOfBusyMachine
    }

    deinit {
        // Safe: the thread, which has a reference of its own, has ended.
        unsafe g_async_queue_unref(queue)
        unsafe g_object_unref(cancellable)
    }

    /// Ends the thread. Nothing is called after that.
    func stop() {
        state.withLock { $0.isStopped = true }
        wake()
    }

    /// Runs a closure, and cancels what it waits for when the time is over.
    ///
    /// - Parameters:
    ///   - limit: How many milliseconds it may take in all.
    ///   - silence: How many milliseconds the Secret Service has for its first sign of life.
    func run<Result: ~Copyable>(
        limit: Int64, silence: Int64, _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        if isOver {
            // Safe: nobody waits for anything now.
            unsafe g_cancellable_reset(cancellable)
        }
        begin(limit: limit, silence: min(silence, limit))
        defer { state.withLock { $0.call.isRunning = false } }
        return try body()
    }

    /// Starts the time anew, for a person's answer.
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
        // Safe: what is pushed is no more than a number that is not 0.
        unsafe g_async_queue_push(queue, UnsafeMutableRawPointer(bitPattern: 1))
    }

    // MARK: What the call says

    /// Takes note of whom it waits for.
    func expect(_ connection: BusConnection, owner: String? = nil) {
        state.withLock {
            $0.call.connection = connection
            $0.call.owner = owner
        }
    }

    /// Takes note that the Secret Service is there, so that it is waited for as long as the call may take.
    func hear() { state.withLock { $0.call.hasHeard = true } }

    /// Waits for something that takes its time before the Secret Service can answer: its start.
    func allowSilence() { state.withLock { $0.call.isSilenceAllowed = true } }

    var isOver: Bool { state.withLock { $0.call.isOver } }

    /// That the time is over: ``Status/databaseLocked``, or ``Status/notAvailable`` if the Secret Service has not
    /// answered anything in it.
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

    /// The next call that is to be watched, nil if there will be none.
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

    /// Asks for signs of life, where none were given. Where the bus is late the machine is busy, and silence means
    /// nothing.
    ///
    /// - Returns: Whether the call still goes on.
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

    /// - Returns: Whether the call still went on.
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

    /// Sleeps until a time after the call's begin.
    ///
    /// - Returns: Whether the call still goes on.
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
        // Safe: the queue is ours, and what comes out of it is no pointer.
        if let rest {
            _ = unsafe g_async_queue_timeout_pop(queue, guint64(rest) * 1_000)
        } else {
            _ = unsafe g_async_queue_pop(queue)
        }
        state.withLock { $0.wakingTime = .max }
    }

    /// How long a call may go on that was cancelled.
    private static let grace: Int64 = 500
}
#endif
