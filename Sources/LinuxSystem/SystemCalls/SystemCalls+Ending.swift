package import Glibc

extension SystemCalls {
    /// How many milliseconds it has to end by itself, to clean up when it is told to end, and to be
    /// gone when it is killed.
    private static let grace: (byItself: Int64, toEnd: Int64, toBeKilled: Int64) = (100, 200, 2000)

    /// Ends a child and takes it off the list of processes.
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

    /// Waits until a child has ended, and takes it off the list of processes then. The corresponding C
    /// function is `waitpid`.
    ///
    /// - Returns: Its exit status, 128 and the signal's number if one ended it; nil if it runs when the
    ///   deadline has passed.
    package static func exitStatus(of identifier: pid_t, until deadline: Deadline) -> Int32? {
        var status: Int32 = 0
        while true {
            // Safe: the variable lives for the call.
            if unsafe waitpid(identifier, &status, WNOHANG) != 0 {
                // <sys/wait.h>: the low seven bits are the signal, the second byte the exit status.
                let signal = status & 0x7F
                return signal == 0 ? status >> 8 & 0xFF : 128 + signal
            }
            guard !deadline.hasPassed else {
                return nil
            }
            SystemCalls.sleep(milliseconds: 2)
        }
    }

    /// Whether a child has ended, which stays on the list of processes. The corresponding C function is
    /// `waitid` with WNOWAIT.
    package static func hasEndedUnnoticed(_ identifier: pid_t) -> Bool {
        // Safe: the variable lives for the call, and of it a number alone is read.
        var information = unsafe siginfo_t()
        let result = unsafe waitid(
            P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT)
        // It is all zeros where nothing has happened.
        return unsafe result != 0 || information.si_signo != 0
    }

    private static func isGone(_ identifier: pid_t, within milliseconds: Int64) -> Bool {
        let deadline = Deadline(milliseconds: milliseconds)
        repeat {
            guard waitpid(identifier, nil, WNOHANG) == 0 else {
                return true
            }
            SystemCalls.sleep(milliseconds: 2)
        } while !deadline.hasPassed
        return false
    }
}
