import Foundation

/// The real git, which reads configuration files as they are meant.
enum Git {
    /// One entry by its whole name, for example `keychain.work.file`.
    struct Entry: Equatable, CustomStringConvertible {
        let name: String
        let value: String?

        var description: String { "\(name)=\(value.map(\.debugDescription) ?? "nothing")" }
    }

    /// What git reads in a file of these bytes, nil if it refuses the file.
    static func entries(_ bytes: [UInt8]) throws -> [Entry]? {
        let file = "\(NSTemporaryDirectory())/lanyard-\(UUID().uuidString)"
        try Data(bytes).write(to: URL(filePath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let git = Process()
        git.executableURL = URL(filePath: "/usr/bin/env")
        git.arguments = ["git", "config", "-f", file, "--list", "-z", "--no-includes"]
        git.environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", "GIT_DIR": "/nonexistent",
            "LC_ALL": "C",
        ]
        let output = Pipe()
        git.standardOutput = output
        git.standardError = FileHandle.nullDevice
        try git.run()
        let answer = try output.fileHandleForReading.readToEnd() ?? Data()
        git.waitUntilExit()
        return git.terminationStatus == 0
            ? answer.split(separator: 0).map { entry(String(decoding: $0, as: UTF8.self)) } : nil
    }

    private static func entry(_ text: String) -> Entry {
        // By scalars: a carriage return and the line feed after it are one character.
        let scalars = text.unicodeScalars
        guard let end = scalars.firstIndex(of: "\n") else {
            return Entry(name: text, value: nil)
        }
        return Entry(
            name: String(scalars[..<end]), value: String(scalars[scalars.index(after: end)...]))
    }
}

extension Git.Entry {
    /// Before git 2.45 blanks inside a value became spaces; that says nothing of ours.
    var withSpaces: Git.Entry {
        Git.Entry(
            name: name,
            value: value.map { value in
                String(
                    String.UnicodeScalarView(
                        value.unicodeScalars.map { "\t\r".unicodeScalars.contains($0) ? " " : $0 }))
            })
    }
}
