internal import Glibc
package import Secrets

extension PrivatePlace {
    /// Makes a folder for its owner alone where there is none, and the ones above it, then checks
    /// it as ``checkFolder(_:)`` does.
    package static func makeFolder(_ path: String) throws(KeychainError) {
        _ = try PinnedFolder(path, makesMissing: true)
    }

    /// Reads a whole file of a folder that is our own alone, as ``PinnedFolder/read(_:limit:)`` does.
    package static func read(_ path: String, limit: Int) throws(KeychainError) -> Secret {
        try PinnedFolder(folder(of: path)).read(name(of: path), limit: limit)
    }

    /// Reads a whole file as ``read(_:limit:)`` does, nil if there is none.
    package static func readIfThere(_ path: String, limit: Int) throws(KeychainError) -> Secret? {
        do throws(KeychainError) {
            return try read(path, limit: limit)
        } catch {
            guard error.status == .noSuchKeychain else {
                throw error
            }
            return nil
        }
    }

    /// The folder that a file is in.
    static func folder(of path: String) -> String { parent(of: path) ?? "/" }

    /// What stands behind a path's last slash.
    package static func name(of path: String) -> String {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        return slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
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

    /// Makes a file with these bytes in a folder that is our own alone, whole and on the disk before it
    /// has its name.
    ///
    /// - Returns: Whether it was made; not if there is something of that name already.
    package static func createFile(
        _ path: String, _ bytes: Span<UInt8>
    ) throws(KeychainError) -> Bool {
        let file = try TemporaryFile(beside: path)
        try file.append(bytes)
        return try file.make()
    }

    /// Puts a file with these bytes in the place of what has its name, in one step, in a folder that is
    /// our own alone.
    ///
    /// - Parameter syncsFolder: Whether it is waited for until the name is on the disk, too; without that
    ///   the file before it can be there again after a crash.
    package static func replaceFile(
        _ path: String, _ bytes: Span<UInt8>, syncsFolder: Bool = true
    ) throws(KeychainError) {
        let file = try TemporaryFile(beside: path)
        try file.append(bytes)
        try file.replace(syncsFolder: syncsFolder)
    }

    /// Writes a folder's names to the disk, where the file system and the permissions let it.
    package static func syncFolder(_ path: String) throws(KeychainError) {
        do throws(SystemCallError) {
            try syncFolder(path, in: SystemCalls.currentFolder)
        } catch {
            throw error.keychainError("can't write the folder '\(path)' to the disk")
        }
    }

    /// Writes the names to the disk that stand in the folder that a descriptor is open on.
    static func syncFolder(in folder: Int32) throws(SystemCallError) {
        try syncFolder(".", in: folder)
    }

    private static func syncFolder(_ path: String, in folder: Int32) throws(SystemCallError) {
        do throws(SystemCallError) {
            let descriptor = try SystemCalls.open(path, O_RDONLY | O_DIRECTORY, in: folder)
            defer { SystemCalls.close(descriptor) }
            try SystemCalls.fsync(descriptor)
        } catch {
            // A folder above ours may be unreadable, and some file systems can't sync folders.
            guard [EACCES, EINVAL, EROFS].contains(error.code) else {
                throw error
            }
        }
    }
}
