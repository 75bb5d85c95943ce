/// The settings of the examples in the pages of commands that lock, copy and configure keychains.
extension ManExampleSetting {
    /// A locked keychain with the item `x`, and its passphrase in a file.
    private static let lockedKeychain = """
        printf s | lanyard set x --stdin
        printf 'a passphrase' >passphrase
        lanyard passphrase set --new-passphrase-file passphrase

        """

    private static let typesPassphrase: [Dialogue.Step] = [
        .asked("passphrase:"), .types("a passphrase\r"),
    ]

    /// Expects that the unlocked keychain gives the token with the passphrase alone.
    private static func asksForToken(_ secret: String) -> String {
        """
        [ "$(LANYARD_PASSPHRASE_FILE=$HOME/passphrase lanyard get publish-token)" = \(secret) ]
        LANYARD_PASSPHRASE_FILE=$HOME/passphrase lanyard unlock
        status=0
        lanyard get publish-token || status=$?
        lanyard lock --all
        [ "$status" = 36 ]
        """
    }

    static let locking = [
        Self(
            page: "lanyard-set.1", mark: "--ask",
            way: .terminal(typesSecret + typesPassphrase + typesPassphrase),
            before: lockedKeychain
                + program("npm", "[ \"$1 $NODE_AUTH_TOKEN\" = \"publish hunter2\" ]"),
            after: asksForToken("hunter2"),
            needs: [.python, .keyrings, .pinentryCurses]),
        Self(
            page: "lanyard-edit.1", mark: "--ask",
            way: .terminal([.asked("passphrase:"), .types("a passphrase\r")]),
            before: """
                \(lockedKeychain)
                printf s | LANYARD_PASSPHRASE_FILE=$HOME/passphrase lanyard set publish-token --stdin
                """, after: asksForToken("s"), needs: [.python, .keyrings, .pinentryCurses]),
        Self(
            page: "lanyard-unlock.1", mark: "--timeout 4h",
            way: .terminal([.asked("passphrase:"), .types("a passphrase\r")]),
            before: lockedKeychain,
            after: """
                [ "$(lanyard get x)" = s ]
                lanyard status --json | grep -q '"locks_in":14[34][0-9][0-9]'
                lanyard lock --all
                """, needs: [.python, .keyrings, .pinentryCurses]),
        Self(
            page: "lanyard-unlock.1", mark: "--stdin", before: lockedKeychain,
            after: "[ \"$(lanyard get x)\" = s ]; lanyard lock --all", needs: [.keyrings]),
        Self(
            page: "lanyard-lock.1", mark: "lanyard lock",
            before: "\(lockedKeychain)lanyard unlock --stdin <passphrase", after: "! lanyard get x",
            needs: [.keyrings]),
        Self(
            page: "lanyard-status.1", mark: "--keychain work",
            before: "lanyard keychain create work",
            after: "grep -q work \"$OUTPUT\""),
        Self(
            page: "lanyard-passphrase.1", mark: "lanyard passphrase set\n",
            way: .terminal([
                .asked("new passphrase for the keychain 'login': "), .types("a passphrase\n"),
                .asked("new passphrase again: "), .types("a passphrase\n"),
                .sees("create one now? [Y/n] "), .types("y\n"),
            ]),
            before: "printf s | lanyard set x --stdin",
            after: "lanyard lock --all; ! lanyard get x", needs: [.python, .keyrings]),
        Self(
            page: "lanyard-passphrase.1", mark: "--new-passphrase-file",
            before: "printf s | lanyard set x --stdin; printf 'a passphrase' >passphrase",
            after: """
                ! lanyard get x
                [ "$(LANYARD_PASSPHRASE_FILE=$HOME/passphrase lanyard get x)" = s ]
                """),
        Self(
            page: "lanyard-recovery-key.1", mark: "lanyard recovery-key create",
            before: "printf s | lanyard set x --stdin",
            after: "[ \"$(grep -Ec '([0-9A-Z]{4}-){8}[0-9A-Z]{4}' \"$OUTPUT\")\" = 2 ]"),
    ]

    static let keychains = [
        Self(
            page: "lanyard-backup.1", mark: "lanyard backup \"/mnt/backup/",
            before: "printf s | lanyard set x --stdin; mkdir -m 700 \"$HOME/backup\"",
            replacing: ["/mnt/backup": "$HOME/backup"],
            after: "lanyard verify --file \"$HOME\"/backup/login-*.keychain"),
        Self(
            page: "lanyard-restore.1", mark: "lanyard restore /mnt/backup/",
            before: """
                printf s | lanyard set x --stdin
                mkdir -m 700 "$HOME/backup"
                lanyard backup "$HOME/backup/login-2026-11-23.keychain"
                rm "$LANYARD_HOME/data/login.keychain"
                """,
            replacing: ["/mnt/backup": "$HOME/backup"],
            after: "[ \"$(lanyard get x)\" = s ]"),
        Self(
            page: "lanyard-verify.1", mark: "lanyard verify --file",
            before: """
                printf s | lanyard set x --stdin
                mkdir -m 700 "$HOME/backup"
                lanyard backup "$HOME/backup/login-2026-11-23.keychain"
                """,
            replacing: ["/mnt/backup": "$HOME/backup"]),
        Self(
            page: "lanyard-watch.1", mark: "--group git --keychain work",
            way: .elsewhere(
                "EndToEnd/Keychains/Watching/WatchTests.swift",
                "\"--group\", \"git\", \"--keychain\", \"work\"")),
        Self(
            page: "lanyard-keychain.1", mark: "lanyard keychain create work",
            way: .terminal(typesSecret),
            after: """
                printf 'protocol=https\\nhost=git.example.com\\n\\n' | git credential fill |
                    grep -qx password=hunter2
                """, needs: [.python, .git]),
        Self(
            page: "lanyard-keychain.1", mark: "search-list work login",
            before: "printf s | lanyard set x --stdin; lanyard keychain create work",
            after: """
                [ "$(lanyard keychain search-list | tr '\\n' ' ')" = 'work login ' ]
                [ "$(lanyard keychain default)" = login ]
                """),
        Self(
            page: "lanyard-keychain.1", mark: "copy login work",
            before: "printf s | lanyard set x --stdin; lanyard keychain create work",
            after: "[ \"$(lanyard get --keychain work x)\" = s ]"),
    ]
}
