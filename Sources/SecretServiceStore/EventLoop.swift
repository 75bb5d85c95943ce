#if SecretService
internal import CGIO
internal import Keychain

/// Waits for the answers of one call of the store, but not longer than the call may take.
///
/// Everything that goes over the bus is sent without waiting and answered through the loop, so a
/// bus or a program that stands still holds up nothing but the loop, which its timer ends.
final class EventLoop {
    private let context: OpaquePointer = g_main_context_new()
    private var timer: UnsafeMutablePointer<GSource>?
    private var limit: Int64 = 0
    /// Cancelled when the time is over: ends what GLib's own threads still wait for.
    private(set) var cancellable: UnsafeMutablePointer<GCancellable> = g_cancellable_new()
    private(set) var isTimeOver = false

    deinit {
        g_object_unref(cancellable)
        g_main_context_unref(context)
    }

    /// Runs a closure in which calls can be sent and waited for.
    ///
    /// - Parameter limit: How many milliseconds it may wait in all.
    func run<Result: ~Copyable>(
        limit: Int64, _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        g_main_context_push_thread_default(context)
        if isTimeOver {
            g_object_unref(cancellable)
            cancellable = g_cancellable_new()
        }
        startTimer(limit)
        defer {
            stopTimer()
            // Who was cancelled hears of it now.
            while isTimeOver, g_main_context_iteration(context, 0) != 0 {}
            g_main_context_pop_thread_default(context)
        }
        return try body()
    }

    /// Runs a closure that sends something whose answer is waited for later.
    func sending(_ body: () -> Void) {
        g_main_context_push_thread_default(context)
        body()
        g_main_context_pop_thread_default(context)
    }

    /// Starts the time anew.
    func restart(limit: Int64) {
        stopTimer()
        startTimer(limit)
    }

    /// Waits until a condition holds.
    ///
    /// - Throws: ``Status/notAvailable`` when the time is over before.
    func wait(until condition: () -> Bool) throws(KeychainError) {
        while !condition() {
            guard !isTimeOver else {
                throw KeychainError(
                    .notAvailable, "the Secret Service did not answer within \(limitText)")
            }
            g_main_context_iteration(context, 1)
        }
    }

    private var limitText: String {
        let tenths = (limit + 99) / 100
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }

    private func startTimer(_ limit: Int64) {
        self.limit = limit
        isTimeOver = false
        let source: UnsafeMutablePointer<GSource> = g_timeout_source_new(
            guint(clamping: max(limit, 1)))
        // The loop outlives its timer.
        g_source_set_callback(
            source,
            { data in
                Unmanaged<EventLoop>.fromOpaque(data!).takeUnretainedValue().end()
                return 0
            }, Unmanaged.passUnretained(self).toOpaque(), nil)
        g_source_attach(source, context)
        timer = source
    }

    private func stopTimer() {
        if let timer {
            g_source_destroy(timer)
            g_source_unref(timer)
        }
        timer = nil
    }

    private func end() {
        isTimeOver = true
        g_cancellable_cancel(cancellable)
    }
}
#endif
