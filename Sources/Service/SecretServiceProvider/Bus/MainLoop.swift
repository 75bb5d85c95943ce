#if SecretService
internal import CGLib
internal import Glibc

/// The loop that waits for the bus, for children, descriptors and times: GLib's main loop.
enum MainLoop {
    // Safe: made once, and never freed.
    private nonisolated(unsafe) static let loop = unsafe g_main_loop_new(nil, 0)

    /// Runs until ``stop()``.
    static func run() {
        // Safe: the loop is alive.
        unsafe g_main_loop_run(loop)
    }

    static func stop() {
        // Safe: the loop is alive.
        unsafe g_main_loop_quit(loop)
    }

    /// Calls a closure once when a signal arrives.
    static func whenSignaled(_ signal: Int32, _ body: @escaping () -> Void) {
        // Safe: GLib frees the box after the call.
        unsafe g_unix_signal_add_full(
            G_PRIORITY_DEFAULT, signal,
            { box in
                unsafe Unmanaged<Box<() -> Void>>.fromOpaque(box!).takeUnretainedValue().value()
                return 0
            }, Unmanaged.passRetained(Box(body)).toOpaque(),
            { box in unsafe Unmanaged<AnyObject>.fromOpaque(box!).release() })
    }

    /// Answers what has arrived already.
    static func takeWhatIsThere() {
        while g_main_context_iteration(nil, 0) != 0 {}
    }

    /// Calls a closure once, after some milliseconds. The number returned cancels it.
    @discardableResult
    static func after(milliseconds: UInt32, _ body: @escaping () -> Void) -> UInt32 {
        // Safe: GLib frees the box after the call or the cancelation.
        unsafe g_timeout_add_full(
            G_PRIORITY_DEFAULT, milliseconds,
            { box in
                unsafe Unmanaged<Box<() -> Void>>.fromOpaque(box!).takeUnretainedValue().value()
                return 0
            }, Unmanaged.passRetained(Box(body)).toOpaque(),
            { box in unsafe Unmanaged<AnyObject>.fromOpaque(box!).release() })
    }

    /// Calls a closure once in each round of the loop, as long as it returns true.
    static func eachRound(_ body: @escaping () -> Bool) {
        // Safe: GLib frees the box after the last call.
        _ = unsafe g_idle_add_full(
            G_PRIORITY_DEFAULT,
            { box in
                let body = unsafe Unmanaged<Box<() -> Bool>>.fromOpaque(box!).takeUnretainedValue()
                return body.value() ? 1 : 0
            }, Unmanaged.passRetained(Box(body)).toOpaque(),
            { box in unsafe Unmanaged<AnyObject>.fromOpaque(box!).release() })
    }

    static func cancel(_ number: UInt32) {
        _ = g_source_remove(number)
    }

    /// Calls a closure when a descriptor can be read, as long as it returns true.
    static func whenReadable(_ descriptor: Int32, _ body: @escaping () -> Bool) -> UInt32 {
        // Safe: GLib frees the box after the last call.
        unsafe lanyard_when_readable(
            descriptor,
            { _, _, box in
                let body = unsafe Unmanaged<Box<() -> Bool>>.fromOpaque(box!).takeUnretainedValue()
                return body.value() ? 1 : 0
            }, Unmanaged.passRetained(Box(body)).toOpaque(),
            { box in unsafe Unmanaged<AnyObject>.fromOpaque(box!).release() })
    }

    /// Calls a closure with the exit status of a child that has ended, which is reaped.
    static func whenEnded(_ process: Int32, _ body: @escaping (Int32) -> Void) {
        // Safe: GLib frees the box after the call.
        unsafe g_child_watch_add_full(
            G_PRIORITY_DEFAULT, process,
            { _, status, box in
                let body = unsafe Unmanaged<Box<(Int32) -> Void>>.fromOpaque(box!)
                    .takeUnretainedValue()
                body.value(status)
            }, Unmanaged.passRetained(Box(body)).toOpaque(),
            { box in unsafe Unmanaged<AnyObject>.fromOpaque(box!).release() })
    }

    private final class Box<Value> {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }
}
#endif
