import Foundation
import Testing
@testable import EndToEndRig

/// Signatures of git with real ssh-keygen.
@Suite(.timeLimit(.minutes(5)))
struct CommitSigningTests {
    @Test(.needs(.git), arguments: ["ed25519", "rsa", "ecdsa"])
    func commitIsSignedAndVerified(_ type: String) async throws {
        let home = try ScratchHome()
        let key = try await home.makeKey(type)
        try home.storeKey(key)
        try await home.configureGit()
        let line = try home.publicLine(key)
        let signers = try home.write("ada@example.com \(line)\n", to: "signers")
        try await home.withAgent { agent in
            let outcome = try await agent.run(
                "sh", "-euc",
                """
                git init -q "$HOME/notes" && cd "$HOME/notes"
                git config gpg.format ssh
                git config gpg.ssh.allowedSignersFile "$1"
                git config user.signingKey "key::$2"
                git commit -q --allow-empty -S -m signed
                git verify-commit HEAD
                """, "sh", signers, line)
            #expect(outcome.status == 0, "\(outcome)")
            #expect(
                outcome.errorText.contains("Good \"git\" signature for ada@example.com"),
                "\(outcome)")
        }
    }
}
