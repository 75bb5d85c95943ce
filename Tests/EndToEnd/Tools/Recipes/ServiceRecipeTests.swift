import Foundation
import Testing
@testable import EndToEndRig

/// The recipe of lanyard(7) for a service of systemd.
@Suite(.needs(.root, .anotherUser, .python, .git, .lighttpd), .timeLimit(.minutes(10)))
struct ServiceRecipeTests {
    private static let new: [Dialogue.Step] = [
        .asked("new passphrase for the keychain 'login': "), .types("a passphrase\n"),
        .asked("new passphrase again: "), .types("a passphrase\n"),
        .sees("create one now? [Y/n] "), .types("y\n"),
    ]
    /// Runs `$3` as the service's user, with nothing but the environment of a unit and the
    /// credential `$1` in a folder as systemd makes it.
    private static let service = """
        credentials=$HOME/credentials-$2
        rm -rf "$credentials"
        mkdir -m 500 "$credentials"
        cp "$1" "$credentials/lanyard.passphrase"
        chmod 400 "$credentials/lanyard.passphrase"
        chown -R "$2:$2" "$credentials"
        user=$2 command=$3
        shift 3
        exec env -i PATH="$PATH" HOME=/ CREDENTIALS_DIRECTORY="$credentials" "$@" \\
            setpriv --reuid="$user" --regid="$user" --clear-groups --inh-caps=-all \\
            --bounding-set=-all sh -c "$command"
        """

    let home: ScratchHome
    private let recipe: Recipe

    init() throws {
        home = try ScratchHome()
        recipe = try Recipe("A service of systemd")
    }

    /// Text of the recipe with the places of this test.
    private func here(_ text: String) -> String {
        text.replacing("%S/", with: "/var/lib/")
            .replacing("/var/lib/", with: "\(home.path)/var/")
            .replacing("/etc/", with: "\(home.path)/etc/")
    }

    /// With `DynamicUser=yes` the state folder is a link to a private one, and its owner's number
    /// another one each time.
    @Test(arguments: [false, true]) func fetches(isDynamic: Bool) async throws {
        print(
            "skipped: part of \(#function): no unit of this machine's systemd is started: credentials "
                + "and users are made as it makes them")
        // Where the programs were built another user may not look; and LoadCredential= reads as root.
        try await home.shell(
            """
            chmod 711 "$HOME"
            mkdir "$HOME/../programs" "$HOME/../etc" "$HOME/../var"
            cp "$(command -v lanyard)" "$(command -v git-credential-lanyard)" "$HOME/../programs"
            cd "$HOME/../var"
            if [ "$1" = true ]; then
                mkdir -p -m 755 private
                mkdir -m 700 private/mirror
                ln -s private/mirror mirror
            else
                mkdir -m 700 mirror
            fi
            """, "\(isDynamic)")
        let state = isDynamic ? "\(home.path)/var/private/mirror" : "\(home.path)/var/mirror"
        try await GitServer.serve(home) { [self] server in
            try await setUp(server)
            for user in isDynamic ? ["65534", "65533"] : ["65534"] {
                try await home.shell("chown -R \"$2:$2\" \"$1\"", state, user)
                try await home.aColleagueWrites(in: server.repository())
                let fetch = try await run(recipe.settings("ExecStart", ofBlock: 2)[0], as: user)
                #expect(fetch.status == 0, "\(fetch)")
                // git itself does not look into another user's folder.
                let fetched = try await home.succeeds(
                    "cat", "\(state)/notes.git/.git/refs/remotes/origin/main"
                ).outputText
                #expect(try await home.commit("main", in: server.repository()) == fetched)
            }
            // Without the credential there is nothing to be had from the state folder.
            _ = try home.write("nonsense", to: "etc/mirror.passphrase")
            let wrong = try await run("lanyard get --group git \(server.origin)", as: "65534")
            #expect(wrong.status != 0 && wrong.output.isEmpty, "\(wrong)")
        }
    }

    /// The keychain and a clone, both root's at first.
    private func setUp(_ server: GitServer) async throws {
        _ = try home.write("right", to: "home/token")
        let terminal = Dialogue(home: home, variables: ["PATH": try await home.pathWith("mkdir")])
        let commands = here(try recipe.commands(0))
            .replacing("https://git.example.com", with: server.origin)
        let session = try await terminal.run(
            "set -e; umask 022; cd \"$HOME\"; \(commands); lanyard lock --all; set +e",
            steps: ServiceRecipeTests.new)
        session.expect(status: 0)
        try await home.shell("[ \"$(stat -c %a \"$HOME/key\")\" = 600 ]")
        try await home.shell("cd \"$HOME\"; \(here(try recipe.commands(1)))")
        try await home.shell(
            """
            export GIT_ASKPASS="$2" GIT_CONFIG_GLOBAL=/dev/null
            git clone --quiet "$1" "$3/var/mirror/notes.git"
            """, server.url(),
            home.write(
                "#!/bin/sh\ncase $1 in U*) echo ada ;; *) echo right ;; esac\n", to: "askpass",
                mode: 0o700), home.path)
    }

    private func run(_ command: String, as user: String) async throws -> Outcome {
        let credential = try #require(
            try recipe.settings("LoadCredential", ofBlock: 2).first?.split(separator: ":").last)
        let environment = try recipe.settings("Environment", ofBlock: 2).map(here)
        return try await self.home.command(
            "sh",
            [
                "-euc", ServiceRecipeTests.service, "sh", here(String(credential)), user,
                here(command),
            ]
                + environment,
            variables: [
                "PATH": "\(home.path)/programs:/usr/local/bin:/usr/bin:/bin"
            ]
        ).run()
    }

    /// What the page says of the two: one takes nothing, the other memory on purpose.
    @Test(.needs(.unsanitized, .prlimit))
    func aRecoveryKeyTakesNoMemory() async throws {
        try await home.set("x", secret: "s")
        try await home.setPassphrase()
        let key = try await home.lanyardUnlocked("recovery-key", "create").outputText
        _ = try home.write(key, to: "key")
        // A passphrase takes 128 MiB.
        func get(_ file: String) async throws -> Outcome {
            try await home.command(
                "prlimit", ["--as=\(100 << 20)", "lanyard", "get", "x"],
                variables: ["LANYARD_PASSPHRASE_FILE": "\(home.path)/\(file)"]
            ).run()
        }
        expectAnswer(try await get("key"), "s\n")
        let outcome = try await get("passphrase")
        #expect(outcome.status != 0 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errorText.contains("memory"), "\(outcome)")
    }
}
