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
