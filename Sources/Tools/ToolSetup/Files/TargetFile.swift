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
    /// - Throws: ``Status/writePermissions`` if it is not a regular file, or, with the command that helps as its hint, if
    ///   this user can't read it; ``Status/dataTooLarge``, ``Status/io``.
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
        let file: LinkedFile
        do throws(KeychainError) {
            file = try LinkedFile(path)
        } catch {
            throw TargetFile.isOutOfReach(path) ? TargetFile.withAccess(error, to: path) : error
        }
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
            let plain = error.keychainError("can't read '\(path)'")
            throw plain.status == .writePermissions ? withAccess(plain, to: path) : plain
        }
        throw tooLong(path)
    }

    /// Whether a folder above a path keeps this user from it.
    private static func isOutOfReach(_ path: String) -> Bool {
        (try? PrivatePlace.exists(path)) == nil
    }

    /// Returns an error with a hint: the command that lets this user read and change a file, or reach it.
    private static func withAccess(_ error: KeychainError, to path: String) -> KeychainError {
        let obstacle = PrivatePlace.nearestExisting(path)
        let status = try? SystemCalls.statusBehindLinks(at: obstacle)
        let command =
            status?.owner == SystemCalls.effectiveUser
            ? "chmod u+\(status?.kind == .folder ? "rwx" : "rw") \(obstacle.shellQuoted)"
            : takeOverCommand(obstacle)
        return KeychainError(error.status, error.reason, hint: command)
    }

    /// Returns the command that takes over what another user, such as root, has left in a folder of this user's; nil for
    /// other places, where it may be that user's.
    static func takeOverCommand(_ path: String) -> String? {
        let folder = PrivatePlace.parent(of: path) ?? "/"
        let owner = (try? SystemCalls.statusBehindLinks(at: folder))?.owner
        return owner == SystemCalls.effectiveUser ? PrivatePlace.takeOverCommand(path) : nil
    }

    private static func tooLong(_ path: String) -> KeychainError {
        KeychainError(.dataTooLarge, "'\(path)' is longer than 16 MiB")
    }
}
