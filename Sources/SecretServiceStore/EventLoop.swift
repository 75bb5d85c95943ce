#if SecretService
internal import CGIO
internal import KeychainServices
internal import LinuxSystem

/// Waits for the answers of one call of the store, but not longer than the call may take.
///
/// Everything that goes over the bus is sent without waiting and answered through the loop, so a
/// bus or a program that stands still holds up nothing but the loop, which its timer ends.
@safe  // Safe: context, timer and cancellable are its own.
final class EventLoop {
    // Safe: a new context is ours; `deinit` gives it back.
    private let context: OpaquePointer = unsafe g_main_context_new()
    private var timer: UnsafeMutablePointer<GSource>?
    private var limit: Int64 = 0
    /// How many milliseconds are left when the time for the first sign of life is over.
    private var rest: Int64 = 0
    /// Whether the Secret Service itself has answered anything since ``run(limit:silence:_:)`` began.
    private(set) var hasHeard = false
    /// Which ``run(limit:silence:_:)`` it is: an answer to an earlier one says nothing of now.
    private(set) var turn = 0
    /// Whether it may take longer for that.
    private var isSilenceAllowed = false
    /// When ``run(limit:silence:_:)`` began, in milliseconds.
    private var start: Int64 = 0
    /// How many milliseconds late the bus or the own timer is where the whole machine is busy.
    var delayOfBusyMachine: Int64 = 50
    /// Cancelled when the time is over: ends what GLib's own threads still wait for.
    // Safe: a new cancellable is ours; `deinit` gives it back, or `run` where it makes another.
    private(set) var cancellable: UnsafeMutablePointer<GCancellable> = unsafe g_cancellable_new()
    private(set) var isTimeOver = false

    deinit {
        // Safe: the references are ours, and nothing comes after.
        unsafe g_object_unref(cancellable)
        unsafe g_main_context_unref(context)
    }

    /// Runs a closure in which calls can be sent and waited for.
    ///
    /// - Parameters:
    ///   - limit: How many milliseconds it may wait in all.
    ///   - silence: How many milliseconds it may wait for the first ``hear()``.
    func run<Result: ~Copyable>(
        limit: Int64, silence: Int64, _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        // Safe: context and cancellable are ours; what is pushed here is popped here.
        unsafe g_main_context_push_thread_default(context)
        if isTimeOver {
            unsafe g_object_unref(cancellable)
            unsafe cancellable = g_cancellable_new()
        }
        hasHeard = false
        isSilenceAllowed = false
        turn += 1
        start = SystemCalls.monotonicMilliseconds()
        self.limit = min(silence, limit)
        rest = limit - self.limit
        startTimer(self.limit)
        defer {
            stopTimer()
            // Who was cancelled hears of it now.
            while isTimeOver, unsafe g_main_context_iteration(context, 0) != 0 {}
            unsafe g_main_context_pop_thread_default(context)
        }
        return try body()
    }

    /// Runs a closure that sends something whose answer is waited for later.
    func sending(_ body: () -> Void) {
        // Safe: what is pushed here is popped here.
        unsafe g_main_context_push_thread_default(context)
        body()
        unsafe g_main_context_pop_thread_default(context)
    }

    /// Starts the time anew.
    func restart(limit: Int64) {
        stopTimer()
        self.limit = limit
        rest = 0
        startTimer(limit)
    }

    /// Takes note that the Secret Service is there, so that it is waited for as long as the call may take.
    func hear() {
        hasHeard = true
    }

    /// Takes note that the bus answered. Where that is late the machine is busy, and silence means nothing.
    func hearBus() {
        if isLate(after: 0) {
            isSilenceAllowed = true
        }
    }

    private func isLate(after time: Int64) -> Bool {
        SystemCalls.monotonicMilliseconds() - start > time + delayOfBusyMachine
    }

    /// Waits for something that takes its time before the Secret Service can answer: its start.
    func allowSilence() {
        isSilenceAllowed = true
    }

    /// Waits until a condition holds.
    ///
    /// - Throws: ``Status/databaseLocked`` when the time is over before, ``Status/notAvailable`` if the
    ///   Secret Service has not answered anything in it.
    func wait(until condition: () -> Bool) throws(KeychainError) {
        while !condition() {
            guard !isTimeOver else {
                throw hasHeard
                    ? KeychainError(
                        .databaseLocked,
                        "the Secret Service is busy and did not answer within \(limitText)",
                        hint: "try again later, or give it more time with lanyard.timeout")
                    : KeychainError(
                        .notAvailable, "the Secret Service did not answer within \(limitText)")
            }
            // Safe: the context is ours.
            unsafe g_main_context_iteration(context, 1)
        }
    }

    private var limitText: String {
        let tenths = (limit + 99) / 100
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }

    private func startTimer(_ limit: Int64) {
        isTimeOver = false
        // Safe: the loop outlives its timer, which `stopTimer` destroys; the reference is ours.
        let source: UnsafeMutablePointer<GSource> = unsafe g_timeout_source_new(
            guint(clamping: max(limit, 1)))
        unsafe g_source_set_callback(
            source,
            { data in
                unsafe Unmanaged<EventLoop>.fromOpaque(data!).takeUnretainedValue().end()
                return 0
            }, unsafe Unmanaged.passUnretained(self).toOpaque(), nil)
        unsafe g_source_attach(source, context)
        unsafe timer = source
    }

    /// Gives the call the rest of its time.
    private func goOn() {
        let rest = rest
        limit += rest
        self.rest = 0
        stopTimer()
        startTimer(rest)
    }

    private func stopTimer() {
        // Safe: the reference is ours, and not used again.
        if let timer = unsafe timer {
            unsafe g_source_destroy(timer)
            unsafe g_source_unref(timer)
        }
        unsafe timer = nil
    }

    private func end() {
        let mayBeSilent = isSilenceAllowed || isLate(after: limit)
        guard rest == 0 || !hasHeard && !mayBeSilent else {
            goOn()
            return
        }
        isTimeOver = true
        // Safe: the cancellable is ours.
        unsafe g_cancellable_cancel(cancellable)
    }
}
#endif
