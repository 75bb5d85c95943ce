import Foundation
import KeychainServices
import TestSupport
import Subprocess
import Testing

@testable import ToolSetup

/// A home folder of its own, removed with it, with a stand-in for lanyard's helpers on its PATH.
final class SetupHome {
    let folder: String
    var variables: [String: String]
    /// Where jobs find programs: here too, as with a package in /usr/bin.
    var jobFolders: [String]

    /// - Parameter programs: Programs of the machine that are on the PATH.
    init(programs: [String] = ["git"]) throws {
        folder = "\(NSTemporaryDirectory())lanyard-setup-\(UUID().uuidString)"
        jobFolders = ["\(folder)/bin"]
        variables = [
            "HOME": "\(folder)/home", "PATH": "\(folder)/bin",
            "GIT_CONFIG_SYSTEM": "\(folder)/gitconfig", "GIT_TERMINAL_PROMPT": "0",
            "XDG_RUNTIME_DIR": "\(folder)/run",
        ]
        for name in ["home", "bin", "run"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
        for program in programs + ["sh", "cat", "sed", "python3", "sleep", "env"] {
            guard let path = SetupHome.path(of: program) else {
                continue
            }
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/bin/\(program)", withDestinationPath: path)
        }
        try script(
            "git-credential-lanyard",
            """
            cat >/dev/null
            for operation; do :; done
            echo "$operation" >>'\(folder)/calls'
            [ "$operation" = get ] && printf 'username=me\\npassword=from-lanyard\\n'
            exit 0
            """)
        // git's own cache would leave a daemon behind.
        try script("git-credential-memory", "cat >/dev/null")
        try script("docker-credential-lanyard", "exit 1")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    var environment: SetupEnvironment {
        var environment = SetupEnvironment(
            variables: variables, stateFolder: "\(folder)/state")
        environment.jobFolders = jobFolders
        return environment
    }

    func setup(_ tool: Tool) -> ToolSetup { ToolSetup(tool, environment) }

    /// Plans and applies, and expects that nothing is left to do then.
    @discardableResult
    func setUp(_ tool: Tool) throws -> SetupPlan {
        let plan = try setup(tool).plan()
        try setup(tool).apply(plan)
        let second = try setup(tool).plan()
        #expect(second.isEmpty, "the second plan is empty: \(second.changes.map(\.lines))")
        return plan
    }

    @discardableResult
    func undo(_ tool: Tool) throws -> SetupPlan {
        let plan = try setup(tool).undoPlan()
        try setup(tool).apply(plan)
        return plan
    }

    /// A path below the home folder.
    func path(_ name: String) -> String { "\(folder)/home/\(name)" }

    func write(_ name: String, _ text: String) throws {
        try write(name, Array(text.utf8))
    }

    func write(_ name: String, _ bytes: [UInt8], mode: Int = 0o644) throws {
        try FileManager.default.createDirectory(
            atPath: (path(name) as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    }

    func read(_ name: String) throws -> String {
        String(decoding: try bytes(name), as: UTF8.self)
    }

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path(name))
        return attributes[.posixPermissions] as? Int ?? 0
    }

    func script(_ name: String, _ text: String) throws {
        try ScratchFolder.writeScript("#!/bin/sh\n\(text)\n", to: "\(folder)/bin/\(name)")
    }

    /// Everything below the home folder: each path with its kind, mode, and bytes or target.
    func tree() throws -> [String: String] {
        var tree: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path("")) {
            let attributes = try FileManager.default.attributesOfItem(atPath: path(name))
            let kind = attributes[.type] as? FileAttributeType
            let content =
                switch kind {
                case .typeRegular?: try bytes(name).map { String($0) }.joined(separator: " ")
                case .typeSymbolicLink?:
                    try FileManager.default.destinationOfSymbolicLink(atPath: path(name))
                default: ""
                }
            let mode = attributes[.posixPermissions] as? Int ?? 0
            tree[name] = "\(kind?.rawValue ?? "") \(mode) \(content)"
        }
        return tree
    }

    /// What a program prints; its words on stderr if it fails.
    @discardableResult
    func run(
        _ program: String, _ arguments: [String], input: String = ""
    ) async throws -> (succeeded: Bool, output: String, errors: String) {
        var environment: [Environment.Key: String] = [:]
        for (name, value) in variables {
            environment[Environment.Key(stringLiteral: name)] = value
        }
        let result = try await Subprocess.run(
            .name(program), arguments: Arguments(arguments), environment: .custom(environment),
            input: .string(input), output: .bytes(limit: 1 << 16), error: .bytes(limit: 1 << 16))
        return (
            result.terminationStatus.isSuccess,
            String(decoding: result.standardOutput, as: UTF8.self),
            String(decoding: result.standardError, as: UTF8.self)
        )
    }

    /// What git says.
    @discardableResult
    func git(_ arguments: String..., input: String = "") async throws -> String {
        try await run("git", ["-C", folder] + arguments, input: input).output
    }

    static func path(of program: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        // A shim of pyenv works with its own environment only.
        return folders.filter { !$0.hasSuffix("/shims") }.map { "\($0)/\(program)" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }
}

/// Expects that something fails, and returns the error.
func failure(
    _ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) -> KeychainError? {
    #expect(throws: KeychainError.self, sourceLocation: sourceLocation) { try body() }
}

/// The tools of the catalogue, for these tests.
extension Tool {
    static let ansible = settings("ansible")
    static let askpass = settings("askpass")
    static let aws = settings("aws")
    static let bazel = settings("bazel")
    static let cargo = settings("cargo")
    static let gcloud = settings("gcloud")
    static let go = settings("go")
    static let gpg = settings("gpg")
    static let keyring = settings("keyring")
    static let nuget = settings("nuget")
    static let pnpm = settings("pnpm")
    static let podmanSecrets = settings("podman-secrets")
    static let terraform = settings("terraform")
    static let vault = settings("vault")
}
