import Foundation

/// A folder that is gone when the value is.
final class ScratchFolder: Sendable {
    let path: String

    init() throws {
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
    func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let file = "\(path)/\(name)"
        try Data(bytes).write(to: URL(filePath: file))
        return file
    }
}
