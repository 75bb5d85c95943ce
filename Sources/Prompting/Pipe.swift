internal import Glibc
internal import LinuxSystem

/// The two ends of a pipe, closed on exec. The corresponding C function is `pipe`.
struct Pipe: ~Copyable {
    let readEnd: Descriptor
    let writeEnd: Descriptor

    init() throws(SystemCallError) {
        var ends: [Int32] = [-1, -1]
        // Safe: `pipe` writes two numbers, and the array has two.
        guard unsafe pipe(&ends) == 0 else {
            throw SystemCallError(call: "pipe", code: errno)
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        readEnd = Descriptor(owning: ends[0])
        writeEnd = Descriptor(owning: ends[1])
    }
}
