import Foundation
import Testing
@testable import EndToEndRig

/// `lanyard setup PROGRAM`: scripts that start programs by `lanyard run`.
@Suite(.timeLimit(.minutes(10)))
struct SetupProgramTests {
    let home: ScratchHome
    let programs: String

    init() async throws {
        home = try ScratchHome()
        programs = try home.folderOfPrintingPrograms([
            "stripe", "aws", "dog", "datadog-ci", "gh", "heroku", "npm", "psql",
        ])
        try await home.set("stripe", secret: "sk")
    }

    private var shims: String { "\(home.path)/home/.local/bin" }

    /// - Parameter isFirst: Whether PATH has the scripts before the programs.
    private func command(
        _ program: String, _ arguments: String..., isFirst: Bool = true
    ) async throws -> Outcome {
        let path = try home.environment()["PATH"] ?? ""
        return try await home.command(
            program, arguments,
            variables: ["PATH": "\(isFirst ? "\(shims):" : "")\(programs):\(path)"]
        ).run()
    }

    private func expectSuccess(
        _ outcome: Outcome, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(
            outcome.status == 0 && outcome.errorText.isEmpty, "\(outcome)",
            sourceLocation: sourceLocation)
    }

    /// The script is for an account that may still come, but the user learns of a typing error.
    @Test(arguments: ["nope", "-x"])
    func anUnknownAccount(account: String) async throws {
        let setUp = try await command("lanyard", "setup", "stripe", "--account=\(account)")
        #expect(
            setUp.status == 0
                && setUp.errorText == "lanyard: warning: 'stripe' has no account '\(account)'\n",
            "\(setUp)")
        let words = "stripe \(account)"
        let next = account == "nope" ? "lanyard set \(words)" : "lanyard set -- \(words)"
        #expect(setUp.outputText.contains("next      \(next)\n"), "\(setUp)")
        try await home.set("--", "stripe", account, secret: "sk of \(account)")
        expectAnswer(try await command("stripe"), "stripe\nSTRIPE_API_KEY=sk of \(account)\n")
        expectSuccess(try await command("lanyard", "setup", "stripe", "--account=\(account)"))
    }

    @Test func setUpAndUndo() async throws {
        let before = try Snapshot("\(home.path)/home")
        let planned = try await command("lanyard", "setup", "stripe", "--dry-run")
        #expect(planned.status == 0 && planned.outputText.contains("dry run"), "\(planned)")
        #expect(try Snapshot("\(home.path)/home").contentDifferences(from: before) == [])
        let setUp = try await command("lanyard", "setup", "stripe")
        #expect(setUp.status == 0 && setUp.errorText.isEmpty, "\(setUp)")
        #expect(setUp.outputText.hasPrefix("create    \(shims)/stripe\n"), "\(setUp)")
        #expect(!setUp.outputText.contains("PATH"), "\(setUp)")
        expectAnswer(
            try await command("stripe", "a b", "$c"), "stripe a b $c\nSTRIPE_API_KEY=sk\n")
        let script = try String(decoding: home.read("\(shims)/stripe"), as: UTF8.self)
        #expect(script.contains("/lanyard' run '\(programs)/stripe' \"$@\"\n"), "\(script)")
        #expect(!script.contains("sk"))
        let again = try await command("lanyard", "setup", "stripe")
        expectAnswer(again, "ok        stripe is set up: nothing to change\n")
        let undone = try await command("lanyard", "setup", "stripe", "--undo")
        #expect(undone.status == 0 && undone.outputText.hasPrefix("remove "), "\(undone)")
        #expect(undone.errorText.hasSuffix("secret of stripe: lanyard get stripe\n"), "\(undone)")
        #expect(!FileManager.default.fileExists(atPath: "\(home.path)/home/.local"))
        #expect(!FileManager.default.fileExists(atPath: "\(home.state)/setup"))
        let nothing = try await command("lanyard", "setup", "stripe", "--undo")
        #expect(nothing.status == 44, "\(nothing)")
    }

    @Test func everythingIsUndoneAtOnce() async throws {
        expectSuccess(try await command("lanyard", "setup", "all", "datadog", "aws"))
        let names = try FileManager.default.contentsOfDirectory(atPath: shims).sorted()
        #expect(names == ["aws", "datadog-ci", "dog"])
        expectSuccess(try await command("lanyard", "setup", "--undo"))
        #expect(!FileManager.default.fileExists(atPath: shims))
    }

    /// A scan has taken the login out of the program's file.
    @Test func theUndoNamesTheCommandForTheSecret() async throws {
        try home.writeAtHome(
            "github.com:\n    oauth_token: gho_abcdefgh\n    user: ada\n",
            to: ".config/gh/hosts.yml")
        expectSuccess(try await command("lanyard", "setup", "gh"))
        _ = try await command("lanyard", "scan", "--fix")
        #expect(home.textAtHome(".config/gh/hosts.yml")?.contains("gho_") == false)
        let undone = try await command("lanyard", "setup", "--undo", "gh")
        #expect(
            undone.errorText
                == "lanyard: hint: the keychain still has the secret of gh: "
                + "lanyard get gh@github.com ada\n",
            "\(undone)")
        expectAnswer(try await command("lanyard", "get", "gh@github.com", "ada"), "gho_abcdefgh\n")
    }

    /// As after another installation of lanyard.
    @Test func aScriptOfALanyardThatIsGone() async throws {
        for account in ["", " --account 'a b'"] {
            try await home.shell(
                "mkdir -p \"$1\"; PATH=$2:$PATH; lanyard setup stripe\(account) >/dev/null 2>&1; "
                    + "sed -i \"s|^exec '[^']*'|exec '/nowhere/lanyard'|\" \"$1/stripe\"",
                shims, programs)
            let doctor = try await command("lanyard", "doctor")
            let option = account.isEmpty ? "" : " --account='a b'"
            #expect(
                doctor.outputText.contains("stripe starts '/nowhere/lanyard', which is missing")
                    && doctor.outputText.contains("fix: lanyard setup stripe\(option)\n"),
                "\(doctor)")
        }
    }

    /// The token of pnpm's helper is one for npm, too: it is not to be typed again.
    @Test func theNextStepIsACopy() async throws {
        try await home.set("--for", "npm", "https://registry.npmjs.org", secret: "npm_1")
        let setUp = try await command("lanyard", "setup", "npm")
        expectSuccess(setUp)
        let copy = "lanyard get --group npm https://registry.npmjs.org | lanyard set --stdin npm"
        #expect(setUp.outputText.hasSuffix("next      \(copy)\n"), "\(setUp)")
        let run = try await command("npm", "whoami")
        #expect(run.errorText.hasSuffix("lanyard: hint: \(copy)\n"), "\(run)")
    }

    @Test func theUndoNamesAllLogins() async throws {
        try await home.set("--for", "npm", "https://registry.npmjs.org", secret: "npm_1")
        for (target, user) in [("a.example:5432:*", "ada"), ("b.example:5432:*", "bob")] {
            try await home.set("psql@\(target)", user, secret: "pw \(user)")
        }
        for program in ["npm", "psql"] {
            #expect(try await command("lanyard", "setup", program).status == 0)
        }
        let undone = try await command("lanyard", "setup", "--undo")
        #expect(undone.status == 0, "\(undone)")
        for item in ["'psql@a.example:5432:*' ada", "'psql@b.example:5432:*' bob"] {
            #expect(
                undone.errorText.contains(
                    "lanyard: hint: the keychain still has the secret of psql: lanyard get \(item)\n"
                ),
                "\(undone)")
        }
        #expect(
            undone.errorText.contains("lanyard: hint: the keychain still has logins of npm; "),
            "\(undone)")
    }

    @Test func saysWhatIsMissing() async throws {
        let setUp = try await command("lanyard", "setup", "all", "aws", isFirst: false)
        expectSuccess(setUp)
        #expect(
            setUp.outputText.contains("put '\(shims)' before '\(programs)' in PATH"), "\(setUp)")
        #expect(setUp.outputText.hasSuffix("next      lanyard set aws ACCOUNT\n"), "\(setUp)")
        // Reached by its path, it still starts the program itself.
        try await home.set("aws", "AKIA", secret: "s")
        expectAnswer(
            try await command("\(shims)/aws", isFirst: false),
            "aws\nAWS_ACCESS_KEY_ID=AKIA\nAWS_SECRET_ACCESS_KEY=s\n")
    }

    /// Where the program has its secret in a plain-text file, the next step imports that.
    @Test func theNextStepIsAnImport() async throws {
        let hosts = "github.com:\n    oauth_token: gho_a\n    user: ada\n"
        func setUp(_ program: String) async throws -> Outcome {
            try await command("lanyard", "setup", program, "--dry-run")
        }
        let none = try await setUp("gh")
        #expect(none.outputText.contains("\nnext      lanyard set gh\n"), "\(none)")
        try home.writeAtHome(hosts, to: ".config/gh/hosts.yml")
        try home.writeAtHome(
            "machine api.heroku.com login a password t\n", to: ".netrc")
        for program in ["gh", "heroku"] {
            let planned = try await setUp(program)
            #expect(
                planned.outputText.contains("\nnext      lanyard import \(program)\n"),
                "\(planned)")
            try await home.expectImport(program, saying: "import    1 new")
            let after = try await setUp(program)
            #expect(!after.outputText.contains("next"), "\(after)")
        }
    }

    /// A script that is found in another folder is no program.
    @Test func aScriptNeverStartsAScript() async throws {
        expectSuccess(try await command("lanyard", "setup", "stripe"))
        try FileManager.default.removeItem(atPath: "\(programs)/stripe")
        try FileManager.default.copyItem(
            atPath: "\(shims)/stripe", toPath: "\(programs)/stripe")
        #expect(try await command("lanyard", "setup", "stripe", "--undo").status == 0)
        let outcome = try await command("lanyard", "setup", "stripe")
        #expect(outcome.errorText.contains("stripe is not on the PATH"), "\(outcome)")
        #expect(outcome.status != 0 && outcome.output.isEmpty, "\(outcome)")
    }

    @Test func anotherFileStays() async throws {
        try FileManager.default.createDirectory(
            atPath: shims, withIntermediateDirectories: true)
        let own = try home.write("#!/bin/sh\n", to: "home/.local/bin/stripe", mode: 0o755)
        let outcome = try await command("lanyard", "setup", "stripe")
        #expect(outcome.status != 0 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errorText.contains("'\(own)' already exists"), "\(outcome)")
        #expect(try home.read(own) == Array("#!/bin/sh\n".utf8))
    }

    @Test func aChangedScriptStays() async throws {
        expectSuccess(try await command("lanyard", "setup", "stripe"))
        let own = try home.write("#!/bin/sh\n# mine\n", to: "home/.local/bin/stripe", mode: 0o755)
        #expect(try await command("lanyard", "setup", "stripe", "--undo").status == 0)
        #expect(try home.read(own) == Array("#!/bin/sh\n# mine\n".utf8))
    }

    @Test(arguments: [
        ("strpe", "did you mean 'stripe'?"), ("dokcer", "did you mean 'lanyard setup docker'?"),
        ("pip", "lanyard setup keyring"), ("ssh-add", "lanyard setup askpass"),
        ("tofu", "lanyard setup terraform"), ("openbao", "lanyard setup vault"),
        ("frobnicate", "see lanyard profile list"),
        ("gh", "install it first"),
        ("openrouter", "lanyard exec --profile openrouter -- COMMAND"),
    ])
    func refused(name: String, hint: String) async throws {
        let outcome = try await home.lanyard(
            "setup", name, variables: ["PATH": try Programs.folder()])
        #expect(outcome.status != 0 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errorText.hasSuffix("lanyard: hint: \(hint)\n"), "\(outcome)")
    }
}
