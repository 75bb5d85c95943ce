package import KeychainServices
internal import LinuxSystem

/// A tool's file in its current state: its link target, bytes and permissions.
package struct TargetFile: Sendable {
    /// Limits the bytes of a file.
    static let limit = 16 << 20

    /// The path that the tool uses.
    let path: String
    /// The path with symbolic links resolved.
    let realPath: String
    /// The file's status, nil if it does not exist.
    let status: FileStatus?
    /// The bytes, nil if it does not exist.
    package let bytes: FileBytes?

    /// Inspects and reads a file.
    ///
    /// - Parameter style: A link itself is read, and its bytes are the path that it leads to; other files
    ///   are read through links.
    /// - Throws: ``Status/writePermissions`` if it is not a regular file, ``Status/dataTooLarge``,
    ///   ``Status/io``.
    package init(_ path: String) throws(KeychainError) {
        try self.init(path, .secret)
    }

    init(_ path: String, _ style: FileStyle) throws(KeychainError) {
        // A record has one line per path, and users read it on a terminal.
        guard !path.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw KeychainError(.param, "a path with control characters can't be set up")
        }
        self.path = path
        guard style != .link else {
            realPath = path
            (status, bytes) = try TargetFile.readLink(path)
            return
        }
        let file = try LinkedFile(path)
        realPath = file.realPath
        status = file.status
        guard status?.size ?? 0 <= TargetFile.limit else {
            throw TargetFile.tooLong(path)
        }
        bytes = status == nil ? nil : try TargetFile.read(realPath)
    }

    private static func readLink(
        _ path: String
    ) throws(KeychainError) -> (FileStatus?, FileBytes?) {
        do throws(SystemCallError) {
            let status = try SystemCalls.status(at: path)
            if status.kind == .link, let target = try SystemCalls.readLink(path) {
                return (status, FileBytes(target))
            }
        } catch {
            guard error.code != SystemCallError.noEntry else {
                return (nil, nil)
            }
            throw error.keychainError("can't access '\(path)'")
        }
        throw KeychainError(.writePermissions, "'\(path)' is not a symbolic link")
    }

    private static func read(_ path: String) throws(KeychainError) -> FileBytes {
        do throws(SystemCallError) {
            let file = Descriptor(owning: try SystemCalls.openForReading(path))
            if let bytes = try SystemCalls.readToEnd(file.number, limit: limit) {
                return FileBytes(bytes)
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
