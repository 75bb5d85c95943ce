import Foundation
import TestSupport

/// A repository that a web server with a password serves to real git, or that is only in a folder.
final class ScratchGitServer {
    private let scratch: ScratchFolder
    private let process: Process?
    /// The repository's address.
    let address: String
    /// Its folder.
    var repository: String { "\(scratch.path)/team.git" }

    /// - Parameter isRemote: Whether it is behind a web server, which only lets `ada` in.
    init(isRemote: Bool) throws {
        scratch = try ScratchFolder()
        try Self.run("git", ["init", "--quiet", "--bare", "\(scratch.path)/team.git"])
        guard isRemote else {
            process = nil
            address = "\(scratch.path)/team.git"
            return
        }
        try Self.run(
            "git", ["-C", "\(scratch.path)/team.git", "config", "http.receivepack", "true"])
        _ = try scratch.write("users", Array("ada:right\n".utf8))
        let script = "\(Repository.path)/Tests/Support/run/git-server"
        let server = Process()
        server.executableURL = URL(filePath: script)
        server.arguments = [scratch.path]
        server.standardOutput = FileHandle.nullDevice
        server.standardError = FileHandle.nullDevice
        try server.run()
        process = server
        for _ in 0..<2400 where !FileManager.default.fileExists(atPath: "\(scratch.path)/port") {
            usleep(25_000)
        }
        let port = try String(contentsOfFile: "\(scratch.path)/port", encoding: .utf8)
        address = "http://127.0.0.1:\(port.trimmingCharacters(in: .newlines))/git/team.git"
    }

    deinit {
        process?.terminate()
        process?.waitUntilExit()
    }

    /// Whether the web server's programs are there.
    static let isServable = FileManager.default.isExecutableFile(atPath: "/usr/sbin/lighttpd")

    /// Runs git on the server's side.
    @discardableResult
    func git(_ arguments: String...) throws -> String {
        try Self.run("git", ["--git-dir=\(repository)"] + arguments)
    }

    /// Adds a file of zeros to the branch `lanyard`, which takes few bytes.
    func push(zeros count: Int, to path: String) throws {
        try Self.run(
            "sh",
            [
                "-euc",
                """
                export GIT_DIR="$1" GIT_INDEX_FILE="$1/index"
                blob=$(head -c "$2" /dev/zero | git -c core.bigFileThreshold=1m hash-object -w --stdin)
                git read-tree lanyard
                git update-index --add --cacheinfo "100644,$blob,$3"
                git update-ref refs/heads/lanyard "$(git -c user.name=m -c user.email=m@x \
                    commit-tree -m x -p lanyard "$(git write-tree)")"
                """, "sh", repository, "\(count)", path,
            ])
    }

    @discardableResult
    static func run(_ name: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CocoaError(.executableLoad)
        }
        return String(decoding: text, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static var configuration: String { "/tmp/lanyard-gitconfig-\(getpid())" }

    /// Gives git of this process a helper that knows ada's password. Others get a wrong one.
    static let knowsPassword: Bool = {
        let path = configuration
        let helper =
            "!f() { [ \\\"$1\\\" = get ] || exit 0; grep -q '^username=' && "
            + "echo password=wrong || printf 'username=ada\\\\npassword=right\\\\n'; }; f"
        let text = "[credential]\n\thelper = \"\(helper)\"\n"
        try? Data(text.utf8).write(to: URL(filePath: path))
        setenv("GIT_CONFIG_GLOBAL", path, 1)
        setenv("GIT_CONFIG_NOSYSTEM", "1", 1)
        atexit { unlink(ScratchGitServer.configuration) }
        return true
    }()
}
