import Foundation
import Glibc
import TestSupport

/// Another program, which defines a format.
struct Program {
    let path: String

    /// Nil if it is not there.
    init?(_ name: String) {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        // A shim of pyenv works with its own environment only.
        let paths = folders.filter { !$0.hasSuffix("/shims") }.map { "\($0)/\(name)" }
        guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
            return nil
        }
        self.path = path
    }

    /// Runs it in a home of its own, half a minute at most.
    func run(
        _ arguments: [String], home: ScratchFolder, input: [UInt8] = []
    ) throws -> (output: [UInt8], status: Int32) {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = [
            "HOME": home.path, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
            "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C", "XDG_RUNTIME_DIR": home.path,
        ]
        let given = Pipe()
        let printed = Pipe()
        process.standardInput = given
        process.standardOutput = printed
        process.standardError = FileHandle.nullDevice
        try process.run()
        let pid = process.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + 30) { [weak process] in
            if process?.isRunning == true {
                kill(pid, SIGKILL)
            }
        }
        try given.fileHandleForWriting.write(contentsOf: Data(input))
        try given.fileHandleForWriting.close()
        let output = printed.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (Array(output), process.terminationStatus)
    }
}

extension ScratchFolder {
    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(path)/\(name)")))
    }
}
