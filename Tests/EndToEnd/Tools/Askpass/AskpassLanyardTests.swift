import Foundation
import Testing
@testable import EndToEndRig

/// What askpass-lanyard answers real ssh-add, ssh-agent and git.
@Suite(.timeLimit(.minutes(10)))
struct AskpassLanyardTests {
    private static let refused = """
        lanyard: error: the stored secret was rejected, and LANYARD_NO_PROMPT forbids prompts

        """
    private static let variables: [String: String?] = [
        "SSH_ASKPASS": "askpass-lanyard", "SSH_ASKPASS_REQUIRE": "force", "LANYARD_NO_PROMPT": "1",
        "GIT_ASKPASS": "askpass-lanyard",
    ]

    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private var key: String { "\(home.path)/home/id_ed25519" }

    private func makeKey() async throws {
        try await home.succeeds("ssh-keygen", "-q", "-t", "ed25519", "-N", "hunter2", "-f", key)
    }

    /// Runs a script beside an agent on a socket of its own, where `$1` is the key.
    private func withAgent(
        _ script: String, askpass: String = "askpass-lanyard"
    ) async throws -> Outcome {
        var variables = AskpassLanyardTests.variables
        variables["SSH_ASKPASS"] = askpass
        return try await home.command(
            "ssh-agent", ["sh", "-c", script, "sh", key], variables: variables
        ).run()
    }

    @Test(.needs(.sshAgent)) func addsAKey() async throws {
        try await makeKey()
        try await home.set("--for", "askpass", key, secret: "hunter2")
        let outcome = try await withAgent("ssh-add \"$1\" && ssh-add -l && ssh-add -c \"$1\"")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.outputText.contains("(ED25519)"), "\(outcome)")
    }

    /// ssh-add says that it was wrong, and is not given it for ever.
    @Test(.needs(.sshAgent)) func aWrongPassphraseIsGivenOnce() async throws {
        try await makeKey()
        try await home.set("--for", "askpass", key, secret: "wrong")
        let outcome = try await withAgent("ssh-add \"$1\"")
        #expect(outcome.status == 1, "\(outcome)")
        #expect(
            outcome.errorText
                == "\(AskpassLanyardTests.refused)lanyard: hint: lanyard set --for askpass \(key)\n",
            "\(outcome)")
    }

    @Test(.needs(.sshAgent)) func whatIsNotStoredIsAnError() async throws {
        try await makeKey()
        let outcome = try await withAgent("ssh-add \"$1\"")
        #expect(outcome.status == 1, "\(outcome)")
        #expect(outcome.errorText.contains("no secret is stored for this, and "), "\(outcome)")
        #expect(try Snapshot(home.lanyard).entries.keys.sorted() == [])
    }

    @Test(.needs(.sshAgent)) func addsTwoKeys() async throws {
        let other = "\(home.path)/home/id_ecdsa"
        try await makeKey()
        try await home.succeeds("ssh-keygen", "-q", "-t", "ecdsa", "-N", "bilby", "-f", other)
        try await home.set("--for", "askpass", key, secret: "hunter2")
        try await home.set("--for", "askpass", other, secret: "bilby")
        let outcome = try await withAgent("ssh-add -q \"$1\" '\(other)' && ssh-add -l")
        #expect(outcome.status == 0 && outcome.errorText.isEmpty, "\(outcome)")
        #expect(outcome.outputText.contains("(ED25519)"), "\(outcome)")
        #expect(outcome.outputText.contains("(ECDSA)"), "\(outcome)")
    }

    @Test(.needs(.sshAgent)) func aKeyWhileLocked() async throws {
        try await makeKey()
        try await home.set("--for", "askpass", key, secret: "hunter2")
        try await home.setPassphrase()
        let outcome = try await withAgent("ssh-add \"$1\"")
        #expect(outcome.status == 1, "\(outcome)")
        #expect(outcome.errorText.contains("the keychain 'login' is locked"), "\(outcome)")
    }

    /// ssh asks a second time for a password that was wrong.
    @Test(.needs(.sshServer, .openssl)) func logsInAsTwoUsers() async throws {
        let server = try await SSHServer(
            home, keys: [], passwords: ["lanyard-ada": "hunter2", "lanyard-bob": "bilby"])
        try await home.set("--for", "askpass", "ssh://lanyard-ada@test", secret: "hunter2")
        try await home.set("--for", "askpass", "ssh://lanyard-bob@test", secret: "wrong")
        func logIn(_ user: String) async throws -> Outcome {
            try await home.command(
                "ssh", server.options() + ["\(user)@test", "id -un"],
                variables: AskpassLanyardTests.variables
            ).run()
        }
        let ada = try await logIn("lanyard-ada")
        #expect(ada.outputText == "lanyard-ada\n", "\(ada)\n\(server.log())")
        let wrong = try await logIn("lanyard-bob")
        #expect(wrong.status == 255, "\(wrong)")
        let refusals = wrong.errorText.matches(of: /the stored secret was rejected/).count
        #expect(refusals > 0, "\(wrong)")
        try await home.set("--for", "askpass", "ssh://lanyard-bob@test", secret: "bilby")
        let bob = try await logIn("lanyard-bob")
        #expect(bob.outputText == "lanyard-bob\n", "\(bob)\n\(server.log())")
    }

    @Test(.needs(.sshAgent, .python)) func aPersonCorrectsIt() async throws {
        try await makeKey()
        try await home.set("--for", "askpass", key, secret: "wrong")
        var variables = AskpassLanyardTests.variables
        variables["LANYARD_NO_PROMPT"] = .some(nil)
        // Without pinentry, which has a screen of its own.
        variables["PATH"] = try await pathWithoutPinentry()
        let session = try await Dialogue(home: home, variables: variables).run(
            "ssh-agent ssh-add \"$1\"", key,
            steps: [.asked("home/id_ed25519: "), .types("hunter2\n")])
        #expect(session.status == 0, "\(session)")
        #expect(session.shown.contains("lanyard: error: the stored secret was rejected"))
        #expect(session.shown.contains("Identity added") && !session.shown.contains("hunter2"))
        #expect(session.before == session.after)
    }

    private func pathWithoutPinentry() async throws -> String {
        try await home.shell(
            """
            mkdir "$1"
            for name in sh ssh-agent ssh-add askpass-lanyard stty; do
                ln -s "$(command -v "$name")" "$1/$name"
            done
            """, "\(home.path)/bin")
        return "\(home.path)/bin"
    }

    /// The passphrase of a key is no consent to its use.
    @Test(.needs(.sshAgent)) func consentIsNeverGivenForAPerson() async throws {
        try await makeKey()
        try await home.set("--for", "askpass", key, secret: "hunter2")
        // What it says is lost: the agent has no standard error.
        let noting = try home.write(
            """
            #!/bin/sh
            askpass-lanyard "$@"
            status=$?
            echo "$SSH_ASKPASS_PROMPT $status" >>'\(home.path)/noted'
            exit "$status"

            """, to: "noting", mode: 0o700)
        let outcome = try await withAgent(
            "ssh-add -q -c \"$1\" && echo text | ssh-keygen -Y sign -n file -f \"$1.pub\"",
            askpass: noting)
        #expect(outcome.status != 0 && outcome.output.isEmpty, "\(outcome)")
        let noted = try String(contentsOfFile: "\(home.path)/noted", encoding: .utf8)
        #expect(noted == " 0\nconfirm 1\n", "\(outcome)")
    }

    /// ssh and sudo repeat a prompt where the answer was wrong; another process begins anew.
    @Test func aRepeatedPromptIsNotAnsweredAgain() async throws {
        try await home.set("--for", "askpass", "sudo", "ada", secret: "pw")
        let script = "for _ in 1 2; do askpass-lanyard \"[sudo] password for ada: \"; done"
        for _ in 1...2 {
            let outcome = try await home.command(
                "sh", ["-c", "\(script); exit 3"], variables: AskpassLanyardTests.variables
            ).run()
            #expect(outcome.outputText == "pw\n" && outcome.status == 3, "\(outcome)")
            #expect(
                outcome.errorText
                    == AskpassLanyardTests.refused
                    + "lanyard: hint: lanyard set --for askpass sudo ada\n", "\(outcome)")
        }
    }

    @Test func standardInputIsNotRead() async throws {
        try await home.set("--for", "askpass", "ssh://ada@host", secret: "pw")
        let outcome = try await home.command(
            "sh", ["-c", "askpass-lanyard \"ada@host's password: \" && cat"],
            input: Array("all of it".utf8), variables: AskpassLanyardTests.variables
        ).run()
        expectAnswer(outcome, "pw\nall of it")
    }

    @Test func aMessageNeedsNoAnswer() async throws {
        let outcome = try await home.command(
            "askpass-lanyard", ["Confirm user presence for key"],
            variables: ["SSH_ASKPASS_PROMPT": "none"]
        ).run()
        #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errorText == "lanyard: Confirm user presence for key\n")
    }

    @Test(.needs(.git, .lighttpd)) func gitClonesWithoutAHelper() async throws {
        try await home.configureGit()
        try await GitServer.serve(home) { [home] server in
            let clone = [
                "-c", "credential.helper=", "clone", "-q", server.url(), "\(home.path)/clone",
            ]
            let command = try home.command("git", clone, variables: AskpassLanyardTests.variables)
            let refused = try await command.run()
            #expect(refused.status == 128, "\(refused)")
            #expect(
                refused.errorText.hasPrefix(
                    "lanyard: error: no secret is stored for this, and LANYARD_NO_PROMPT forbids prompts\n"
                        + "lanyard: hint: lanyard set --for git \(server.origin)\n"), "\(refused)")
            let url = server.origin.replacing("://", with: "://ada@", maxReplacements: 1)
            try await home.set("--for", "git", url, secret: "right")
            let cloned = try await command.run()
            #expect(cloned.status == 0 && cloned.errorText.isEmpty, "\(cloned)")
        }
    }

    @Test(.needs(.git, .lighttpd)) func gitReadsAsTwoUsers() async throws {
        try await home.configureGit()
        let notes = GitServer.Repository(users: ["ada": "hunter2", "bob": "bilby"])
        try await GitServer.serve(home, [notes]) { [home] server in
            func read(_ user: String) async throws -> Outcome {
                try await home.command(
                    "git",
                    [
                        "-c", "credential.helper=", "ls-remote", "-q", server.url(user: user),
                        "main",
                    ],
                    variables: AskpassLanyardTests.variables
                ).run()
            }
            func store(_ user: String, _ secret: String) async throws {
                let url = server.origin.replacing("://", with: "://\(user)@", maxReplacements: 1)
                try await home.set("--for", "git", url, secret: secret)
            }
            try await store("ada", "hunter2")
            try await store("bob", "wrong")
            #expect(try await read("ada").status == 0)
            let wrong = try await read("bob")
            #expect(wrong.status == 128, "\(wrong)")
            #expect(wrong.errorText.contains("Authentication failed"), "\(wrong)")
            try await store("bob", "bilby")
            #expect(try await read("bob").status == 0)

            try await home.setPassphrase()
            let locked = try await read("ada")
            #expect(locked.status == 128, "\(locked)")
            #expect(locked.errorText.contains("the keychain 'login' is locked"), "\(locked)")
        }
    }
}

extension Need {
    fileprivate static let sshAgent = Need(missing: "there is no ssh-agent or no ssh-add") {
        try await succeeds(
            "sh", "-c", "command -v ssh-agent && command -v ssh-add && command -v ssh-keygen")
    }
}
