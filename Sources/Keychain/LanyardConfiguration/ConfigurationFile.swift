internal import Glibc
internal import KeychainServices
internal import LinuxSystem

/// The bytes of the configuration file.
enum ConfigurationFile {
    /// The most bytes it may have: 1 MiB.
    private static let limit = 1 << 20

    /// Reads the file.
    ///
    /// It may be a link of the user's, as managers of dot files make them, and other users may read
    /// it. They must not be able to write it or to redirect the path, because they could then
    /// choose its content.
    ///
    /// - Returns: nil if it is missing.
    static func read(_ path: String) throws(KeychainError) -> [UInt8]? {
        guard let descriptor = try PrivatePlace.openThroughOwnLinks(path) else {
            return nil
        }
        defer { SystemCalls.close(descriptor) }
        try PrivatePlace.checkNotWritableByOthers(descriptor, path)
        var bytes: [UInt8] = []
        do throws(SystemCallError) {
            while true {
                let chunk = try SystemCalls.readSecret(descriptor, 4096)
                guard chunk.count > 0 else {
                    return bytes
                }
                bytes += chunk.withBytes { ByteString(copying: $0).bytes }
                guard bytes.count <= limit else {
                    break
                }
            }
        } catch {
            throw error.keychainError("can't read the configuration '\(path)'")
        }
        throw KeychainError(.dataTooLarge, "the configuration '\(path)' is longer than 1 MiB")
    }

    /// How long to wait for another program's change, in milliseconds.
    private static let timeout: Int64 = 10_000

    /// Lets one program at a time change the file, and makes its folder.
    ///
    /// - Returns: The lock, which ends with the descriptor.
    /// - Throws: ``Status/databaseLocked`` after 10 seconds.
    static func lock(_ path: String) throws(KeychainError) -> Descriptor {
        // Other users may read it, as with `mkdir` and the usual umask: it contains no secret.
        let folder = try PinnedFolder(
            PrivatePlace.folder(of: path), .isNotWritableByOthers, makesMissing: true)
        guard let turn = try folder.lock(until: Deadline(milliseconds: timeout)) else {
            throw KeychainError(
                .databaseLocked, "another program changes the configuration '\(path)'")
        }
        return turn
    }

    /// Writes the file in one step.
    ///
    /// - Throws: ``Status/writePermissions`` for a link, which would be replaced by a file.
    static func write(_ path: String, _ bytes: [UInt8]) throws(KeychainError) {
        if try PrivatePlace.isLink(path) {
            throw KeychainError(
                .writePermissions, "the configuration '\(path)' is a symbolic link",
                hint: "edit the file that it points to")
        }
        let file = try TemporaryFile(beside: path, in: .isNotWritableByOthers)
        try file.append(bytes.span)
        try file.replace()
    }
}
