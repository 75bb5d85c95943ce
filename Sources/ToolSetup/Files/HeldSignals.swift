internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// Keeps the signals that would end the process waiting, ^C's among them, while there is something that
/// must not stay behind.
struct HeldSignals {
    private let before: [(number: Int32, action: sigaction)]

    /// From now on they wait. What the process was told to ignore, as by nohup, stays ignored.
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
        // Safe: local variables, alive for the calls; handlers are compared as the addresses that
        // they are.
        unsafe sigaction(number, nil, &old)
        if unsafe unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self)
            != unsafeBitCast(SIG_IGN, to: Int.self)
        {
            unsafe sigaction(number, &holding, nil)
        }
        return old
    }

    /// Lets them do again what they did, and one that has come in the meantime do it now.
    func release() {
        for (number, action) in before {
            // Safe: what the kernel itself said was in force before.
            var action = action
            unsafe sigaction(number, &action, nil)
        }
        let signal = heldSignal.load(ordering: .relaxed)
        if signal != 0 {
            // Not `raise`: this thread may have all signals blocked, as those of tasks have.
            kill(getpid(), signal)
            // Another thread takes it in a moment.
            SystemCalls.sleep(milliseconds: 1000)
        }
    }
}

/// The signal that came, or 0; a handler can hold nothing of its own, and runs in any thread.
private let heldSignal = Atomic<Int32>(0)
