internal import Glibc
internal import SealedStore

/// A descriptor of ours, closed when it ends.
struct Descriptor: ~Copyable {
    let number: Int32

    init(owning number: Int32) {
        self.number = number
    }

    deinit {
        SystemCalls.close(number)
    }
}

/// The two ends of a pipe, which do not survive exec. The corresponding C function is `pipe`.
struct Pipe: ~Copyable {
    let readEnd: Descriptor
    let writeEnd: Descriptor

    init() throws(SystemCallError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw SystemCallError(call: "pipe", code: errno)
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        readEnd = Descriptor(owning: ends[0])
        writeEnd = Descriptor(owning: ends[1])
    }
}
