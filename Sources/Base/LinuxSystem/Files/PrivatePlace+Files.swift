internal import Glibc
package import LanyardSecrets

extension PrivatePlace {
    /// Creates a folder and missing ones above it, for their owner alone, then checks it like
    /// ``checkFolder(_:)``.
    package static func makeFolder(_ path: String) throws(KeychainError) {
        _ = try PinnedFolder(path, makesMissing: true)
    }

    /// Reads a whole file in a folder that is ours alone, like ``PinnedFolder/read(_:limit:)``.
    package static func read(_ path: String, limit: Int) throws(KeychainError) -> Secret {
        try PinnedFolder(folder(of: path)).read(name(of: path), limit: limit)
    }

    /// Reads a whole file like ``read(_:limit:)``, nil if it is missing.
    package static func readIfThere(_ path: String, limit: Int) throws(KeychainError) -> Secret? {
        do throws(KeychainError) {
            return try read(path, limit: limit)
        } catch  where error.status == .noSuchKeychain {
            return nil
        }
    }

    /// Returns the folder of a file.
    package static func folder(of path: String) -> String { parent(of: path) ?? "/" }

    /// Returns the part after a path's last slash.
    package static func name(of path: String) -> String {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        return slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    /// Reads to the end of the file or of the memory, and returns the number of bytes.
    package static func readAll(
        _ descriptor: Int32, _ memory: UnsafeMutableRawBufferPointer
    ) throws(SystemCallError) -> Int {
        var count = 0
        while count < memory.count {
            // Safe: `count` never exceeds the size of the memory, which `read` gets.
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...])
            let more = try unsafe SystemCalls.read(descriptor, rest)
            if more == 0 {
                break
            }
            count += more
        }
        return count
    }

    /// Creates a file with these bytes in a folder that is ours alone, complete and on the disk
    /// before it gets its name.
    ///
    /// - Returns: Whether it was created; false if the name is taken.
    package static func createFile(
        _ path: String, _ bytes: Span<UInt8>
    ) throws(KeychainError) -> Bool {
        let file = try TemporaryFile(beside: path)
        try file.append(bytes)
        return try file.make()
    }

    /// Creates a file with these bytes, or replaces the one with its name in one step, in a folder
    /// that is ours alone.
    ///
    /// - Parameters:
    ///   - syncsFile: Whether to wait until the bytes are on the disk; otherwise the file may be empty after a crash.
    ///   - syncsFolder: Whether to wait until the name is on the disk, too; otherwise the
    ///     previous file may come back after a crash.
    package static func replaceFile(
        _ path: String, _ bytes: Span<UInt8>, syncsFile: Bool = true, syncsFolder: Bool = true
    ) throws(KeychainError) {
        let file = try TemporaryFile(beside: path)
        try file.append(bytes)
        try file.replace(syncsFile: syncsFile, syncsFolder: syncsFolder)
    }

    /// Writes the names in a descriptor's folder to the disk, if the file system and the permissions allow it.
    static func syncFolder(in folder: Int32) throws(SystemCallError) {
        do throws(SystemCallError) {
            let descriptor = try SystemCalls.open(".", O_RDONLY | O_DIRECTORY, in: folder)
            defer { SystemCalls.close(descriptor) }
            try SystemCalls.fsync(descriptor)
        } catch  where [EACCES, EINVAL, EROFS].contains(error.code) {
            // A folder above ours may be unreadable, and some file systems can't sync folders.
        }
    }
}
