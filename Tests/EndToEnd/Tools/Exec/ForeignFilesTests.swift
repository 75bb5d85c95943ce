import Foundation
import Testing
@testable import EndToEndRig

/// `.env` files and templates that others wrote, as in a cloned repository: they get the secrets that were stored for the
/// user, and set no variable that does more than it seems.
@Suite(.timeLimit(.minutes(10)))
struct ForeignFilesTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.set("stripe", "live", secret: "own")
        for (tool, name) in [("git", "https://github.com"), ("docker", "ghcr.io")] {
            let set = try await home.lanyard(
                "set", "--for", tool, "--stdin", name, "ada", input: "\(tool)'s")
            #expect(set.status == 0, "\(set)")
        }
    }

    private func exec(_ text: String, _ options: String...) async throws -> Outcome {
        let file = try home.write(text, to: "project.env")
        return try await home.lanyardAlone(
            ["exec"] + options + ["--env-file", file, "--", "sh", "-c", #"printf '%s|' "$A" "$B""#])
    }

    /// A repository's file would send git's login to anyone.
    @Test(arguments: [
        ("lanyard:https://github.com", "git"), ("lanyard:https://ada@github.com", "git"),
        ("lanyard:ghcr.io", "docker"), ("lanyard:ghcr.io/ada", "docker"),
        ("{{ lanyard:https://github.com#account }}", "git"),
    ])
    func loginsOfToolsTakeTheOption(value: String, group: String) async throws {
        let reference = value.replacing("{{ ", with: "").replacing(" }}", with: "")
        let refused = try await exec("A=\(value)\n")
        #expect(refused.status == 44 && refused.output.isEmpty, "\(refused)")
        #expect(
            refused.errorText == """
                lanyard: error: A: '\(reference)' means the group 'login', but the item is in '\(group)'
                lanyard: hint: if it may be given: --group \(group)

                """)
        let template = value == reference ? "A=\(value)" : value
        let injected = try await home.lanyard("inject", input: template)
        #expect(injected.status == 44 && injected.output.isEmpty, "\(injected)")
        #expect(injected.errorText.contains("--group \(group)"), "\(injected)")
        let secret = value == reference ? "\(group)'s" : "ada"
        expectAnswer(try await exec("A=\(value)\n", "--group", group), "\(secret)||")
        let given = try await home.lanyard("inject", "--group", group, input: template)
        expectAnswer(given, value == reference ? "A=\(secret)" : secret)
    }

    /// An option names the login, so the file's value is not looked up.
    @Test func anOptionGivesOneLogin() async throws {
        let outcome = try await exec(
            "A=lanyard:https://github.com\nB=lanyard:stripe\n", "--env", "A=https://github.com")
        expectAnswer(outcome, "git's|own|")
    }

    @Test(arguments: [
        "LD_PRELOAD", "LD_AUDIT", "LANYARD_HOME", "LANYARD_ACCOUNT", "LANYARD_PASSPHRASE_FILE",
        "GCONV_PATH", "GLIBC_TUNABLES",
    ])
    func theLoaderAndLanyardAreNotTheirs(name: String) async throws {
        let text = "B=x\n\(name)=./p.so\n"
        let refused = try await exec(text)
        #expect(refused.status == 64 && refused.output.isEmpty, "\(refused)")
        #expect(
            refused.errorText.hasSuffix(
                """
                project.env:2: a file may not set \(name)
                lanyard: hint: if you trust it: --allow-env \(name)

                """), "\(refused)")
        let allowed = try await exec(text, "--allow-env", name)
        #expect(allowed.status == 0 && allowed.outputText == "|x|", "\(allowed)")
    }

    @Test func severalAreNamedTogether() async throws {
        let text = "LD_PRELOAD=a\nLANYARD_HOME=b\nLD_AUDIT=c\n"
        let refused = try await exec(text, "--allow-env", "LANYARD_HOME")
        #expect(refused.errorText.contains("may not set LD_PRELOAD, LD_AUDIT\n"), "\(refused)")
        #expect(
            refused.errorText.contains("--allow-env LD_PRELOAD --allow-env LD_AUDIT\n"),
            "\(refused)")
    }

    /// Once, whatever their number; and no more once the user knows them.
    @Test func whatRunsOtherCodeIsNamedOnce() async throws {
        let path = try #require(ProcessInfo.processInfo.environment["PATH"])
        let text = "PATH='\(path)'\nNODE_OPTIONS=--x\nBASH_ENV=./b\nB=y\n"
        let named = try await exec(text)
        #expect(named.status == 0 && named.outputText == "|y|", "\(named)")
        #expect(
            named.errorText.hasSuffix(
                "project.env' sets PATH, NODE_OPTIONS, BASH_ENV, which can make the program run other code\n"
            ) && named.errorText.split(separator: "\n").count == 1, "\(named)")
        let known = try await exec(
            text, "--allow-env", "PATH", "--allow-env", "NODE_OPTIONS", "--allow-env", "BASH_ENV")
        expectAnswer(known, "|y|")
    }

    @Test func dryRun() async throws {
        let file = try home.write(
            """
            A=lanyard:https://github.com
            B="{{ lanyard:stripe/live }}:{{ lanyard:x }}"
            LD_PRELOAD=./p.so
            PATH=/bin
            A=lanyard:stripe
            """, to: "project.env")
        let outcome = try await home.lanyard(
            "exec", "--dry-run", "--env-file", file, "--env", "T=https://github.com", "--account",
            "T=ada", "--profile", "datadog")
        #expect(outcome.status == 0 && outcome.errorText.isEmpty, "\(outcome)")
        let lines = outcome.outputText.split(separator: "\n").map { line in
            line.replacing(file, with: "FILE").split(
                separator: " ", omittingEmptySubsequences: true
            )
            .joined(separator: " ")
        }
        #expect(
            lines == [
                "VARIABLE SECRET FROM NOTE", "B lanyard:stripe/live, lanyard:x FILE:2",
                "LD_PRELOAD FILE:3 refused without --allow-env LD_PRELOAD",
                "PATH FILE:4 can make the program run other code", "A lanyard:stripe FILE:5",
                "DD_API_KEY datadog --profile datadog",
                "DATADOG_API_KEY datadog --profile datadog",
                "DD_APP_KEY datadog/app-key --profile datadog",
                "DATADOG_APP_KEY datadog/app-key --profile datadog",
                "T 'https://github.com' of 'ada' --env",
            ])
        #expect(!outcome.outputText.contains("own") && !outcome.outputText.contains("git's"))
        let template = "A=lanyard:stripe/live\n{{ lanyard:https://github.com }}"
        let listed = try await home.lanyard("inject", "--dry-run", input: template)
        expectAnswer(
            listed,
            """
            SECRET                      FROM
            lanyard:stripe/live         standard input:1
            lanyard:https://github.com  standard input:2

            """)
    }

    /// Whoever gives such an option believes that the program gets less.
    @Test(arguments: [
        (["--group", "git"], "--group has no effect"),
        (["--keychain", "login"], "--keychain has no effect"),
        (["--allow-env", "PATH", "--env", "A=stripe"], "--allow-env is only for --env-file"),
        (["--account", "B=x", "--env", "A=stripe"], "--account names 'B'"),
        (["--identity", "I=x", "--account", "I=x"], "a certificate has no account"),
    ])
    func optionsWithoutEffect(options: [String], reason: String) async throws {
        let outcome = try await home.lanyardAlone(["exec"] + options + ["--", "echo", "ran"])
        #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errorText.hasPrefix("lanyard: error: \(reason)"), "\(outcome)")
    }

    /// A `.env` file is a template, too.
    @Test func injectTakesLinesOfEnvironmentFiles() async throws {
        let text =
            "# x\nA=lanyard:stripe/live # own\nexport B=\"lanyard:stripe\"\nC='lanyard:stripe'\n"
        expectAnswer(
            try await home.lanyard("inject", input: text),
            "# x\nA=own # own\nexport B=\"own\"\nC='lanyard:stripe'\n")
        let missing = try await home.lanyard("inject", input: "A=lanyard:nothing")
        #expect(missing.status == 44 && missing.output.isEmpty, "\(missing)")
    }
}
