import Foundation
import SealedStore
import TestSupport
import Testing
@testable import EndToEndRig

/// A home on a machine whose systemd seals keys: every program runs with mounts of its own, where a scripted service is at
/// the path of systemd's socket. No program can be told another path.
final class SealingHome: Sendable {
    let home: ScratchHome
    let service: ScriptedCredentials

    init() throws {
        home = try ScratchHome()
        service = try ScriptedCredentials(at: "\(home.path)/service")
        chmod(service.path, 0o666)
    }

    deinit {
        service.end()
    }

    /// Mounts the socket of `$1` where systemd's is, and runs the rest.
    private static let mounting = """
        mount -t tmpfs -o mode=755 lanyard-test /run
        mkdir /run/systemd
        if [ -S "$1" ]; then
            : >/run/systemd/io.systemd.Credentials
            mount --bind "$1" /run/systemd/io.systemd.Credentials
        fi
        shift
        exec "$@"
        """

    func command(
        _ program: String, _ arguments: [String], input: String = "",
        variables: [String: String?] = [:]
    ) throws -> Command {
        try home.command(
            "unshare",
            [
                "--mount", "--propagation", "private", "sh", "-euc", Self.mounting, "sh",
                service.path,
            ]
                + [program] + arguments,
            input: Array(input.utf8), variables: variables)
    }

    /// Runs lanyard at a terminal.
    func atTerminal(
        _ arguments: String..., steps: [Dialogue.Step] = []
    ) async throws -> Dialogue.Session {
        let words = try command("lanyard", arguments)
        return try await Dialogue(home: home).run(
            "\"$@\"", arguments: [words.program] + words.arguments, steps: steps)
    }

    @discardableResult
    func lanyard(
        _ arguments: String..., variables: [String: String?] = [:]
    ) async throws -> Outcome {
        try await command("lanyard", arguments, variables: variables).run()
    }

    /// Runs lanyard with the recovery key given.
    @discardableResult
    func recovering(_ arguments: String...) async throws -> Outcome {
        try await command(
            "lanyard", arguments, variables: ["LANYARD_PASSPHRASE_FILE": recoveryKeyFile]
        ).run()
    }

    var recoveryKeyFile: String { "\(home.path)/recovery-key" }

    /// Stores the item `x`, makes a recovery key and seals the machine key.
    func seal(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await prepare(sourceLocation: sourceLocation)
        let outcome = try await lanyard("machine-key", "seal")
        try #require(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
    }

    /// Stores the item `x` and makes a recovery key.
    func prepare(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await home.set("x", secret: "the secret")
        let outcome = try await home.lanyard("recovery-key", "create")
        try #require(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
        _ = try home.write(outcome.outputText, to: "recovery-key")
    }

    func expectSecret(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let outcome = try await lanyard("get", "x")
        #expect(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.outputText == "the secret\n", "\(outcome)", sourceLocation: sourceLocation)
    }

    /// Expects an error with these words, and the way out.
    func expectUnreadable(_ words: String, sourceLocation: SourceLocation = #_sourceLocation)
        async throws
    {
        let outcome = try await lanyard("get", "x")
        #expect(outcome.status == 51, "\(outcome)", sourceLocation: sourceLocation)
        let lines = outcome.errorText.split(separator: "\n")
        #expect(lines.count == 2, "\(outcome)", sourceLocation: sourceLocation)
        #expect(
            lines.first?.hasPrefix("lanyard: error: the machine key ") == true, "\(outcome)",
            sourceLocation: sourceLocation)
        #expect(outcome.errorText.contains(words), "\(outcome)", sourceLocation: sourceLocation)
        #expect(
            lines.last?.hasSuffix("lanyard machine-key renew") == true, "\(outcome)",
            sourceLocation: sourceLocation)
    }

    func status() async throws -> [String: JSONText] {
        try JSONText(try await lanyard("machine-key", "status", "--json").output).members
    }

    /// Takes the key out of the kernel's keyring, as a restart of the machine does.
    func restart() async throws {
        try await revoke("", ":refused")
    }

    /// Makes the next program ask the service, as it does some seconds after a refusal.
    func forgetRefusal() async throws {
        try await revoke(":refused")
    }

    /// Writes what says that systemd does not answer, as it was before it was sealed, and without a time-out.
    func forgeRefusal() async throws {
        guard case .string(let id)? = try await status()["id"] else {
            return
        }
        try await restart()
        try KernelKeyring.publish(
            Array(repeating: 0xFF, count: 8) + Array(repeating: 0, count: 8),
            as: "lanyard:machine-key:\(id):refused", timeout: nil)
    }

    private func revoke(_ entries: String...) async throws {
        guard case .string(let id)? = try await status()["id"] else {
            return
        }
        for entry in entries {
            try KernelKeyring.revoke("lanyard:machine-key:\(id)\(entry)")
        }
    }
}
