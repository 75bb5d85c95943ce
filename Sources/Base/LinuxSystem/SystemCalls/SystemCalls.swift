package import Glibc
internal import CLinux
package import LanyardSecrets

/// System calls, repeated after interruptions (EINTR). A failure throws ``SystemCallError``.
///
/// In debug builds a test can make any of them fail.
package enum SystemCalls {
    #if DEBUG
    /// Called before each system call: returning an errno makes the call fail with it.
    @TaskLocal package static var injectedError: (@Sendable (String) -> Int32?)?
    #endif

    /// Repeats a call until it is not interrupted; a result of -1 means failure.
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

    /// The default folder for relative paths. The corresponding constant is AT_FDCWD.
    package static let currentFolder = AT_FDCWD

    /// Opens a file, closed on exec. Whatever the umask, its owner has the rights of the mode if this call creates
    /// it. The corresponding C function is `openat`.
    package static func open(
        _ path: String, _ flags: Int32, mode: UInt32 = 0, in folder: Int32 = currentFolder
    ) throws(SystemCallError) -> Int32 {
        // Safe: the path ends with NUL and lives for the call.
        let file = try perform("open") { unsafe openat(folder, path, flags | O_CLOEXEC, mode) }
        if flags & (O_CREAT | lanyard_O_TMPFILE) != 0 {
            var status = stat()
            // Safe: the variable lives for the call.
            if unsafe Glibc.fstat(file, &status) == 0,
                let all = withRightsOfOwner(status.st_mode, mode)
            {
                _ = fchmod(file, all)
            }
        }
        return file
    }

    /// Returns permissions with the owner's rights of a mode, which the umask may have taken; nil if they have them.
    private static func withRightsOfOwner(_ permissions: UInt32, _ mode: UInt32) -> UInt32? {
        let missing = mode & 0o700 & ~permissions
        return missing == 0 ? nil : permissions & 0o777 | missing
    }

    /// Closes a descriptor; a failure leaves nothing to do. The corresponding C function is
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

    /// Reads up to a number of bytes into a secret; none is the end. The corresponding C function
    /// is `read`.
    package static func readSecret(
        _ descriptor: Int32, _ count: Int
    ) throws(SystemCallError) -> Secret {
        // Safe: `read` writes within the memory, and returns how much.
        try unsafe Secret(capacity: count) { memory throws(SystemCallError) in
            try unsafe read(descriptor, memory)
        }
    }

    /// Reads to the end, nil beyond so many bytes. The corresponding C function is `read`.
    package static func readToEnd(
        _ descriptor: Int32, limit: Int
    ) throws(SystemCallError) -> Secret? {
        var bytes = SecretBuilder(capacity: 64 << 10)
        while bytes.count <= limit {
            let chunk = try readSecret(descriptor, 64 << 10)
            guard chunk.count > 0 else {
                return bytes.finish()
            }
            bytes.append(chunk)
        }
        return nil
    }

    /// Reads up to a number of bytes from an offset in the file; none is the end. The corresponding
    /// C function is `pread`.
    package static func read(
        _ descriptor: Int32, _ count: Int, at offset: Int
    ) throws(SystemCallError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        // Safe: the array has `count` bytes.
        let read = try perform("pread") { unsafe pread(descriptor, &bytes, count, offset) }
        return read == count ? bytes : Array(bytes[..<read])
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

    /// Returns the status of a path; a symbolic link itself, not its target. The corresponding C
    /// function is `fstatat` with AT_SYMLINK_NOFOLLOW.
    package static func lstat(
        _ path: String, in folder: Int32 = currentFolder
    ) throws(SystemCallError) -> stat {
        var status = stat()
        // Safe: the path ends with NUL; it and the result variable live for the call.
        _ = try perform("lstat") { unsafe fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) }
        return status
    }

    /// Returns the status of a descriptor's file. The corresponding C function is `fstat`.
    package static func fstat(_ descriptor: Int32) throws(SystemCallError) -> stat {
        var status = stat()
        // Safe: the variable lives for the call.
        _ = try perform("fstat") { unsafe Glibc.fstat(descriptor, &status) }
        return status
    }

    /// Whether the process has a limit on the size of files it writes. The corresponding C function
    /// is `getrlimit` with RLIMIT_FSIZE.
    package static var isFileSizeLimited: Bool {
        var limit = rlimit()
        // Safe: the variable lives for the call.
        return unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
            && limit.rlim_cur != rlim_t.max
    }

    /// Limits the memory that another process may write to, in bytes. The corresponding C function is `prlimit` with
    /// RLIMIT_DATA.
    ///
    /// - Returns: Whether that worked: the process may be gone.
    @discardableResult
    package static func limitMemory(of process: Int32, to size: Int) -> Bool {
        lanyard_limit_memory(process, UInt64(clamping: size)) == 0
    }

    /// Returns whether a file's file system can't take more files. The corresponding C function is
    /// `statvfs`.
    package static func hasNoRoomForFiles(_ path: String) -> Bool {
        var status = statvfs()
        // File systems without a limit report 0 of 0.
        // Safe: the path ends with NUL; it and the variable live for the call.
        return unsafe statvfs(path, &status) == 0 && status.f_files > 0 && status.f_favail == 0
    }

    /// Creates a folder. Whatever the umask, its owner has the rights of the mode. The corresponding C function is
    /// `mkdirat`.
    package static func mkdir(
        _ path: String, mode: UInt32, in folder: Int32 = currentFolder
    ) throws(SystemCallError) {
        // Safe: the path ends with NUL and lives for the call.
        _ = try perform("mkdir") { unsafe mkdirat(folder, path, mode) }
        var status = stat()
        // Safe: as above; the variable lives for the call.
        if unsafe fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) == 0,
            status.st_mode & S_IFMT == S_IFDIR,
            let all = withRightsOfOwner(status.st_mode, mode)
        {
            // Safe: as above.
            _ = unsafe fchmodat(folder, path, all, AT_SYMLINK_NOFOLLOW)
        }
    }

    /// Adds a hard link to a file; fails if the new path exists. The corresponding C function is
    /// `linkat`.
    package static func link(
        _ path: String, _ newPath: String, in folder: Int32 = currentFolder
    ) throws(SystemCallError) {
        // Safe: both paths end with NUL and live for the call.
        _ = try perform("link") { unsafe linkat(folder, path, folder, newPath, 0) }
    }

    /// Gives an open file without a name a path; fails if that exists. The corresponding C function is `linkat`
    /// with AT_SYMLINK_FOLLOW and the descriptor's link in `/proc`.
    static func link(
        _ descriptor: Int32, _ newPath: String, in folder: Int32
    ) throws(SystemCallError) {
        // Safe: both paths end with NUL and live for the call.
        _ = try perform("link") {
            unsafe linkat(
                currentFolder, "/proc/self/fd/\(descriptor)", folder, newPath, AT_SYMLINK_FOLLOW)
        }
    }

    /// Creates a symbolic link; fails if the path exists. The corresponding C function is `symlink`.
    package static func makeLink(_ path: String, to target: String) throws(SystemCallError) {
        // Safe: both paths end with NUL and live for the call.
        _ = try perform("symlink") { unsafe symlink(target, path) }
    }

    /// Renames a file, replacing any at the new path. The corresponding C function is `renameat`.
    package static func rename(
        _ path: String, _ newPath: String, in folder: Int32 = currentFolder
    ) throws(SystemCallError) {
        // Safe: both paths end with NUL and live for the call.
        _ = try perform("rename") { unsafe renameat(folder, path, folder, newPath) }
    }

    /// Renames a file; fails if the new path exists. The corresponding C function is `renameat2`
    /// with RENAME_NOREPLACE.
    package static func renameWithoutReplacing(
        _ path: String, _ newPath: String, in folder: Int32 = currentFolder
    ) throws(SystemCallError) {
        // Safe: both paths end with NUL and live for the call.
        _ = try perform("renameat2") {
            unsafe lanyard_rename_without_replacing(folder, path, newPath)
        }
    }

    /// Removes a file's name. The corresponding C function is `unlinkat`.
    package static func unlink(
        _ path: String, in folder: Int32 = currentFolder
    ) throws(SystemCallError) {
        // Safe: the path ends with NUL and lives for the call.
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

    /// Returns the current time. The corresponding C function is `time`.
    package static func now() -> Timestamp {
        Timestamp(secondsSinceEpoch: Int64(time(nil)))
    }

    /// Returns milliseconds since a fixed moment, never going back. The corresponding C function is
    /// `clock_gettime` with CLOCK_MONOTONIC.
    package static func monotonicMilliseconds() -> Int64 {
        var moment = timespec()
        // Safe: the variable lives for the call.
        unsafe clock_gettime(CLOCK_MONOTONIC, &moment)
        return Int64(moment.tv_sec) * 1000 + Int64(moment.tv_nsec) / 1_000_000
    }

    /// Returns seconds since the machine started, including sleep. The corresponding C function is
    /// `clock_gettime` with CLOCK_BOOTTIME.
    package static func secondsSinceBoot() -> UInt64 {
        var moment = timespec()
        // Safe: the variable lives for the call.
        unsafe clock_gettime(CLOCK_BOOTTIME, &moment)
        return UInt64(moment.tv_sec)
    }

    /// Returns a name of 36 bytes for this boot of the machine. The corresponding file is
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

    /// Takes an exclusive or shared advisory lock on an open file, unless another process has a
    /// conflicting one. The corresponding C function is `flock` with LOCK_NB, and LOCK_EX or
    /// LOCK_SH.
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

    /// Waits for such a lock. On a file system without locks it succeeds at once: no other process has one there.
    ///
    /// - Returns: Whether it was free before the deadline.
    package static func lock(
        _ descriptor: Int32, isShared: Bool = false, until deadline: Deadline
    ) -> Bool {
        deadline.wait { (try? lock(descriptor, isShared: isShared)) != false }
    }

    /// Sleeps for some milliseconds. The corresponding C function is `usleep`.
    package static func sleep(milliseconds: UInt32) {
        _ = usleep(milliseconds * 1000)
    }
}
