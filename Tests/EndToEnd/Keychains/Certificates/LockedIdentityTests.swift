import Testing
@testable import EndToEndRig

/// Certificates and keys of a locked keychain: what is public can be seen, private keys can't be used.
@Suite(.needs(.openssl, .keyrings), .timeLimit(.minutes(10)))
struct LockedIdentityTests {
    let home: ScratchHome
    let made: MadeCertificates
    private let user = MadeCertificates.user
    private static let prompt = "passphrase for the keychain 'login': "

    init() async throws {
        home = try ScratchHome()
        made = try await MadeCertificates(home)
        try await home.importCertificates(
            made.path("bundle.pem"), expecting: "1 key, 3 certificates")
    }

    @Test func whatIsPublicCanBeSeen() async throws {
        let commands = [
            ["certificate", "list"], ["certificate", "list", "--json"], ["identity", "list"],
            ["certificate", "show", user], ["certificate", "export", user, "-"],
            ["certificate", "export", "--chain", user, "-"], ["key", "list"],
            ["key", "list", "--json"], ["key", "show", user], ["key", "show", "--pem", user],
            ["exec", "--certificate", "C=\(user)", "--", "cat", "{C}"],
        ]
        var before: [String] = []
        for command in commands {
            let outcome = try await home.lanyardAlone(command)
            #expect(outcome.status == 0 && !outcome.output.isEmpty, "\(outcome)")
            before.append(outcome.outputText)
        }
        try await home.setPassphrase()
        for (command, expected) in zip(commands, before) {
            expectAnswer(try await home.lanyardAlone(command), expected)
        }
    }

    @Test func whatIsPrivateCannotBeUsed() async throws {
        try await home.setPassphrase()
        let password = ["--passphrase-file", made.path("wrong.password")]
        let file = "\(home.path)/out"
        for command in [
            ["exec", "--identity", "I=\(user)", "--", "echo", "never"],
            ["exec", "--private-key", "K=\(user)", "--", "echo", "never"],
            ["key", "export", "--plain-text", user, file],
            ["key", "export", user, file] + password,
            ["certificate", "export", "--pkcs12", user, file] + password,
            ["key", "import", made.path("id_plain")], ["key", "generate", "new"],
        ] {
            expectLocked(try await home.lanyardAlone(command))
        }
        #expect(!(try Snapshot(home.path).entries.keys.contains { $0.hasPrefix("out") }))
        #expect(try await home.listedNames("key") == [user])
        let helper = try await home.command(
            "setsid", ["--wait", "kubectl-credential-lanyard", user]
        ).run()
        expectRefusal(helper, "the keychain 'login' is locked")
    }

    @Test(.needs(.python)) func aUserIsAskedOnce() async throws {
        try await home.setPassphrase()
        try await home.forgettingKeys { [home] in
            let terminal = Dialogue(
                home: home,
                variables: ["PATH": try await home.pathWith("grep"), "TERM": "xterm"])
            let script = "lanyard exec --identity I=\(user) -- grep -c BEGIN {I}"
            let asked = try await terminal.run(
                "\(script); \(script)", steps: [.asked(Self.prompt), .types("the passphrase\n")])
            asked.expect(status: 0)
            #expect(asked.shown.contains("\r\n3\r\n3\r\n"), "\(asked)")
        }
    }

    /// A key that was stored with --ask takes the passphrase while the keychain is unlocked, too.
    @Test(.needs(.python)) func eachUseOfAnAskingKey() async throws {
        try await home.setPassphrase()
        try await home.forgettingKeys { [home, made, user] in
            let imported = try await home.lanyardUnlocked(
                "key", "import", "--ask", "--replace", made.path("ada.key"))
            #expect(imported.outputText == "import    1 unchanged, 1 replaced\n", "\(imported)")
            try await home.unlock()
            let listed = try await home.lanyardAlone(["key", "list"])
            #expect(listed.outputText.contains(" asks\n"), "\(listed)")
            // The question names what the secret is bound to: a label could be another's.
            let key = try await home.json("key", "list", "--json").elements.first?.members
            guard case .string(let hash)? = key?["hash"] else {
                Issue.record("the key has no hash")
                return
            }
            let refused = try await home.lanyardAlone(
                ["exec", "--identity", "I=\(user)", "--", "echo", "never"])
            #expect(refused.status == 36 && refused.output.isEmpty, "\(refused)")
            #expect(
                refused.errorText.hasPrefix(
                    "lanyard: error: the secret of '\(hash)' takes the passphrase at each use"),
                "\(refused)")
            let terminal = Dialogue(
                home: home,
                variables: ["PATH": try await home.pathWith("grep"), "TERM": "xterm"])
            let script = "lanyard exec --private-key K=\(user) -- grep -c BEGIN {K}"
            let asked = try await terminal.run(
                "\(script); \(script)",
                steps: [
                    .asked("passphrase"), .types("the passphrase\n"), .sees("1\r\n"),
                    .asked("passphrase"), .types("the passphrase\n"),
                ])
            asked.expect(status: 0)
            #expect(asked.shown.contains("'\(hash)'"), "\(asked)")
        }
    }
}
