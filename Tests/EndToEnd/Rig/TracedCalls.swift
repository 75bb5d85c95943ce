/// The system calls that strace sees of a program and can kill it at: every time at the same place, however busy the
/// machine is.
struct TracedCalls {
    /// With commas between them.
    let names: String
    /// Where strace writes what it sees.
    let file: String
    /// Whether the program's own processes are traced too.
    var followsProcesses = true

    /// The arguments of strace before the program's.
    ///
    /// - Parameter step: The number of the call that it is killed at, from 1 in each thread; nil for none.
    func arguments(killedAt step: Int?) -> [String] {
        (followsProcesses ? ["-f"] : []) + ["-qq", "-o", file, "-e", "trace=\(names)"]
            + (step.map { ["-e", "inject=\(names):signal=SIGKILL:when=\($0)"] } ?? [])
    }

    /// How many calls of all threads were seen.
    func count(_ home: ScratchHome) throws -> Int {
        try home.read(file).count { $0 == UInt8(ascii: "\n") }
    }
}
