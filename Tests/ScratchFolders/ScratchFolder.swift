internal import Foundation

/// A folder that is gone when the value is.
package final class ScratchFolder: Sendable {
    /// Without links in it.
    package let path: String

    /// Makes the folder, for this user alone.
    package init() throws {
        path =
            URL(filePath: NSTemporaryDirectory()).resolvingSymlinksInPath()
            .appending(path: "lanyard-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file and returns its path.
    package func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let file = "\(path)/\(name)"
        try Data(bytes).write(to: URL(filePath: file))
        return file
    }
}
