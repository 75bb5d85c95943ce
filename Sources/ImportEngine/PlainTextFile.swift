internal import Keychains
package import KeychainServices
internal import LinuxSystem

/// A file in which another program keeps logins in plain text, from its reading to their removal.
package final class PlainTextFile {
    /// The most bytes that one may have: 256 MiB.
    package static let limit = 256 << 20

    /// The path that the program knows, for a person.
    package let path: String
    /// All of its bytes.
    package let bytes: Secret
    /// The file as it was read, nil for what can't be changed, such as a pipe.
    let held: HeldFile?

    /// Reads a file, of which links are followed.
    ///
    /// - Parameter isForChange: Whether it is going to be changed; then all that could keep it from being
    ///   changed is looked for.
    /// - Throws: ``Status/itemNotFound`` if there is none, ``Status/dataTooLarge``,
    ///   ``Status/writePermissions`` and ``Status/readOnly`` with what is in the way, ``Status/io``.
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

    /// All of standard input.
    package init(standardInput: Void) throws(KeychainError) {
        path = "standard input"
        held = nil
        bytes = try PlainTextFile.readToEnd(0, "standard input")
    }

    /// A pipe, such as a shell's `<(…)`, is read as it comes.
    private static func isFile(_ path: String) -> Bool {
        // What /dev/fd leads to has no path of its own.
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
        var all = SecretBuilder(capacity: 64 << 10)
        do throws(SystemCallError) {
            while all.count <= limit {
                let chunk = try SystemCalls.readSecret(descriptor, 64 << 10)
                guard chunk.count > 0 else {
                    return all.finish()
                }
                all.append(chunk)
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
