internal import Glibc
package import Keychain

extension PrivatePlace {
    /// Makes a folder for its owner alone where there is none, and the ones above it, then checks
    /// it as ``checkFolder(_:)`` does.
    package static func makeFolder(_ path: String) throws(KeychainError) {
        try makeMissing(path)
        try checkFolder(path)
    }

    private static func makeMissing(_ path: String) throws(KeychainError) {
        guard try !exists(path) else {
            return
        }
        let parent = parent(of: path)
        if let parent {
            try makeMissing(parent)
        }
        do throws(SystemCallError) {
            try SystemCalls.mkdir(path, mode: 0o700)
        } catch {
            // Another process may have been faster.
            if error.code != EEXIST {
                throw error.keychainError("can't make the folder '\(path)'")
            }
        }
        try syncFolder(parent ?? "/")
    }

    /// Reads a whole file, through the one descriptor that was checked as ``checkFile(_:)`` does.
    ///
    /// - Parameter limit: The most bytes that the file may have; of a longer one, one byte more than
    ///   that is returned.
    package static func read(_ path: String, limit: Int) throws(KeychainError) -> Secret {
        let descriptor: Int32
        do throws(SystemCallError) {
            // O_NONBLOCK: a FIFO in the file's place must not make us wait.
            descriptor = try SystemCalls.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            switch error.code {
            case ENOENT: throw KeychainError(.noSuchKeychain, "there is no file '\(path)'")
            case ELOOP: throw linkRefused(path)
            default: throw error.keychainError("can't open '\(path)'")
            }
        }
        defer { SystemCalls.close(descriptor) }
        let status: stat
        do throws(SystemCallError) {
            status = try SystemCalls.fstat(descriptor)
        } catch {
            throw error.keychainError("can't look at '\(path)'")
        }
        try check(status, path, kind: S_IFREG)
        do throws(SystemCallError) {
            // Safe: `readAll` writes within the memory that it is given.
            return try unsafe Secret(capacity: limit + 1) { memory throws(SystemCallError) in
                try unsafe readAll(descriptor, memory)
            }
        } catch {
            throw error.keychainError("can't read '\(path)'")
        }
    }

    /// Reads to the end of the file or of the memory, and returns how many bytes that were.
    package static func readAll(
        _ descriptor: Int32, _ memory: UnsafeMutableRawBufferPointer
    ) throws(SystemCallError) -> Int {
        var count = 0
        while count < memory.count {
            // Safe: `count` never exceeds the size of the memory, which `read` is told.
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...])
            let more = try unsafe SystemCalls.read(descriptor, rest)
            if more == 0 {
                break
            }
            count += more
        }
        return count
    }

    /// Makes a file with these bytes, whole and on the disk before it has its name.
    ///
    /// - Returns: Whether it was made; not if there is something of that name already.
    package static func createFile(
        _ path: String, _ bytes: Span<UInt8>
    ) throws(KeychainError) -> Bool {
        let file = try TemporaryFile(beside: path)
        try file.append(bytes)
        return try file.make()
    }

    /// Puts a file with these bytes in the place of what has its name, in one step.
    package static func replaceFile(
        _ path: String, _ bytes: Span<UInt8>
    ) throws(KeychainError) {
        let file = try TemporaryFile(beside: path)
        try file.append(bytes)
        try file.replace()
    }

    /// Writes a folder's names to the disk, where the file system and the permissions let it.
    package static func syncFolder(_ path: String) throws(KeychainError) {
        do throws(SystemCallError) {
            let descriptor = try SystemCalls.open(path, O_RDONLY | O_DIRECTORY)
            defer { SystemCalls.close(descriptor) }
            try SystemCalls.fsync(descriptor)
        } catch {
            // A folder above ours may be unreadable, and some file systems can't sync folders.
            guard [EACCES, EINVAL, EROFS].contains(error.code) else {
                throw error.keychainError("can't write the folder '\(path)' to the disk")
            }
        }
    }
}
