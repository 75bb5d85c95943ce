import Foundation
import Testing
@testable import EndToEndRig

/// References to secrets: `lanyard exec --env-file` and `lanyard inject`.
@Suite(.timeLimit(.minutes(10)))
struct ReferenceEndToEndTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.set("stripe", "live", secret: "sk live")
        try await home.set("database", "ada", secret: "p@ss")
        try await home.set("datadog/app-key", secret: "app")
        try await home.set("https://example.com", "bob", secret: "bob's")
    }

    @Test func environmentFile() async throws {
        let file = try home.write(
            """
            # a project
            STRIPE_API_KEY=lanyard:stripe/live # a reference
            export DATABASE_URL="postgres://{{ lanyard:database#account }}:{{ lanyard:database }}@db"
            APP='lanyard:stays'
            DD_APP_KEY=lanyard:datadog#app-key
            BOB=lanyard:https://bob@example.com
            PLAIN=$HOME

            """, to: "project.env")
        let outcome = try await home.lanyard(
            "exec", "--env-file", file, "--", "sh", "-c",
            #"printf '%s\n' "$STRIPE_API_KEY" "$DATABASE_URL" "$APP" "$DD_APP_KEY" "$BOB" "$PLAIN""#
        )
        expectAnswer(
            outcome,
            "sk live\npostgres://ada:p@ss@db\nlanyard:stays\napp\nbob's\n$HOME\n")
    }

    /// Without an item of that name it is an account; `#account` is that of the item, and a part is no name.
    @Test func anItemWithASlashInItsName() async throws {
        let template = "{{ lanyard:stripe/test }} {{ lanyard:stripe/test#account }}"
        try await home.set("stripe", "test", secret: "account")
        expectAnswer(try await home.lanyard("inject", input: template), "account test")
        // The exact name comes first, as in all commands.
        try await home.set("stripe/test", "ada", secret: "named")
        expectAnswer(try await home.lanyard("inject", input: template), "named ada")
        let part = try await home.lanyard("inject", input: "{{ lanyard:stripe/test#key }}")
        #expect(part.status == 44, "\(part)")
    }

    /// The last file counts, and an option more than a file.
    @Test func order() async throws {
        let one = try home.write("A=one\nB=one\nC=one\n", to: "one.env")
        let two = try home.write("B=two\nC=two\n", to: "two.env")
        let outcome = try await home.lanyard(
            "exec", "--env", "C=stripe", "--env-file", one, "--env-file", two, "--", "sh", "-c",
            #"printf '%s|%s|%s' "$A" "$B" "$C""#, variables: ["A": "inherited"])
        expectAnswer(outcome, "one|two|sk live")
    }

    @Test(
        arguments: [
            (
                "A=lanyard:nothing\n", 44,
                "error: A: item 'nothing' not found\nlanyard: hint: lanyard set nothing\n"
            ),
            ("A=lanyard:no such/it's\n", 44, #"lanyard: hint: lanyard set 'no such' 'it'\''s'"#),
            ("A=lanyard:stripe/test\n", 44, "it has the account 'live'"),
            ("A=lanyard:datadog%2Fapp-key#account\n", 44, "has no account"),
            ("A=b\nhunter2\n", 64, "line 2 is not NAME=VALUE ('"),
            ("A=lanyard:a/b/c\n", 64, "line 1: invalid reference 'lanyard:a/b/c' ('"),
            ("A=lanyard:50%off\n", 64, "with / # % in a name as %2F %23 %25\n"),
        ] as [(String, Int32, String)])
    func refusedFiles(text: String, status: Int32, message: String) async throws {
        let file = try home.write(text, to: "bad.env")
        let outcome = try await home.lanyard("exec", "--env-file", file, "--", "echo", "never")
        #expect(outcome.status == status && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errorText.contains(message), "\(outcome)")
        #expect(!outcome.errorText.contains("hunter2"), "\(outcome)")
    }

    /// A name with any character is written by one rule, which the error of another way names.
    @Test(arguments: [
        ("a b", "a b"), ("é ü", "é ü"), ("c#d", "c%23d"), ("#n", "%23n"), ("o #p", "o%20%23p"),
        ("e/f", "e/f"), ("k/l/m", "k%2Fl%2Fm"), ("g%h", "g%25h"), ("i%2Fj", "i%252Fj"),
        ("q}}r", "q%7D%7Dr"),
    ])
    func namesInReferences(name: String, written: String) async throws {
        try await home.set("--", name, secret: "s")
        let file = try home.write("A=lanyard:\(written)\nB='x'\n", to: "a.env")
        expectAnswer(
            try await home.lanyard(
                "exec", "--env-file", file, "--", "sh", "-c", #"printf %s "$A""#), "s")
        expectAnswer(try await home.lanyard("inject", input: "{{ lanyard:\(written) }}"), "s")
        let plain = try await home.lanyard("inject", input: "{{ lanyard:\(name) }}")
        if name == "c#d" || name == "i%2Fj" {
            #expect(
                plain.status == 44
                    && plain.errorText.hasSuffix(
                        "hint: '\(name)' in a reference is lanyard:\(written)\n"),
                "\(plain)")
        } else if ["k/l/m", "g%h", "#n"].contains(name) {
            #expect(plain.status == 64 && plain.errorText.contains("%2F %23 %25"), "\(plain)")
        }
    }

    @Test func missingFile() async throws {
        let outcome = try await home.lanyard("exec", "--env-file", "no.env", "--", "echo", "never")
        #expect(outcome.status == 44 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errorText == "lanyard: error: file 'no.env' not found\n", "\(outcome)")
    }

    @Test func inject() async throws {
        let outcome = try await home.lanyard(
            "inject",
            input:
                "user={{ lanyard:database#account }}\npassword={{lanyard:database/ada}}\n{{ x }}\n")
        expectAnswer(outcome, "user=ada\npassword=p@ss\n{{ x }}\n")
        expectAnswer(try await home.lanyard("inject", input: "plain"), "plain")
    }

    @Test func injectIntoAFile() async throws {
        let input = try home.write("password={{ lanyard:database }}\n", to: "template")
        let output = try home.write("old", to: "app.conf", mode: 0o644)
        expectAnswer(
            try await home.lanyard("inject", "--input", input, "--output", output), "")
        #expect(try home.read(output) == Array("password=p@ss\n".utf8))
        let attributes = try FileManager.default.attributesOfItem(atPath: output)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        _ = try home.write("{{ lanyard:database }} {{ lanyard:nothing }}", to: "template")
        let before = try Snapshot(home.path)
        // By another path of the same file, too.
        let template = try home.read(input)
        let folder = try #require(input.lastIndex(of: "/"))
        let alias = "\(input[..<folder])/.\(input[folder...])"
        for name in [input, alias] {
            let same = try await home.lanyard("inject", "--input", input, "--output", name)
            #expect(
                same.status == 64 && same.errorText.contains("the output is the input"), "\(same)")
        }
        #expect(try home.read(input) == template)
        let missing = try await home.lanyard("inject", "--input", input, "--output", output)
        #expect(missing.status == 44 && missing.output.isEmpty, "\(missing)")
        #expect(try Snapshot(home.path).contentDifferences(from: before) == [])
    }

    /// A device or a link is not replaced: /dev/null and /dev/stdout are for others, too.
    @Test func injectReplacesOnlyFiles() async throws {
        let target = try home.write("old", to: "target")
        _ = try await home.shell(
            "cd \"$1\"; ln -s target link; ln -s missing broken; mkfifo pipe; mkdir folder",
            home.path)
        for name in ["link", "broken", "pipe", "folder"] {
            let before = try Snapshot(home.path)
            let outcome = try await home.lanyard(
                "inject", "--output", "\(home.path)/\(name)", input: "{{ lanyard:database }}")
            #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome)")
            #expect(outcome.errorText.contains("\(name)' is not a file"), "\(outcome)")
            #expect(try Snapshot(home.path).contentDifferences(from: before) == [])
        }
        #expect(try home.read(target) == Array("old".utf8))
    }

    @Test func injectWritesNothingInvalid() async throws {
        let outcome = try await home.lanyard("inject", input: "a\n{{ lanyard:database\n")
        #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errorText.contains("line 2: a reference has no '}}'"), "\(outcome)")
    }

    @Test func lockedKeychain() async throws {
        let file = try home.write("A=lanyard:stripe\n", to: "locked.env")
        try await home.setPassphrase()
        expectLocked(try await home.lanyard("exec", "--env-file", file, "--", "echo", "never"))
        expectLocked(try await home.lanyard("inject", input: "{{ lanyard:stripe }}"))
        // Nothing of the keychain is needed.
        expectAnswer(try await home.lanyard("inject", input: "plain"), "plain")
    }

    @Test(.needs(.python)) func aTerminalShowsNoSecretUnlessAsked() async throws {
        let file = try home.write("x {{ lanyard:stripe }}\n", to: "template")
        let refused = try await home.shell(
            "python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' "
                + "lanyard inject --input \"$1\" || echo \"status $?\"", file)
        #expect(refused.outputText.contains("secrets are not written to a terminal"), "\(refused)")
        #expect(refused.outputText.contains("status 64"), "\(refused)")
        #expect(!refused.outputText.contains("sk live"), "\(refused)")
        let asked = try await home.shell(
            "python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' "
                + "lanyard inject --to-terminal --input \"$1\"", file)
        #expect(asked.outputText.contains("x sk live"), "\(asked)")
    }
}
