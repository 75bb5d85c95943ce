internal import Glibc
internal import LinuxSystem

/// Keeps the signals that would end the process waiting, ^C's among them, while there is something that
/// must not stay behind.
struct HeldSignals {
    private let before: [(number: Int32, action: sigaction)]

    /// From now on they wait. What the process was told to ignore, as by nohup, stays ignored.
    init() {
        // Safe: handlers alone write it from here on, and none is installed yet.
        unsafe heldSignal = 0
        before = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].map {
            (number: $0, action: HeldSignals.take($0))
        }
    }

    /// - Returns: What the signal did before.
    private static func take(_ number: Int32) -> sigaction {
        var holding = sigaction()
        // Safe: the handler only writes a number of 32 bits.
        unsafe holding.__sigaction_handler.sa_handler = { number in unsafe heldSignal = number }
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
        // Safe: no handler of ours is left that could write it.
        if unsafe heldSignal != 0 {
            // Not `raise`: this thread may have all signals blocked, as those of tasks have.
            unsafe kill(getpid(), heldSignal)
            // Another thread takes it in a moment.
            SystemCalls.sleep(milliseconds: 1000)
        }
    }
}

/// The signal that came; a handler can hold nothing of its own.
// Safe: a number of 32 bits, which nothing else writes while the handlers are installed.
nonisolated(unsafe) private var heldSignal: Int32 = 0
