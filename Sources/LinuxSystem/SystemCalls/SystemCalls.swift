package import Glibc
internal import CLinux
package import Secrets

/// The calls into the operating system, each with interruptions (EINTR) taken care of. What fails
/// throws ``SystemCallError``.
///
/// In debug builds a test can make any of them fail.
package enum SystemCalls {
    #if DEBUG
    /// Asked before each call: an errno makes the call fail with it.
    @TaskLocal package static var injectedError: (@Sendable (String) -> Int32?)?
    #endif

    /// Runs a call until it is not interrupted; a result of -1 is its failure.
    package static func perform<Number: SignedInteger>(
        _ name: String, _ body: () -> Number
    ) throws(SystemCallError) -> Number {
        while true {
            var result: Number
            #if DEBUG
            if let injected = injectedError?(name) {
                errno = injected
                result = -1
            } else {
                result = body()
            }
            #else
            result = body()
            #endif
            if result != -1 {
                return result
            }
            let code = errno
            if code != EINTR {
                throw SystemCallError(call: name, code: code)
            }
        }
    }

    /// The folder that relative paths begin at where no other is given. The corresponding constant is
    /// AT_FDCWD.
    package static let currentFolder = AT_FDCWD

    /// Opens a file; the descriptor does not survive exec. The corresponding C function is `openat`.
    package static func open(
        _ path: String, _ flags: Int32, mode: UInt32 = 0, in folder: Int32 = currentFolder
    ) throws(SystemCallError) -> Int32 {
        // Safe: the path has its NUL at the end and lives for the call, as does what is filled in.
        try perform("open") { unsafe openat(folder, path, flags | O_CLOEXEC, mode) }
    }

    /// Closes a descriptor; nothing can be done where that fails. The corresponding C function is
    /// `close`.
    package static func close(_ descriptor: Int32) {
        _ = Glibc.close(descriptor)
    }

    /// Reads up to the buffer's size; 0 is the end. The corresponding C function is `read`.
    package static func read(
        _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemCallError) -> Int {
        // Safe: the caller's buffer has this count, and lives for the call.
        try perform("read") { unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
    }

    /// Reads up to some bytes into a secret; none is the end. The corresponding C function is
    /// `read`.
    package static func readSecret(
        _ descriptor: Int32, _ count: Int
    ) throws(SystemCallError) -> Secret {
        // Safe: `read` writes within the memory, and says how much of it.
        try unsafe Secret(capacity: count) { memory throws(SystemCallError) in
            try unsafe read(descriptor, memory)
        }
    }

    /// Reads up to some bytes from a place in the file; none is the end. The corresponding C
    /// function is `pread`.
    package static func read(
        _ descriptor: Int32, _ count: Int, at offset: Int
    ) throws(SystemCallError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        // Safe: the array has `count` bytes.
        let read = try perform("pread") { unsafe pread(descriptor, &bytes, count, offset) }
        return Array(bytes[..<read])
    }

    /// Writes all bytes. The corresponding C function is `write`.
    package static func writeAll(
        _ descriptor: Int32, _ bytes: Span<UInt8>
    ) throws(SystemCallError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(droppingFirst: written)
            // Safe: the span's own bytes and count, alive for the call.
            unsafe written += try rest.withUnsafeBufferPointer { buffer throws(SystemCallError) in
                try perform("write") {
                    unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
                }
            }
        }
    }

    /// Writes a file's or folder's changes to the disk. The corresponding C function is `fsync`.
    package static func fsync(_ descriptor: Int32) throws(SystemCallError) {
        _ = try perform("fsync") { Glibc.fsync(descriptor) }
    }

    /// What stands at a path, a symbolic link itself and not its target. The corresponding C
    /// function is `fstatat` with AT_SYMLINK_NOFOLLOW.
    package static func lstat(
        _ path: String, in folder: Int32 = currentFolder
    ) throws(SystemCallError) -> stat {
        var status = stat()
        // Safe: the path has its NUL at the end and lives for the call, as does what is filled in.
        _ = try perform("lstat") { unsafe fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) }
        return status
    }

    /// What a descriptor is open on. The corresponding C function is `fstat`.
    package static func fstat(_ descriptor: Int32) throws(SystemCallError) -> stat {
        var status = stat()
        // Safe: the variable lives for the call.
        _ = try perform("fstat") { unsafe Glibc.fstat(descriptor, &status) }
        return status
    }

    /// Whether the process may only write files up to some size. The corresponding C function is
    /// `getrlimit` with RLIMIT_FSIZE.
    package static var isFileSizeLimited: Bool {
        var limit = rlimit()
        // Safe: the variable lives for the call.
        return unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
            && limit.rlim_cur != rlim_t.max
    }

    /// Whether the file system that a file is on can take no more files. The corresponding C
    /// function is `statvfs`.
    package static func hasNoRoomForFiles(_ path: String) -> Bool {
        var status = statvfs()
        // Some file systems have no limit, and say 0 of 0.
        // Safe: the path has its NUL at the end and lives for the call, as does the variable.
        return unsafe statvfs(path, &status) == 0 && status.f_files > 0 && status.f_favail == 0
    }

    /// Makes a folder. The corresponding C function is `mkdirat`.
    package static func mkdir(
        _ path: String, mode: UInt32, in folder: Int32 = currentFolder
    ) throws(SystemCallError) {
        // Safe: the path has its NUL at the end and lives for the call, as does what is filled in.
        _ = try perform("mkdir") { unsafe mkdirat(folder, path, mode) }
    }

    /// Gives a file a second name; fails if there is something. The corresponding C function is
    /// `linkat`.
    package static func link(
        _ path: String, _ newPath: String, in folder: Int32 = currentFolder
    ) throws(SystemCallError) {
        // Safe: both paths have their NUL at the end and live for the call.
        _ = try perform("link") { unsafe linkat(folder, path, folder, newPath, 0) }
    }

    /// Gives a file another name, in place of what has it. The corresponding C function is
    /// `renameat`.
    package static func rename(
        _ path: String, _ newPath: String, in folder: Int32 = currentFolder
    ) throws(SystemCallError) {
        // Safe: both paths have their NUL at the end and live for the call.
        _ = try perform("rename") { unsafe renameat(folder, path, folder, newPath) }
    }

    /// Gives a file another name; fails if there is something. The corresponding C function is
    /// `renameat2` with RENAME_NOREPLACE.
    package static func renameWithoutReplacing(
        _ path: String, _ newPath: String, in folder: Int32 = currentFolder
    ) throws(SystemCallError) {
        // Safe: both paths have their NUL at the end and live for the call.
        _ = try perform("renameat2") {
            unsafe lanyard_rename_without_replacing(folder, path, newPath)
        }
    }

    /// Takes a file's name away. The corresponding C function is `unlinkat`.
    package static func unlink(
        _ path: String, in folder: Int32 = currentFolder
    ) throws(SystemCallError) {
        // Safe: the path has its NUL at the end and lives for the call, as does what is filled in.
        _ = try perform("unlink") { unsafe unlinkat(folder, path, 0) }
    }

    /// Fills a buffer with the system's random bytes. The corresponding C function is `getrandom`.
    package static func getrandom(
        _ buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemCallError) {
        var filled = 0
        while filled < buffer.count {
            // Safe: the rest of the caller's buffer with its own count; `filled` never exceeds it.
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            filled += try perform("getrandom") {
                unsafe lanyard_getrandom(rest.baseAddress, UInt(rest.count))
            }
        }
    }

    /// The effective user. The corresponding C function is `geteuid`.
    package static var effectiveUser: UInt32 { geteuid() }

    /// The time now. The corresponding C function is `time`.
    package static func now() -> Timestamp {
        Timestamp(secondsSinceEpoch: Int64(time(nil)))
    }

    /// Milliseconds since some moment, never going back. The corresponding C function is
    /// `clock_gettime` with CLOCK_MONOTONIC.
    package static func monotonicMilliseconds() -> Int64 {
        var moment = timespec()
        // Safe: the variable lives for the call.
        unsafe clock_gettime(CLOCK_MONOTONIC, &moment)
        return Int64(moment.tv_sec) * 1000 + Int64(moment.tv_nsec) / 1_000_000
    }

    /// Seconds since the machine started, those in which it slept among them. The corresponding C
    /// function is `clock_gettime` with CLOCK_BOOTTIME.
    package static func secondsSinceBoot() -> UInt64 {
        var moment = timespec()
        // Safe: the variable lives for the call.
        unsafe clock_gettime(CLOCK_BOOTTIME, &moment)
        return UInt64(moment.tv_sec)
    }

    /// Names this start of the machine, 36 bytes; different after each one. The corresponding file is
    /// /proc/sys/kernel/random/boot_id.
    package static func bootID() throws(SystemCallError) -> [UInt8] {
        let descriptor = try open("/proc/sys/kernel/random/boot_id", O_RDONLY)
        defer { close(descriptor) }
        let id = try read(descriptor, 36, at: 0)
        guard id.count == 36 else {
            throw SystemCallError(call: "pread", code: EIO)
        }
        return id
    }

    /// Takes an advisory lock on an open file, if no other process has it, or shares it with those that
    /// share it. The corresponding C function is `flock` with LOCK_NB, and LOCK_EX or LOCK_SH.
    ///
    /// - Returns: Whether it was free.
    package static func lock(
        _ descriptor: Int32, isShared: Bool = false
    ) throws(SystemCallError) -> Bool {
        do throws(SystemCallError) {
            _ = try perform("flock") {
                flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB)
            }
            return true
        } catch {
            if error.code == EWOULDBLOCK {
                return false
            }
            throw error
        }
    }

    /// Sleeps. The corresponding C function is `usleep`.
    package static func sleep(milliseconds: UInt32) {
        _ = usleep(milliseconds * 1000)
    }
}
