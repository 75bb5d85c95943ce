package import Glibc

extension SystemCalls {
    /// The milliseconds to wait for the process: without a signal, after SIGTERM for cleaning up,
    /// and after SIGKILL.
    private static let grace: (byItself: Int64, toEnd: Int64, toBeKilled: Int64) = (100, 200, 2000)

    /// Ends a child process and reaps it.
    package static func endProcess(_ identifier: pid_t) {
        // ^C has reached it, too, and a second signal would keep curses from cleaning up.
        guard !isGone(identifier, within: grace.byItself) else {
            return
        }
        kill(identifier, SIGTERM)
        // ^Z may have stopped it.
        kill(identifier, SIGCONT)
        guard !isGone(identifier, within: grace.toEnd) else {
            return
        }
        kill(identifier, SIGKILL)
        _ = isGone(identifier, within: grace.toBeKilled)
    }

    /// Kills a child process that has a session of its own, with its children, and reaps it. The corresponding C
    /// function is `kill` with SIGKILL.
    package static func killSession(_ identifier: pid_t) {
        kill(-identifier, SIGKILL)
        kill(identifier, SIGKILL)
        _ = isGone(identifier, within: grace.toBeKilled)
    }

    /// Waits until a child has ended, and reaps it. The corresponding C function is `waitpid`.
    ///
    /// - Parameter mayGoOn: Whether to wait longer; called every 2 milliseconds.
    /// - Returns: Its exit status, 128 plus the number of the signal that ended it, or 255 if the kernel
    ///   doesn't know, because the process ignores SIGCHLD; nil if it still runs at the deadline, or when it
    ///   may not go on.
    package static func exitStatus(
        of identifier: pid_t, until deadline: Deadline, while mayGoOn: () -> Bool = { true }
    ) -> Int32? {
        var status: Int32 = 0
        while true {
            // Safe: the variable lives for the call.
            switch unsafe waitpid(identifier, &status, WNOHANG) {
            case 0: break
            case -1: return 255
            default:
                // <sys/wait.h>: the low seven bits are the signal, the second byte the exit status.
                let signal = status & 0x7F
                return signal == 0 ? status >> 8 & 0xFF : 128 + signal
            }
            guard !deadline.hasPassed, mayGoOn() else {
                return nil
            }
            SystemCalls.sleep(milliseconds: 2)
        }
    }

    /// Returns whether a child has ended, without reaping it. The corresponding C function is
    /// `waitid` with WNOWAIT.
    package static func hasEndedUnnoticed(_ identifier: pid_t) -> Bool {
        // Safe: the variable lives for the call, and only a number is read from it.
        var information = unsafe siginfo_t()
        let result = unsafe waitid(
            P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT)
        // All zeros if nothing has happened.
        return unsafe result != 0 || information.si_signo != 0
    }

    private static func isGone(_ identifier: pid_t, within milliseconds: Int64) -> Bool {
        Deadline(milliseconds: milliseconds).wait(every: 2) { hasEnded(identifier) }
    }
}
