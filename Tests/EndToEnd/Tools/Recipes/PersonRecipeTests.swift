import Foundation
import Testing
@testable import EndToEndRig

/// The recipes of lanyard(7) for machines that users sit at, or log in to.
@Suite(.needs(.python, .keyrings, .git), .timeLimit(.minutes(10)))
struct PersonRecipeTests {
    private static let prompt = "passphrase for the keychain 'login': "
    private static let new: [Dialogue.Step] = [
        .sees("make these changes? [Y/n] "), .types("y\n"),
        .asked("new passphrase for the keychain 'login': "), .types("a passphrase\n"),
        .asked("new passphrase again: "), .types("a passphrase\n"),
        .sees("create one now? [Y/n] "), .types("y\n"),
    ]
    private static let request = "protocol=https\nhost=a.example\n"
    private static let login = "username=ada\npassword=pw\n"
    private static let fill =
        "printf 'protocol=https\\nhost=a.example\\n\\n' | git credential fill"

    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private func lanyard(_ arguments: String...) async throws -> Outcome {
        try await home.command("lanyard", arguments, variables: home.ownHome).run()
    }

    private func withKeys(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            _ = try await lanyard("lock", "--all")
            throw error
        }
        _ = try await lanyard("lock", "--all")
    }

    private func storeLogin() async throws {
        let outcome = try await home.command(
            "git", ["credential", "approve"],
            input: Array("\(PersonRecipeTests.request)\(PersonRecipeTests.login)\n".utf8),
            variables: home.ownHome
        ).run()
        expectAnswer(outcome, "")
    }

    private func variables(_ programs: String...) async throws -> [String: String?] {
        var variables = home.ownHome
        variables["PATH"] = try await home.pathWith("git", "mkdir")
        if let pinentry = programs.first {
            variables["PATH"] = try await home.pathWith("git", "mkdir", "pinentry=\(pinentry)")
        }
        return variables
    }

    private func recoveryKey(_ session: Dialogue.Session) throws -> String {
        String(try #require(session.shown.firstMatch(of: /[0-9A-Z]{4}(-[0-9A-Z]{4}){8}/)?.0))
    }

    @Test(.needs(.pinentryCurses)) func laptop() async throws {
        let recipe = try Recipe("A laptop")
        try await withKeys {
            let terminal = Dialogue(home: home, variables: try await variables())
            let setUp = try await terminal.run(
                recipe.commands(0), steps: PersonRecipeTests.new)
            setUp.expect(status: 0)
            let key = try recoveryKey(setUp)
            try await storeLogin()
            try await expectNothingIsAsked(terminal)

            let locked = try await terminal.run(recipe.commands(1))
            locked.expect(status: 0)
            let status = try await lanyard("status")
            #expect(status.outputText.contains("state     locked"), "\(status)")

            let asking = Dialogue(
                home: home, variables: try await variables("pinentry-curses"))
            let fill = try await asking.run(
                PersonRecipeTests.fill, steps: [.asked("passphrase:"), .types("a passphrase\r")])
            fill.expect(status: 0)
            #expect(fill.shown.contains("password=pw"), "\(fill)")
            let unlocked = try await lanyard("status")
            #expect(
                unlocked.outputText.contains(/locks in (10 h|9 h 59 min)\b/), "\(unlocked)")

            // The key on paper opens what is left of the laptop: a backup of the keychain.
            try await home.shell("rm -r \"$HOME/.local/state/lanyard\"")
            let restored = try await terminal.run(
                "lanyard unlock --recovery-key; \(PersonRecipeTests.fill)",
                steps: [.asked("recovery key of the keychain 'login': "), .types("\(key)\n")])
            restored.expect(status: 0)
            #expect(restored.shown.contains("password=pw"), "\(restored)")
        }
    }

    @Test func server() async throws {
        let recipe = try Recipe("A server over SSH, and cron")
        try await withKeys {
            let terminal = Dialogue(home: home, variables: try await variables())
            let setUp = try await terminal.run(
                recipe.commands(0), steps: PersonRecipeTests.new)
            setUp.expect(status: 0)
            try await storeLogin()
            expectAnswer(try await lanyard("lock", "--all"), "")

            // A job in the night does not hang.
            let job = try await home.command(
                "setsid", ["-w", "sh", "-c", PersonRecipeTests.fill], variables: home.ownHome
            ).run()
            #expect(job.status == 128, "\(job)")
            #expect(job.errorText.contains("lanyard: hint: lanyard unlock\n"), "\(job)")

            let unlock = try await terminal.run(
                recipe.commands(1),
                steps: [.asked(PersonRecipeTests.prompt), .types("a passphrase\n")])
            unlock.expect(status: 0)
            try await expectNothingIsAsked(terminal)
            // Another login, and a job with next to no environment.
            for program in [
                ["keyctl", "session", "-", "sh", "-c", PersonRecipeTests.fill],
                [
                    "setsid", "-w", "sh", "-c",
                    "keyctl new_session >/dev/null;" + PersonRecipeTests.fill,
                ],
                [
                    "sh", "-c", "env -i HOME=\"$HOME\" PATH=\"$PATH\" sh -c \"$0\"",
                    PersonRecipeTests.fill,
                ],
            ] {
                let outcome = try await home.command(
                    program[0], Array(program.dropFirst()), variables: home.ownHome
                ).run()
                #expect(outcome.status == 0, "\(outcome)")
                #expect(outcome.outputText.hasSuffix(PersonRecipeTests.login), "\(outcome)")
            }
        }
    }

    /// What keeps running in tmux while the user is disconnected.
    @Test(.needs(.tmux)) func serverInTmux() async throws {
        let recipe = try Recipe("A server over SSH, and cron")
        try await withKeys {
            let terminal = Dialogue(home: home, variables: try await variables())
            let setUp = try await terminal.run(recipe.commands(0), steps: PersonRecipeTests.new)
            setUp.expect(status: 0)
            try await storeLogin()
            expectAnswer(try await lanyard("lock", "--all"), "")
            _ = try home.write(
                "\(PersonRecipeTests.fill) >\"$HOME/filled\" 2>&1; tmux wait-for -S done\n",
                to: "job")
            let session = home.ownHome
            let start = try await home.command(
                "tmux",
                ["-S", "\(home.path)/tmux", "new-session", "-d", "sh"], variables: session
            ).run()
            #expect(start.status == 0, "\(start)")
            let unlock = try await terminal.run(
                recipe.commands(1),
                steps: [.asked(PersonRecipeTests.prompt), .types("a passphrase\n")])
            unlock.expect(status: 0)
            let job = try await home.command(
                "sh",
                [
                    "-c",
                    """
                    tmux -S "$1/tmux" send-keys "sh '$1/job'" Enter
                    timeout 60 tmux -S "$1/tmux" wait-for done
                    tmux -S "$1/tmux" kill-server
                    cat "$HOME/filled"
                    """, "sh", home.path,
                ], variables: session
            ).run()
            #expect(job.outputText.hasSuffix(PersonRecipeTests.login), "\(job)")
        }
    }

    private func expectNothingIsAsked(
        _ terminal: Dialogue, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let fill = try await terminal.run(PersonRecipeTests.fill)
        fill.expect(status: 0, sourceLocation: sourceLocation)
        #expect(fill.shown.hasSuffix("password=pw\r\n"), "\(fill)", sourceLocation: sourceLocation)
    }
}
