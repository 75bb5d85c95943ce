internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// Defers the signals that would end the process, including ^C's, while it has something to clean up.
struct HeldSignals {
    private let before: [(number: Int32, action: sigaction)]

    /// Defers signals from now on. Signals ignored by the parent's wish, as under nohup, stay ignored.
    init() {
        heldSignal.store(0, ordering: .relaxed)
        before = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].map {
            (number: $0, action: HeldSignals.take($0))
        }
    }

    /// - Returns: What the signal did before.
    private static func take(_ number: Int32) -> sigaction {
        var holding = sigaction()
        // Safe: the handler only stores a number, without a lock.
        unsafe holding.__sigaction_handler.sa_handler = { heldSignal.store($0, ordering: .relaxed) }
        var old = sigaction()
        // Safe: local variables that outlive the calls; handlers are compared by address only.
        unsafe sigaction(number, nil, &old)
        if unsafe unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self)
            != unsafeBitCast(SIG_IGN, to: Int.self)
        {
            unsafe sigaction(number, &holding, nil)
        }
        return old
    }

    /// Restores what the signals did, and delivers one that came in the meantime.
    func release() {
        for (number, action) in before {
            // Safe: the kernel itself returned this action earlier.
            var action = action
            unsafe sigaction(number, &action, nil)
        }
        let signal = heldSignal.load(ordering: .relaxed)
        if signal != 0 {
            // Not `raise`: this thread may block all signals, as those of tasks do.
            kill(getpid(), signal)
            // Another thread receives it in a moment.
            SystemCalls.sleep(milliseconds: 1000)
        }
    }
}

/// The signal that arrived, or 0; a handler can capture nothing, and runs in any thread.
private let heldSignal = Atomic<Int32>(0)
