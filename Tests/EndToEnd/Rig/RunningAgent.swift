import Foundation
import Glibc
import Testing

/// A running `lanyard-ssh-agent` of a home.
struct RunningAgent: Sendable {
    let home: ScratchHome
    let socket: String
    let process: pid_t

    /// Runs a program that uses the agent.
    func run(
        _ program: String, _ arguments: String..., input: String = "",
        variables: [String: String?] = [:]
    ) async throws -> Outcome {
        try await home.command(
            program, arguments, input: Array(input.utf8),
            variables: ["SSH_AUTH_SOCK": socket].merging(variables) { $1 }
        ).run()
    }

    /// Runs ssh-add, which has to succeed.
    @discardableResult
    func add(
        _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Outcome {
        let outcome = try await home.command(
            "ssh-add", ["-q"] + arguments, variables: ["SSH_AUTH_SOCK": socket]
        ).run()
        #expect(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
        return outcome
    }

    /// Runs ssh-add -x or -X with a password.
    func lock(_ option: String, _ password: String) async throws -> Outcome {
        let asking = try AskpassProgram(home, answers: [password])
        return try await run(
            "ssh-add", option,
            variables: ["SSH_ASKPASS": asking.path, "SSH_ASKPASS_REQUIRE": "force"])
    }

    /// The public keys that ssh-add lists, as `TYPE BASE64 COMMENT`.
    func list(sourceLocation: SourceLocation = #_sourceLocation) async throws -> [String] {
        let outcome = try await run("ssh-add", "-L")
        if outcome.status == 1, outcome.outputText == "The agent has no identities.\n" {
            return []
        }
        #expect(
            outcome.status == 0 && outcome.error.isEmpty, "\(outcome)",
            sourceLocation: sourceLocation)
        return outcome.outputText.split(separator: "\n").map(String.init)
    }

    /// Signs with a public key's file, and has ssh-keygen check the signature.
    ///
    /// - Returns: Whether there is a signature.
    func signs(
        with publicKey: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Bool {
        let message = "signed \(UUID().uuidString)"
        let signed = try await run(
            "ssh-keygen", "-q", "-Y", "sign", "-n", "file", "-f",
            try home.publicKeyAlone(publicKey), input: message)
        guard signed.status == 0 else {
            return false
        }
        let file = try home.write(signed.outputText, to: "signature-\(UUID().uuidString)")
        let checked = try await run(
            "ssh-keygen", "-Y", "check-novalidate", "-n", "file", "-s", file, input: message)
        #expect(checked.status == 0, "\(checked)", sourceLocation: sourceLocation)
        return true
    }
}

extension ScratchHome {
    /// Runs an agent while `body` runs, and ends it with SIGTERM. It has to end with 0, and to remove its
    /// socket.
    ///
    /// - Returns: What it printed on standard error.
    @discardableResult
    func withAgent(
        _ arguments: [String] = [], socket: String? = nil, variables: [String: String?] = [:],
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: @escaping @Sendable (RunningAgent) async throws -> Void
    ) async throws -> String {
        let socket = socket ?? "\(runtime)/lanyard/ssh-agent.socket"
        var command = try command("lanyard-ssh-agent", arguments, variables: variables)
        command.timeLimit = .seconds(280)
        let (outcome, _) = try await command.run { process in
            for _ in 0..<1000 where access(socket, F_OK) != 0 {
                try await Task.sleep(for: .milliseconds(10))
            }
            do {
                try await body(RunningAgent(home: self, socket: socket, process: process))
            } catch {
                kill(process, SIGKILL)
                throw error
            }
            kill(process, SIGTERM)
        }
        #expect(
            outcome.status == 0 && outcome.output.isEmpty, "\(outcome)",
            sourceLocation: sourceLocation)
        #expect(access(socket, F_OK) != 0, sourceLocation: sourceLocation)
        return outcome.errorText
    }

    /// Makes a key with ssh-keygen, and returns the path of its private file.
    func makeKey(_ type: String, _ options: String..., comment: String? = nil) async throws
        -> String
    {
        let file = "\(path)/key-\(type)-\(UUID().uuidString)"
        let outcome = try await command(
            "ssh-keygen",
            ["-q", "-t", type, "-N", "", "-C", comment ?? "ada's \(type)", "-f", file] + options
        ).run()
        try #require(outcome.status == 0, "\(outcome)")
        return file
    }

    /// Copies a public key's file: beside the private key's file, programs would do without the agent.
    func publicKeyAlone(_ file: String) throws -> String {
        let line = String(decoding: try read(file), as: UTF8.self)
        return try write(line, to: "alone-\(UUID().uuidString).pub")
    }

    /// The line of a key's public file.
    func publicLine(_ key: String) throws -> String {
        String(decoding: try read("\(key).pub").dropLast(), as: UTF8.self)
    }
}
