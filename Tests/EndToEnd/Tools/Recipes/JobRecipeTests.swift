import Foundation
import Testing
@testable import EndToEndRig

/// The recipe of lanyard(7) for CI jobs.
@Suite(.needs(.git, .lighttpd), .timeLimit(.minutes(10)))
struct JobRecipeTests {
    let home: ScratchHome
    private let recipe: Recipe

    init() throws {
        home = try ScratchHome()
        recipe = try Recipe("A CI job")
    }

    private func here(_ commands: String, _ server: GitServer) -> String {
        commands.replacing("https://git.example.com", with: server.origin)
    }

    /// Runs a job's steps in one folder; then the secrets stand in no argument, variable or
    /// configuration of what runs there.
    private func job(
        _ commands: String, _ server: GitServer, in folder: String, secret: (String, String)
    ) async throws -> Outcome {
        var variables = home.ownHome
        variables["RUNNER_TEMP"] = "\(home.path)/runner"
        variables[secret.0] = secret.1
        return try await home.command(
            "sh",
            [
                "-euc",
                """
                mkdir -p "$RUNNER_TEMP"
                cd "$1"
                umask 022
                \(here(commands, server))
                git clone --quiet "$2" "$HOME/clone"
                env | grep -F "$(cat "$3")" && exit 3
                ! grep -rF "$(cat "$3")" "$HOME/.gitconfig" "$HOME/clone/.git/config"
                """, "sh", folder, server.url(), home.write(secret.1, to: "secret"),
            ], variables: variables
        ).run()
    }

    @Test func aKeychainForTheJob() async throws {
        try await GitServer.serve(home) { [self] server in
            let outcome = try await job(
                recipe.commands(0), server, in: home.path, secret: ("TOKEN", "right"))
            expectAnswer(outcome, "")
            try await home.shell("test -e \"$HOME/clone/notes.txt\"")
        }
    }

    @Test(.needs(.python)) func aKeychainWithTheSources() async throws {
        try await GitServer.serve(home) { [self] server in
            let sources = "\(home.path)/sources"
            try await home.shell("git init --quiet \"$1\"", sources)
            var variables = home.ownHome
            variables["PATH"] = try await home.pathWith()
            let made = try await Dialogue(home: home, variables: variables).run(
                "cd \"$1\"; \(here(try recipe.commands(1), server))", sources,
                steps: [
                    .asked("secret for "), .types("right\n"), .asked("secret again: "),
                    .types("right\n"),
                    .asked("new passphrase for the keychain 'ci': "), .types("a passphrase\n"),
                    .asked("new passphrase again: "), .types("a passphrase\n"),
                    .sees("create one now? [Y/n] "), .types("y\n"),
                ])
            made.expect(status: 0)
            let key = String(
                try #require(made.shown.firstMatch(of: /[0-9A-Z]{4}(-[0-9A-Z]{4}){8}/)?.0))
            // Another machine: git brings the sources, and nothing else.
            try await home.shell(
                """
                LANYARD_HOME= lanyard lock --all
                cd "$1"
                git add .ci
                git -c user.name=A -c user.email=a@example.com commit --quiet -m ci
                umask 022
                git clone --quiet "$1" "$1-there"
                test "$(stat -c %a "$1-there/.ci/ci.keychain")" = 644
                rm -rf "$HOME/.local" "$HOME/.config" "$1"
                """, sources)
            let outcome = try await job(
                recipe.commands(2), server, in: "\(sources)-there", secret: ("KEY", key))
            expectAnswer(outcome, "")
            try await home.shell(
                """
                test -e "$HOME/clone/notes.txt"
                test "$(stat -c %a "$1")" = 600
                """, "\(home.path)/runner/key")
            // The passphrase alone is of no use there.
            let guess = try await home.command(
                "lanyard", ["get", "--group", "git", server.origin],
                variables: [
                    "LANYARD_HOME": "\(home.path)/runner/lanyard", "LANYARD_KEYCHAIN": "ci",
                    "LANYARD_PASSPHRASE_FILE": home.write("a passphrase", to: "guess"),
                ]
            ).run()
            #expect(guess.status == 51 && guess.output.isEmpty, "\(guess)")
        }
    }
}
