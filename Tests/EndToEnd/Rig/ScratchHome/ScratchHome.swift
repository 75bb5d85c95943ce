import Foundation
import Glibc
import TestSupport
import Testing

/// A home folder of its own, with everything in it that git and the helper may touch; it is gone
/// when the value is.
final class ScratchHome: Sendable {
    /// The folder that all is in. Others may pass through it, to what is opened for them.
    let path: String

    /// LANYARD_HOME.
    var lanyard: String { "\(path)/lanyard" }
    /// XDG_RUNTIME_DIR: without it some tools use the machine's.
    var runtime: String { "\(path)/run" }
    var data: String { "\(lanyard)/data" }
    var state: String { "\(lanyard)/state" }
    var keychain: String { "\(data)/login.keychain" }
    var machineKey: String { "\(state)/machine-key" }

    /// The one file beside the machine key: what was last seen of the keychain.
    var anchor: String { "\(state)/login.anchor" }

    init() throws {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        path =
            URL(filePath: parent).resolvingSymlinksInPath()
            .appending(path: "lanyard-e2e-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        chmod(path, 0o711)
        for folder in ["\(path)/home", runtime] {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The environment of everything that is run here: nothing of the caller's (proxies, GIT_*,
    /// XDG_*, LANYARD_*) plays a part, but for what the toolchain's sanitizers read.
    func environment() throws -> [String: String] {
        let inherited = ProcessInfo.processInfo.environment
        var environment = inherited.filter { name, _ in
            name.hasSuffix("SAN_OPTIONS") || name == "LD_LIBRARY_PATH"
                || name == "LLVM_PROFILE_FILE"
        }
        let path = inherited["PATH"] ?? "/usr/bin:/bin"
        environment["PATH"] = "\(try Programs.folder()):\(path):/usr/sbin:/sbin"
        environment["HOME"] = "\(self.path)/home"
        // The thread sanitizer makes a file there, and removes it.
        environment["TMPDIR"] =
            Need.isSanitized ? NSTemporaryDirectory() : "\(self.path)/home"
        environment["XDG_RUNTIME_DIR"] = runtime
        environment["LANYARD_HOME"] = lanyard
        environment["GIT_CONFIG_GLOBAL"] = "\(self.path)/gitconfig"
        environment["GIT_CONFIG_NOSYSTEM"] = "1"
        environment["GIT_TERMINAL_PROMPT"] = "0"
        environment["NO_COLOR"] = "1"
        environment["LC_ALL"] = "C"
        return environment
    }

    /// A program that is to be run here.
    ///
    /// - Parameter variables: Added to the environment; nil takes one away.
    func command(
        _ program: String, _ arguments: [String], input: [UInt8] = [],
        variables: [String: String?] = [:]
    ) throws -> Command {
        var environment = try environment()
        for (name, value) in variables {
            environment[name] = value
        }
        return Command(
            program: program, arguments: arguments, environment: environment, input: input)
    }

    /// Runs a program that has to succeed.
    @discardableResult
    func succeeds(
        _ program: String, _ arguments: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Outcome {
        let outcome = try await command(program, arguments).run()
        try #require(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
        return outcome
    }

    /// Runs a script that has to succeed, `$1` and on being the arguments.
    @discardableResult
    func shell(
        _ script: String, _ arguments: String..., timeLimit: Duration = .seconds(120),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Outcome {
        var command = try command("sh", ["-euc", script, "sh"] + arguments)
        command.timeLimit = timeLimit
        let outcome = try await command.run()
        try #require(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
        return outcome
    }

    func write(_ text: String, to name: String, mode: mode_t = 0o600) throws -> String {
        let file = "\(path)/\(name)"
        guard mode & S_IXUSR == 0 else {
            try ScratchFolder.writeScript(text, to: file, mode: mode)
            return file
        }
        try Data(text.utf8).write(to: URL(filePath: file))
        chmod(file, mode)
        return file
    }

    func read(_ file: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: file)))
    }

    /// What a file of the home says.
    func text(_ name: String) throws -> String {
        String(decoding: try read("\(path)/\(name)"), as: UTF8.self)
    }
}
