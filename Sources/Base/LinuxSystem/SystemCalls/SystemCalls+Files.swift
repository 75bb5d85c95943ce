internal import CLinux
internal import Glibc
package import LanyardSecrets

// The calls for replacing a user's own file, which a keychain does not need.
extension SystemCalls {
    /// Returns the status of a path; a symbolic link itself, not its target. The corresponding C
    /// function is `lstat`.
    package static func status(at path: String) throws(SystemCallError) -> FileStatus {
        FileStatus(try lstat(path))
    }

    /// Returns the status of a path's target, following symbolic links. The corresponding C
    /// function is `stat`.
    package static func statusBehindLinks(at path: String) throws(SystemCallError) -> FileStatus {
        var status = stat()
        // Safe: the path ends with NUL; it and the result variable live for the call.
        _ = try perform("stat") { unsafe fstatat(currentFolder, path, &status, 0) }
        return FileStatus(status)
    }

    /// Returns when a file was last written. The corresponding C function is `lstat`.
    package static func modificationDate(at path: String) throws(SystemCallError) -> Timestamp {
        Timestamp(secondsSinceEpoch: Int64(try lstat(path).st_mtim.tv_sec))
    }

    /// Returns the status of a descriptor's file. The corresponding C function is `fstat`.
    package static func status(of descriptor: Int32) throws(SystemCallError) -> FileStatus {
        FileStatus(try fstat(descriptor))
    }

    /// Opens a file for reading, without following a link or waiting for a pipe, in case the name
    /// has been replaced. The corresponding C function is `open`.
    package static func openForReading(_ path: String) throws(SystemCallError) -> Int32 {
        try open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    }

    /// Opens a file for reading and writing, without following a link or waiting for a pipe, in
    /// case the name has been replaced. The corresponding C function is `open`.
    package static func openForChange(_ path: String) throws(SystemCallError) -> Int32 {
        try open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK)
    }

    /// Opens anything readable, and waits for a pipe's writer. The corresponding C function is
    /// `open`.
    package static func openStream(_ path: String) throws(SystemCallError) -> Int32 {
        try open(path, O_RDONLY | O_NOCTTY)
    }

    /// Writes zeros over a file's first bytes. The corresponding C function is `pwrite`.
    package static func overwrite(
        _ descriptor: Int32, count: Int
    ) throws(SystemCallError) {
        let zeros = [UInt8](repeating: 0, count: 64 << 10)
        var position = 0
        while position < count {
            let length = min(zeros.count, count - position)
            position += try perform("pwrite") {
                // Safe: the array has at least `length` bytes.
                unsafe zeros.withUnsafeBytes {
                    unsafe pwrite(descriptor, $0.baseAddress, length, position)
                }
            }
        }
    }

    /// Sets a file's size. The corresponding C function is `ftruncate`.
    package static func truncate(_ descriptor: Int32, to size: Int) throws(SystemCallError) {
        _ = try perform("ftruncate") { ftruncate(descriptor, size) }
    }

    /// Reads up to the buffer's size from an offset in the file; 0 is the end. The corresponding C
    /// function is `pread`.
    package static func read(
        _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(SystemCallError) -> Int {
        // Safe: the caller's buffer has this count, and lives for the call.
        try perform("pread") { unsafe pread(descriptor, buffer.baseAddress, buffer.count, offset) }
    }

    /// Opens a path without symbolic links in it. The corresponding system call is `openat2` with
    /// RESOLVE_NO_SYMLINKS.
    ///
    /// - Returns: Nil if the path has a link, or the kernel lacks or forbids the call.
    static func openWithoutLinks(
        _ path: String, _ flags: Int32
    ) throws(SystemCallError) -> Int32? {
        do throws(SystemCallError) {
            // Safe: the path ends with NUL and lives for the call.
            return try perform("openat2") {
                unsafe lanyard_open_without_links(currentFolder, path, flags | O_CLOEXEC)
            }
        } catch {
            guard error.code == ENOENT || error.code == ENOTDIR else {
                return nil
            }
            throw error
        }
    }

    /// Returns a symbolic link's text, nil if it is not UTF-8. The corresponding C function is
    /// `readlinkat`.
    ///
    /// - Parameter path: Empty for the link that the descriptor `folder` itself refers to.
    package static func readLink(
        _ path: String, in folder: Int32 = currentFolder
    ) throws(SystemCallError) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        // Safe: the path ends with NUL; `readlinkat` gets the size of the buffer.
        let count = try unsafe bytes.withUnsafeMutableBufferPointer {
            buffer throws(SystemCallError) in
            try perform("readlink") {
                unsafe readlinkat(folder, path, buffer.baseAddress!, buffer.count)
            }
        }
        return String(validating: bytes[..<count], as: UTF8.self)
    }

    /// Throws unless files can be created and removed in a folder. The corresponding C function is
    /// `faccessat` with W_OK and X_OK for the effective user.
    package static func checkFolderAccess(_ path: String) throws(SystemCallError) {
        _ = try perform("faccessat") { effectiveAccess(path, W_OK | X_OK) }
    }

    /// `faccessat` for the effective user. glibc takes the call faccessat2 for it, which the filters of older
    /// containers refuse with EPERM: `access` then asks for the real user, if this is the same one.
    private static func effectiveAccess(_ path: String, _ mode: Int32) -> Int32 {
        // Safe: the path ends with NUL and lives for the calls.
        let result = unsafe Glibc.faccessat(AT_FDCWD, path, mode, AT_EACCESS)
        guard result == -1, errno == EPERM, getuid() == geteuid(), getgid() == getegid() else {
            return result
        }
        return unsafe Glibc.access(path, mode)
    }

    /// Throws unless a file can be written. The corresponding C function is `faccessat` with W_OK
    /// for the effective user.
    package static func checkFileAccess(_ path: String) throws(SystemCallError) {
        _ = try perform("faccessat") { effectiveAccess(path, W_OK) }
    }

    /// Returns whether a path is an executable file. The corresponding C function is `faccessat`
    /// with X_OK for the effective user.
    package static func isExecutable(_ path: String) -> Bool {
        var status = stat()
        // Safe: the path ends with NUL; it and the variable live for the call.
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && effectiveAccess(path, X_OK) == 0
    }

    /// Returns the path of an executable file in the folders of a PATH, nil if there is none. Relative folders don't
    /// count: they would run programs in the current folder.
    ///
    /// - Parameter isWanted: Whether a path counts.
    package static func executable(
        _ name: String, inPath path: String, where isWanted: (String) -> Bool = { _ in true }
    ) -> String? {
        path.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
            .first { isExecutable($0) && isWanted($0) }
    }

    /// Returns why neither a file nor its folder can be written, in the system's words; nil if they
    /// can. The corresponding C function is `faccessat`.
    package static func refusalToWrite(_ path: String) -> String? {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        for path in [path, folder.joined(separator: "/")] {
            if effectiveAccess(path, W_OK) == -1 {
                return SystemCallError(call: "faccessat", code: errno).words
            }
        }
        return nil
    }

    /// Changes a file's permissions. The corresponding C function is `fchmod`.
    package static func changeMode(
        _ descriptor: Int32, _ permissions: UInt32
    ) throws(SystemCallError) {
        _ = try perform("fchmod") { Glibc.fchmod(descriptor, permissions) }
    }

    /// Changes a file's group. The corresponding C function is `fchown`.
    package static func changeGroup(
        _ descriptor: Int32, _ group: UInt32
    ) throws(SystemCallError) {
        _ = try perform("fchown") { Glibc.fchown(descriptor, uid_t.max, group) }
    }

    /// Creates a file in memory with these bytes, positioned at its start. The corresponding C
    /// function is `memfd_create`.
    package static func makeMemoryFile(
        _ bytes: Span<UInt8> = Span()
    ) throws(SystemCallError) -> Int32 {
        // Safe: a literal ends with NUL, and the kernel copies it.
        let descriptor = try perform("memfd_create") { unsafe lanyard_memfd_create("lanyard") }
        do throws(SystemCallError) {
            try writeAll(descriptor, bytes)
            _ = try perform("lseek") { Glibc.lseek(descriptor, 0, SEEK_SET) }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Creates an immutable file in memory with these bytes, which only its owner can read. The
    /// corresponding C functions are `memfd_create` with MFD_ALLOW_SEALING, and `fcntl` with
    /// F_ADD_SEALS.
    package static func makeSealedMemoryFile(
        _ bytes: borrowing Secret
    ) throws(SystemCallError) -> Int32 {
        // Safe: a literal ends with NUL, and the kernel copies it.
        let descriptor = try perform("memfd_create") {
            unsafe lanyard_memfd_create_sealable("lanyard")
        }
        do throws(SystemCallError) {
            try bytes.withBytes { bytes throws(SystemCallError) in try writeAll(descriptor, bytes) }
            try changeMode(descriptor, 0o400)
            _ = try perform("lseek") { Glibc.lseek(descriptor, 0, SEEK_SET) }
            _ = try perform("fcntl") { lanyard_seal(descriptor) }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Sets a file's times to now; of a symbolic link itself, not of its target. The corresponding C
    /// function is `utimensat`.
    package static func touch(_ path: String) throws(SystemCallError) {
        // Safe: the path ends with NUL and lives for the call; without times the kernel takes now.
        _ = try perform("utimensat") {
            unsafe utimensat(currentFolder, path, nil, AT_SYMLINK_NOFOLLOW)
        }
    }

    /// Removes an empty folder. The corresponding C function is `rmdir`.
    package static func removeFolder(_ path: String) throws(SystemCallError) {
        // Safe: the path ends with NUL and lives for the call.
        _ = try perform("rmdir") { unsafe Glibc.rmdir(path) }
    }
}

extension SystemCallError {
    /// The path does not exist: ENOENT.
    package static let noEntry = ENOENT
    /// A part of the path is not a folder: ENOTDIR.
    package static let notAFolder = ENOTDIR
}
