internal import Glibc
internal import KeychainServices
internal import LinuxSystem
internal import Synchronization

extension PassphraseFile {
    /// When to wait before a read.
    private enum Wait {
        /// When a read reports that it would block.
        case whenTold
        /// Before the first read, which would otherwise report a false end.
        case first
        /// Always, because a read would not report that it blocks.
        case always
    }

    /// The descriptors that were read, which have FD_CLOEXEC since then.
    private static let inherited = Mutex<Set<Int32>>([])

    /// Makes the programs that this one starts not inherit a descriptor.
    ///
    /// - Throws: EBADF also for a file that this program has opened itself, such as the keychain's: it gets the
    ///   number if the descriptor was closed before.
    private static func keep(_ number: Int32) throws(SystemCallError) {
        let flags = try SystemCalls.perform("fcntl") { fcntl(number, F_GETFD) }
        try inherited.withLock { inherited throws(SystemCallError) in
            guard flags & FD_CLOEXEC == 0 || inherited.contains(number) else {
                throw SystemCallError(call: "fcntl", code: EBADF)
            }
            inherited.insert(number)
        }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }

    /// Returns all bytes, or more of them than a passphrase and a newline can have.
    ///
    /// - Parameter timeLimit: In milliseconds.
    /// - Throws: EBADF for a descriptor that was not inherited, EISDIR for a folder, ETIMEDOUT, EINVAL for
    ///   anything but a file or a pipe, and what reading throws.
    static func content(
        of place: Place, within timeLimit: Int64
    ) throws(SystemCallError) -> Secret {
        let deadline = Deadline(milliseconds: timeLimit)
        switch place {
        case .path(let path):
            let handle = try open(path)
            // A named pipe without a writer looks as if it were at its end.
            let isPipe = try kind(of: handle.number) == S_IFIFO
            return try read(handle.number, until: deadline, waiting: isPipe ? .first : .whenTold)
        case .descriptor(let number):
            try keep(number)
            let kind = try kind(of: number)
            if kind == S_IFREG {
                return try readFromStart(number)
            }
            // Non-blocking mode belongs to the open file, which other processes share.
            guard let handle = try? open("/proc/self/fd/\(number)") else {
                return try read(number, until: deadline, waiting: .always)
            }
            return try read(handle.number, until: deadline, waiting: .whenTold)
        }
    }

    private static func open(_ path: String) throws(SystemCallError) -> Descriptor {
        Descriptor(owning: try SystemCalls.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY))
    }

    private static func kind(of descriptor: Int32) throws(SystemCallError) -> mode_t {
        let kind = try SystemCalls.fstat(descriptor).st_mode & S_IFMT
        switch kind {
        case S_IFREG, S_IFIFO, S_IFCHR, S_IFSOCK: return kind
        case S_IFDIR: throw SystemCallError(call: "fstat", code: EISDIR)
        default: throw SystemCallError(call: "fstat", code: EINVAL)
        }
    }

    private static func readFromStart(_ descriptor: Int32) throws(SystemCallError) -> Secret {
        // Safe: `read` gets the size of the memory along with it.
        try unsafe readParts { memory, offset throws(SystemCallError) in
            try unsafe SystemCalls.read(descriptor, memory, at: offset)
        }
    }

    private static func read(
        _ descriptor: Int32, until deadline: Deadline, waiting: Wait
    ) throws(SystemCallError) -> Secret {
        // Safe: `read` gets the size of the memory along with it.
        try unsafe readParts { memory, count throws(SystemCallError) in
            if waiting == .always || waiting == .first && count == 0 {
                try wait(for: descriptor, until: deadline)
            }
            while true {
                do throws(SystemCallError) {
                    return try unsafe SystemCalls.read(descriptor, memory)
                } catch  where error.code == EAGAIN {
                }
                try wait(for: descriptor, until: deadline)
            }
        }
    }

    /// - Parameter part: Reads into the memory after so many bytes; 0 is the end.
    private static func readParts(
        _ part: (UnsafeMutableRawBufferPointer, Int) throws(SystemCallError) -> Int
    ) throws(SystemCallError) -> Secret {
        // Room for a newline, and for one byte that reveals a longer passphrase.
        // Safe: each part gets the rest of the memory and returns how much of it it wrote.
        try unsafe Secret(capacity: sizeLimit + 2) { memory throws(SystemCallError) in
            var count = 0
            while count < memory.count {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...])
                let more = try unsafe part(rest, count)
                guard more > 0 else {
                    break
                }
                count += more
            }
            return count
        }
    }

    private static func wait(
        for descriptor: Int32, until deadline: Deadline
    ) throws(SystemCallError) {
        guard try SystemCalls.wait(for: descriptor, .readable, until: deadline) else {
            throw SystemCallError(call: "poll", code: ETIMEDOUT)
        }
    }
}
