import Foundation
import Glibc
import Testing

/// A password store of pass, with a key of gpg that is thrown away.
struct PasswordStore {
    let home: ScratchHome
    /// Its path is short: gpg's agent has a socket in it.
    private let keys: String

    /// What pass and gpg need in their environment.
    var variables: [String: String?] {
        ["GNUPGHOME": keys, "PASSWORD_STORE_DIR": "\(home.folder)/store"]
    }

    /// Makes a store while `body` runs.
    static func with(
        _ home: ScratchHome, passphrase: String = "",
        _ body: (PasswordStore) async throws -> Void
    ) async throws {
        let keys = "/tmp/lanyard-gpg-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: keys, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        let store = PasswordStore(home: home, keys: keys)
        do {
            try await store.make(passphrase)
            try await body(store)
        } catch {
            try await store.remove()
            throw error
        }
        try await store.remove()
    }

    private func make(_ passphrase: String) async throws {
        try await run(
            """
            gpg --batch --quiet --pinentry-mode loopback --passphrase "$1" \\
                --quick-generate-key 'Ada <ada@example.com>' future-default default never
            pass init ada@example.com
            """, passphrase)
    }

    private func remove() async throws {
        try await run("gpgconf --kill all")
        try? FileManager.default.removeItem(atPath: keys)
    }

    /// Makes an entry.
    func insert(_ name: String, _ text: String) async throws {
        try await run("printf %s \"$2\" | pass insert --multiline --force -- \"$1\"", name, text)
    }

    /// Lets gpg ask by this program.
    func setPinentry(_ path: String) async throws {
        try Data("pinentry-program \(path)\n".utf8)
            .write(to: URL(filePath: "\(keys)/gpg-agent.conf"))
        try await run("gpgconf --kill gpg-agent")
    }

    @discardableResult
    func run(_ script: String, _ arguments: String...) async throws -> Outcome {
        let outcome = try await home.command(
            "sh", ["-euc", script, "sh"] + arguments, variables: variables
        ).run()
        try #require(outcome.status == 0, "\(outcome)")
        return outcome
    }
}

extension Need {
    static let pass = Need(missing: "there is no pass, or no gpg") {
        let hasPass = try await succeeds("pass", "version")
        let hasGPG = try await succeeds("gpg", "--version")
        return hasPass && hasGPG
    }

    static let dockerPass = Need(missing: "there is no docker-credential-pass") {
        try await succeeds("docker-credential-pass", "version")
    }
}
