package import KeychainServices
internal import LinuxSystem

/// A file of a tool as it stands: behind its links, with its bytes and permissions.
package struct TargetFile: Sendable {
    /// The most bytes that a file may have.
    static let limit = 16 << 20

    /// The path that the tool knows.
    let path: String
    /// The path behind symbolic links.
    let realPath: String
    /// What stands there, nil for nothing.
    let status: FileStatus?
    /// The bytes, nil if there is no file.
    package let bytes: [UInt8]?

    /// Looks at a file and reads it.
    ///
    /// - Throws: ``Status/writePermissions`` if it is something else than a file,
    ///   ``Status/dataTooLarge``, ``Status/io``.
    package init(_ path: String) throws(KeychainError) {
        // A record is one line per path, and a person reads it on a terminal.
        guard !path.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw KeychainError(.param, "a path with control characters can't be set up")
        }
        self.path = path
        let file = try LinkedFile(path)
        realPath = file.realPath
        status = file.status
        guard status?.size ?? 0 <= TargetFile.limit else {
            throw TargetFile.tooLong(path)
        }
        bytes = status == nil ? nil : try TargetFile.read(realPath)
    }

    private static func read(_ path: String) throws(KeychainError) -> [UInt8] {
        do throws(SystemCallError) {
            let descriptor = try SystemCalls.openForReading(path)
            defer { SystemCalls.close(descriptor) }
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 64 << 10)
            while bytes.count <= limit {
                // Safe: the array's own bytes and count.
                let count = try unsafe chunk.withUnsafeMutableBufferPointer {
                    (buffer) throws(SystemCallError) in
                    try unsafe SystemCalls.read(descriptor, UnsafeMutableRawBufferPointer(buffer))
                }
                guard count > 0 else {
                    return bytes
                }
                bytes.append(contentsOf: chunk[..<count])
            }
        } catch {
            throw error.keychainError("can't read '\(path)'")
        }
        throw tooLong(path)
    }

    private static func tooLong(_ path: String) -> KeychainError {
        KeychainError(.dataTooLarge, "'\(path)' is longer than 16 MiB")
    }
}
