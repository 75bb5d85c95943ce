internal import CLinux
internal import Glibc
package import Secrets

// The calls that replacing a person's own file needs, and a keychain does not.
extension SystemCalls {
    /// What stands at a path, a symbolic link itself and not its target. The corresponding C
    /// function is `lstat`.
    package static func status(at path: String) throws(SystemCallError) -> FileStatus {
        FileStatus(try lstat(path))
    }

    /// What a path leads to, symbolic links followed. The corresponding C function is `stat`.
    package static func statusBehindLinks(at path: String) throws(SystemCallError) -> FileStatus {
        var status = stat()
        // Safe: the path has its NUL at the end and lives for the call, as does what is filled in.
        _ = try perform("stat") { unsafe fstatat(currentFolder, path, &status, 0) }
        return FileStatus(status)
    }

    /// When a file was written last. The corresponding C function is `lstat`.
    package static func modificationDate(at path: String) throws(SystemCallError) -> Timestamp {
        Timestamp(secondsSinceEpoch: Int64(try lstat(path).st_mtim.tv_sec))
    }

    /// What a descriptor is open on. The corresponding C function is `fstat`.
    package static func status(of descriptor: Int32) throws(SystemCallError) -> FileStatus {
        FileStatus(try fstat(descriptor))
    }

    /// Opens a file for reading and nothing that a name may turn out to be in its place: no link is
    /// followed and no pipe waited for. The corresponding C function is `open`.
    package static func openForReading(_ path: String) throws(SystemCallError) -> Int32 {
        try open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    }

    /// Opens a file to read and to write it, and nothing that a name may turn out to be in its place.
    /// The corresponding C function is `open`.
    package static func openForChange(_ path: String) throws(SystemCallError) -> Int32 {
        try open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK)
    }

    /// Opens whatever can be read, and waits for a pipe's other end. The corresponding C function is
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

    /// Reads up to the buffer's size from a place in the file; 0 is the end. The corresponding C
    /// function is `pread`.
    package static func read(
        _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(SystemCallError) -> Int {
        // Safe: the caller's buffer has this count, and lives for the call.
        try perform("pread") { unsafe pread(descriptor, buffer.baseAddress, buffer.count, offset) }
    }

    /// Opens what a path leads to if no symbolic link is on the way. The corresponding system call is
    /// `openat2` with RESOLVE_NO_SYMLINKS.
    ///
    /// - Returns: Nil if a link is on the way, or the kernel does not know the call or forbids it.
    static func openWithoutLinks(
        _ path: String, _ flags: Int32
    ) throws(SystemCallError) -> Int32? {
        do throws(SystemCallError) {
            // Safe: the path has its NUL at the end and lives for the call.
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

    /// Makes a file of its owner alone; fails if there is something. The corresponding C function is
    /// `open` with O_CREAT and O_EXCL.
    package static func createForWriting(_ path: String) throws(SystemCallError) -> Int32 {
        try open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    }

    /// What a symbolic link says, nil if that is not UTF-8. The corresponding C function is
    /// `readlinkat`.
    ///
    /// - Parameter path: Empty for the link that the descriptor `folder` itself is open on.
    package static func readLink(
        _ path: String, in folder: Int32 = currentFolder
    ) throws(SystemCallError) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        // Safe: the path has its NUL at the end; `readlinkat` is told the size of the buffer.
        let count = try unsafe bytes.withUnsafeMutableBufferPointer {
            buffer throws(SystemCallError) in
            try perform("readlink") {
                unsafe readlinkat(folder, path, buffer.baseAddress!, buffer.count)
            }
        }
        return String(validating: bytes[..<count], as: UTF8.self)
    }

    /// Throws unless names can be made and taken away in a folder. The corresponding C function is
    /// `faccessat` with W_OK and X_OK for the effective user.
    package static func checkFolderAccess(_ path: String) throws(SystemCallError) {
        // Safe: the path has its NUL at the end and lives for the call.
        _ = try perform("faccessat") {
            unsafe Glibc.faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS)
        }
    }

    /// Throws unless a file can be written. The corresponding C function is `faccessat` with W_OK
    /// for the effective user.
    package static func checkFileAccess(_ path: String) throws(SystemCallError) {
        // Safe: the path has its NUL at the end and lives for the call.
        _ = try perform("faccessat") { unsafe Glibc.faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) }
    }

    /// Whether there is a file that can be run. The corresponding C function is `faccessat` with
    /// X_OK for the effective user.
    package static func isExecutable(_ path: String) -> Bool {
        var status = stat()
        // Safe: the path has its NUL at the end and lives for the call, as does the variable.
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0
    }

    /// Why neither a file nor the folder that it is in can be written, in the system's words; nil if they
    /// can. The corresponding C function is `faccessat`.
    package static func refusalToWrite(_ path: String) -> String? {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        for path in [path, folder.joined(separator: "/")] {
            // Safe: the path has its NUL at the end and lives for the call.
            if unsafe faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == -1 {
                return SystemCallError(call: "faccessat", code: errno).words
            }
        }
        return nil
    }

    /// Gives a file its permissions. The corresponding C function is `fchmod`.
    package static func changeMode(
        _ descriptor: Int32, _ permissions: UInt32
    ) throws(SystemCallError) {
        _ = try perform("fchmod") { Glibc.fchmod(descriptor, permissions) }
    }

    /// Gives a file to a group. The corresponding C function is `fchown`.
    package static func changeGroup(
        _ descriptor: Int32, _ group: UInt32
    ) throws(SystemCallError) {
        _ = try perform("fchown") { Glibc.fchown(descriptor, uid_t.max, group) }
    }

    /// Makes a file in memory, to be read from its start. The corresponding C function is
    /// `memfd_create`.
    package static func makeMemoryFile(_ bytes: [UInt8]) throws(SystemCallError) -> Int32 {
        // Safe: a literal has its NUL at the end, and the kernel copies it.
        let descriptor = try perform("memfd_create") { unsafe lanyard_memfd_create("lanyard") }
        do throws(SystemCallError) {
            try writeAll(descriptor, bytes.span)
            _ = try perform("lseek") { Glibc.lseek(descriptor, 0, SEEK_SET) }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Makes a file in memory with these bytes that its owner alone can read, and nobody change. The
    /// corresponding C functions are `memfd_create` with MFD_ALLOW_SEALING, and `fcntl` with F_ADD_SEALS.
    package static func makeSealedMemoryFile(
        _ bytes: borrowing Secret
    ) throws(SystemCallError) -> Int32 {
        // Safe: a literal has its NUL at the end, and the kernel copies it.
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

    /// Takes an empty folder away. The corresponding C function is `rmdir`.
    package static func removeFolder(_ path: String) throws(SystemCallError) {
        // Safe: the path has its NUL at the end and lives for the call.
        _ = try perform("rmdir") { unsafe Glibc.rmdir(path) }
    }
}

extension SystemCallError {
    /// Nothing is there: ENOENT.
    package static let noEntry = ENOENT
    /// A part of the path is not a folder: ENOTDIR.
    package static let notAFolder = ENOTDIR
    /// Something is there already: EEXIST.
    package static let exists = EEXIST
    /// The file system is mounted read-only: EROFS.
    package static let readOnlyFileSystem = EROFS
}
