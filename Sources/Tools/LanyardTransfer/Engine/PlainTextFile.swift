package import KeychainServices
internal import LinuxSystem

/// A plain-text file in which another program stores logins, from reading it to removing them.
package final class PlainTextFile {
    /// Limits the bytes of a file: 256 MiB.
    package static let limit = 256 << 20

    /// The path that the program uses, for users.
    package let path: String
    /// All of its bytes.
    package let bytes: Secret
    /// The open file, nil if it can't be changed, such as a pipe.
    let held: HeldFile?

    /// Reads a file and follows links.
    ///
    /// - Parameter isForChange: Whether Lanyard is going to change it, and checks for obstacles first.
    /// - Throws: ``Status/itemNotFound`` without a file, ``Status/dataTooLarge``,
    ///   ``Status/writePermissions`` and ``Status/readOnly`` with the obstacle, ``Status/io``.
    package init(_ path: String, isForChange: Bool) throws(KeychainError) {
        self.path = path
        guard isForChange || PlainTextFile.isFile(path) else {
            held = nil
            bytes = try PlainTextFile.readStream(path)
            return
        }
        let held = try HeldFile(path, isForChange: isForChange)
        bytes = try held.read(limit: PlainTextFile.limit)
        self.held = held
    }

    /// Reads all of standard input.
    package init(standardInput: Void) throws(KeychainError) {
        path = "standard input"
        held = nil
        bytes = try PlainTextFile.readToEnd(0, "standard input")
    }

    /// Whether it is a file; a pipe, such as a shell's `<(…)`, is read as a stream.
    private static func isFile(_ path: String) -> Bool {
        // The targets of /dev/fd have no path of their own.
        guard let status = try? SystemCalls.statusBehindLinks(at: path) else {
            return true
        }
        return status.kind != .other
    }

    private static func readStream(_ path: String) throws(KeychainError) -> Secret {
        let descriptor: Descriptor
        do throws(SystemCallError) {
            descriptor = Descriptor(owning: try SystemCalls.openStream(path))
        } catch {
            throw error.keychainError("can't open '\(path)'")
        }
        return try readToEnd(descriptor.number, "'\(path)'")
    }

    private static func readToEnd(
        _ descriptor: Int32, _ name: String
    ) throws(KeychainError) -> Secret {
        do throws(SystemCallError) {
            if let all = try SystemCalls.readToEnd(descriptor, limit: limit) {
                return all
            }
        } catch {
            throw error.keychainError("can't read \(name)")
        }
        throw tooLong(name)
    }

    static func tooLong(_ name: String) -> KeychainError {
        KeychainError(.dataTooLarge, "\(name) is longer than \(limit >> 20) MiB")
    }
}
