internal import Foundation

/// A shell that starts programs for a test on command, and ends them and removes its folder when the
/// value is gone or the tests are: its standard input ends then.
final class SupervisingShell: @unchecked Sendable {
    private let process = Process()
    private let commands: FileHandle
    private let answers: FileHandle
    private let lock = NSLock()

    /// Starts it. It has no environment but the PATH.
    ///
    /// - Parameters:
    ///   - script: Reads commands, and answers each with a line.
    ///   - arguments: The script's own.
    init(_ script: String, _ arguments: String...) throws {
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script, "sh"] + arguments
        process.environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        ]
        let input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        commands = input.fileHandleForWriting
        answers = output.fileHandleForReading
    }

    deinit {
        try? commands.close()
        process.waitUntilExit()
    }

    /// Gives it a command.
    ///
    /// - Returns: Its answer, empty if it ended.
    func ask(_ command: String) -> String {
        lock.withLock {
            commands.write(Data("\(command)\n".utf8))
            return answer()
        }
    }

    /// Its next line.
    func answer() -> String {
        var line: [UInt8] = []
        while let byte = try? answers.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }
}

/// The rig could not be set up.
package struct RigFailure: Error {
    package let what: String
}
