/// What an example of a man page needs to be run, beside a home of its own.
struct ManExampleSetting: Sendable {
    /// How an example is tried.
    enum Way: Sendable {
        /// Its commands are run, one after the other, without a terminal.
        case script
        /// The same at a terminal, with a user who does this.
        case terminal([Dialogue.Step])
        /// It is a text, which a script takes as the file `$1`.
        case text(String)
        /// Another test tries it: a file below Tests, and a text in that which says so.
        case elsewhere(String, String)
    }

    /// The page's file.
    let page: String
    /// What only this example of the page contains.
    let mark: String
    var way = Way.script
    /// A script that makes what the example takes for granted.
    var before = ""
    /// What is replaced here, such as a place outside the home.
    var replacing: [String: String] = [:]
    /// A script that fails if the example did not do what the page says; what it printed is in `$OUTPUT`.
    var after = ""
    /// What there may not be on every machine.
    var needs: [Need] = []

    func isOf(_ example: ManExample) -> Bool {
        page == example.page && example.text.contains(mark)
    }
}

/// The settings of all examples but those that need none: commands that work in an empty home, and print
/// what the page shows.
extension ManExampleSetting {
    static let all = lanyard + helpers + others

    private static let typesSecret: [Dialogue.Step] = [
        .asked("secret for "), .types("hunter2\n"), .asked("again: "), .types("hunter2\n"),
    ]

    private static let gitLogin = """
        printf 'protocol=https\\nhost=example.com\\nusername=ada\\npassword=hunter2\\n' |
            git-credential-lanyard store

        """

    private static let dockerLogin = """
        printf '{"ServerURL":"registry.example.com","Username":"ada","Secret":"hunter2"}' |
            docker-credential-lanyard store

        """

    /// A program of this name that replaces a real one.
    private static func program(_ name: String, _ script: String) -> String {
        """
        mkdir -p "$HOME/bin"
        printf '%s\\n' '#!/bin/sh' '\(script)' >"$HOME/bin/\(name)"
        chmod +x "$HOME/bin/\(name)"

        """
    }

    private static let lanyard = [
        Self(
            page: "lanyard.1", mark: "lanyard set backup\n", way: .terminal(typesSecret),
            before: program(
                "restic", "[ \"$1\" = --password-command ] && [ \"$(sh -c \"$2\")\" = hunter2 ]"),
            after: "[ \"$(lanyard get backup)\" = hunter2 ]", needs: [.python]),
        Self(
            page: "lanyard.1", mark: "make-token |", before: program("make-token", "echo token"),
            after: "[ \"$(lanyard get https://example.com/api ada)\" = token ]"),
        Self(
            page: "lanyard.1", mark: "lanyard remove --group git", before: gitLogin,
            after: "[ \"$(cat \"$OUTPUT\")\" = hunter2 ]; ! lanyard get https://example.com"),
        Self(
            page: "lanyard.1", mark: "lanyard list --server example.com",
            before: "\(gitLogin)printf s | lanyard set https://example.org --stdin",
            after: "grep -q example.com \"$OUTPUT\"; ! grep -q example.org \"$OUTPUT\""),
        Self(
            page: "lanyard.1", mark: "lanyard keychain create work", way: .terminal(typesSecret),
            after: """
                printf 'protocol=https\\nhost=git.example.com\\n\\n' | git credential fill |
                    grep -qx password=hunter2
                """, needs: [.python, .git]),
        Self(
            page: "lanyard.1", mark: "lanyard doctor",
            way: .terminal([.sees("set these up? [Y/n] "), .types("y\n")]),
            after: "grep -q 'git: works' \"$OUTPUT\"", needs: [.python, .git]),
        Self(
            page: "lanyard.1", mark: "lanyard unlock --timeout 4h",
            way: .terminal([
                .asked("new passphrase for the keychain 'login': "), .types("a passphrase\n"),
                .asked("new passphrase again: "), .types("a passphrase\n"),
                .sees("make one [Y/n] "), .types("y\n"),
                // pinentry asks for what was set.
                .asked("passphrase:"), .types("a passphrase\r"),
            ]),
            before: "printf s | lanyard set x --stdin",
            after: """
                grep -q 'state: unlocked; locks in [34] h' "$OUTPUT"
                lanyard status | grep -q 'state: locked'
                lanyard lock --all
                """, needs: [.python, .keyrings, .pinentryCurses]),
        Self(
            page: "lanyard.1", mark: "lanyard import git-credentials --dry-run",
            before: """
                echo 'https://ada:hunter2@example.com' >"$HOME/.git-credentials"
                mkdir -p "$HOME/.docker"
                echo '{"auths":{"registry.example.com":{"auth":"dTpz"}}}' >"$HOME/.docker/config.json"
                """,
            after: """
                [ ! -e "$HOME/.git-credentials" ]
                ! grep -q dTpz "$HOME/.docker/config.json"
                [ "$(lanyard get https://example.com ada)" = hunter2 ]
                """),
        Self(
            page: "lanyard.1", mark: "lanyard backup \"/mnt/backup/",
            before: "printf s | lanyard set x --stdin; mkdir -m 700 \"$HOME/backup\"",
            replacing: ["/mnt/backup": "$HOME/backup"],
            after: "lanyard verify --file \"$HOME\"/backup/login-*.keychain"),
        Self(
            page: "lanyard.1", mark: "lanyard restore /mnt/backup/",
            before: """
                printf s | lanyard set x --stdin
                mkdir -m 700 "$HOME/backup"
                lanyard backup "$HOME/backup/login-2026-11-23.keychain"
                rm "$LANYARD_HOME/data/login.keychain"
                """,
            replacing: ["/mnt/backup": "$HOME/backup"],
            after: "[ \"$(lanyard get x)\" = s ]"),
        Self(
            page: "lanyard.1", mark: "lanyard generate --symbols",
            after: "[ \"$(wc -c <\"$OUTPUT\")\" = 25 ]"),
        Self(
            page: "lanyard.1", mark: "lanyard exec --netrc",
            before: """
                printf hunter2 | lanyard set https://ada@example.com --stdin
                printf hunter2 | lanyard set database ada --stdin
                printf hunter2 | lanyard set backup --stdin

                """
                    + program(
                        "curl",
                        "[ \"$1\" = --netrc-file ] && grep -qx \"password hunter2\" \"$2\"")
                    + program("psql", "[ \"$PGPASSWORD\" = hunter2 ]")
                    + program("restic", "[ \"$(cat \"$RESTIC_PASSWORD_FILE\")\" = hunter2 ]")),
        Self(
            page: "lanyard.1", mark: "lanyard export logins.export",
            way: .terminal([
                .asked("passphrase for the export: "), .types("a passphrase\n"),
                .asked("passphrase again: "), .types("a passphrase\n"),
                .asked("passphrase of the export: "), .types("a passphrase\n"),
            ]),
            before: "printf hunter2 | lanyard set x --stdin\n"
                + program("scp", "[ \"$*\" = \"logins.export elsewhere:\" ]")
                + program(
                    "ssh",
                    "[ \"$1 $2\" = \"-t elsewhere\" ] && shift 2 && LANYARD_HOME=$HOME/$1 \"$@\""),
            after: "[ \"$(LANYARD_HOME=$HOME/lanyard lanyard get x)\" = hunter2 ]",
            needs: [.python]),
    ]

    private static let helpers = [
        Self(
            page: "git-credential-lanyard.1", mark: "--unset-all",
            before: "git config --global credential.helper store",
            after: "[ \"$(git config --global --get-all credential.helper)\" = lanyard ]",
            needs: [.git]),
        Self(
            page: "git-credential-lanyard.1", mark: "useHttpPath true",
            after: """
                [ "$(git config --get-urlmatch credential.useHttpPath https://example.com)" = true ]
                """, needs: [.git]),
        Self(
            page: "git-credential-lanyard.1", mark: "git-credential-lanyard get",
            before: gitLogin, after: "grep -qx password=hunter2 \"$OUTPUT\""),
        Self(
            page: "git-credential-lanyard.1", mark: "git-credential-lanyard erase",
            before: gitLogin, after: "[ \"$(lanyard list)\" = '' ]"),
        Self(
            page: "docker-credential-lanyard.1", mark: "\"credHelpers\"",
            way: .text(
                """
                cp "$1" "$HOME/auth.json"
                skopeo login --get-login --authfile "$HOME/auth.json" registry.example.com
                """), before: dockerLogin, after: "[ \"$(cat \"$OUTPUT\")\" = ada ]",
            needs: [.skopeo]),
        Self(
            page: "docker-credential-lanyard.1", mark: "credential-helpers =",
            way: .text(
                """
                mkdir -p "$HOME/.config/containers"
                cp "$1" "$HOME/.config/containers/registries.conf"
                skopeo login --get-login registry.example.com
                """),
            before: dockerLogin, after: "[ \"$(cat \"$OUTPUT\")\" = ada ]", needs: [.skopeo]),
        Self(
            page: "docker-credential-lanyard.1", mark: "docker-credential-lanyard list",
            before: dockerLogin,
            after: "[ \"$(cat \"$OUTPUT\")\" = '{\"registry.example.com\":\"ada\"}' ]"),
        Self(
            page: "docker-credential-lanyard.1", mark: "docker-credential-lanyard erase",
            before: dockerLogin, after: "[ \"$(lanyard list)\" = '' ]"),
    ]

    private static let others = [
        Self(
            page: "lanyard-keychain-secret-service.1", mark: "\"method\":\"hello\"",
            replacing: [
                "/usr/local/libexec/lanyard/": "$(dirname \"$(command -v lanyard)\")/"
            ],
            after: "grep -q '\"kind\":\"secret-service\"' \"$OUTPUT\"", needs: [.plugin]),
        Self(
            page: "lanyard-plugin.7", mark: "> {\"id\":1",
            way: .elsewhere("KeychainPlugin/ManPageTests.swift", "lanyard-plugin.7")),
        Self(
            page: "lanyard-plugin.7", mark: "./lanyard-keychain-example",
            before: "cp \"$TESTS\"/KeychainPlugin/Plugins/lanyard-keychain-example .",
            after: "[ \"$(grep -c '\"result\"' \"$OUTPUT\")\" = 2 ]", needs: [.python]),
        Self(
            page: "lanyard-plugin.7", mark: "KeychainPluginTests.ConformanceTests/executable",
            way: .elsewhere("KeychainPlugin/ConformanceTests.swift", "LANYARD_PLUGIN_SETTINGS")),
        Self(
            page: "lanyard-keychain.5", mark: "machine key id:",
            way: .elsewhere("IndependentReader/check_examples.py", "lanyard-keychain(5)")),
        Self(
            page: "lanyard-export.5", mark: "\"format\":\"lanyard-export\"",
            way: .text("lanyard import lanyard \"$1\""),
            after: """
                [ "$(cat "$OUTPUT")" = '2 new, 0 the same, 0 skipped' ]
                [ "$(lanyard get https://example.com)" = 'a password' ]
                """),
        Self(
            page: "lanyard-export.5", mark: "chunk of the document",
            way: .elsewhere("IndependentReader/read_export.py", "lanyard-export(5)")),
    ]
}
