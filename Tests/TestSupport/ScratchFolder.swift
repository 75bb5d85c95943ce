internal import Foundation
internal import Glibc
internal import LinuxSystem

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

    /// Writes a script that can be run, and returns its path.
    package func script(_ name: String, _ text: String) throws -> String {
        let file = "\(path)/\(name)"
        try ScratchFolder.writeScript(text, to: file)
        return file
    }

    /// Writes a script that can be run.
    package static func writeScript(
        _ text: String, to file: String, mode: UInt32 = 0o755
    ) throws {
        let source = "\(file).text"
        try Data(text.utf8).write(to: URL(filePath: source))
        try copyProgram(source, to: file, mode: mode)
        unlink(source)
    }

    /// Copies a program, which can be run then.
    ///
    /// Another process writes it: what is open for writing here is so, too, for a moment, in each
    /// process that another test starts meanwhile, and can't be run then.
    package static func copyProgram(
        _ program: String, to file: String, mode: UInt32 = 0o755
    ) throws {
        let copy = try SystemCalls.startProcess(
            "/bin/cp", ["--remove-destination", program, file], input: nil, output: 2,
            showsErrors: true)
        let status = SystemCalls.exitStatus(of: copy, until: Deadline(milliseconds: 60_000))
        guard status == 0, chmod(file, mode) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file])
        }
    }
}
