@testable import EndToEndRig

extension LanyardTranscript {
    private static func wrong(
        _ command: String, _ reason: String, help: String
    ) -> LanyardTranscript {
        Self(
            command, command,
            error: "lanyard: error: \(reason)\nlanyard: hint: \(help) --help\n", status: 64)
    }

    /// How the command is called.
    static let usage = [
        Self("--version", "lanyard --version", output: "lanyard 0.1.0\n"),
        Self(
            "help reads no input", "lanyard --help </dev/null | head -1",
            output: "OVERVIEW: Store logins in one encrypted keychain.\n"),
        Self(
            "lanyard alone is a request for help", "lanyard >one; lanyard --help >two; cmp one two"),
        Self("help is help", "lanyard help >one; lanyard --help >two; cmp one two"),
        Self(
            "help set",
            "lanyard help set >one; lanyard set --help >two; cmp one two; "
                + "grep -c '^USAGE: lanyard set ' one", output: "1\n"),
        Self(
            "help keychain create", "lanyard help keychain create | grep USAGE",
            output: "USAGE: lanyard keychain create <name> [--kind <kind>] [--file <path>]\n"),
        Self(
            "keychain alone is a request for help",
            "lanyard keychain | grep USAGE", output: "USAGE: lanyard keychain <subcommand>\n"),
        Self(
            "help names the man page", "lanyard help | tail -1; lanyard help import csv | tail -1",
            output: "MANUAL: lanyard(1)\nMANUAL: lanyard-import(1), or lanyard help import\n"),
        wrong("lanyard frob", "unknown command 'lanyard frob'", help: "lanyard"),
        wrong("lanyard help frob", "unknown command 'lanyard frob'", help: "lanyard"),
        wrong(
            "lanyard help import frob", "unknown command 'lanyard import frob'",
            help: "lanyard import"),
        Self(
            "a mistyped command", "lanyard lsit",
            error: """
                lanyard: error: unknown command 'lanyard lsit'
                lanyard: hint: did you mean 'lanyard list'?

                """, status: 64),
        Self("-V", "lanyard -V", output: "lanyard 0.1.0\n"),
        Self(
            "version names what is linked in",
            "lanyard version | head -1; lanyard version | sed -n 's/^  \\(.*\\) [0-9.]*$/\\1/p'",
            output: """
                lanyard 0.1.0
                SQLite
                libsodium
                keyutils
                Swift
                glibc
                OpenSSL
                swift-argument-parser

                """),
        Self(
            "version --json", "lanyard version --json | cut -c 1-49",
            output: "{\"version\":\"0.1.0\",\"libraries\":[{\"name\":\"SQLite\",\n"),
        Self(
            "other names of commands",
            "printf s | lanyard add --stdin x; lanyard show x; lanyard ls | cut -c 1-8; "
                + "lanyard rm x; lanyard ls", output: "s\nGROUP  N\nlogin  x\n"),
        Self(
            "exec without --", "lanyard exec --env A=x printenv A",
            error: """
                lanyard: error: missing -- before the program 'printenv'
                lanyard: hint: lanyard exec [options] -- printenv [arguments]

                """, status: 64),
        Self(
            "an option like another one", "lanyard exec --evn A=x true",
            error: """
                lanyard: error: unknown option '--evn'
                lanyard: hint: did you mean '--env'?

                """, status: 64),
        wrong("lanyard --frob", "unknown option '--frob'", help: "lanyard"),
        wrong("lanyard set", "missing expected argument '<what>'", help: "lanyard set"),
        wrong("lanyard get", "missing expected argument '<what>'", help: "lanyard get"),
        wrong("lanyard remove", "missing expected argument '<what>'", help: "lanyard remove"),
        wrong("lanyard get a b c", "unexpected argument 'c'", help: "lanyard get"),
        wrong(
            "lanyard set a b hunter2", "too many arguments: a secret is never an argument",
            help: "lanyard set"),
        wrong(
            "lanyard set a b hunter2 hunter3",
            "too many arguments: a secret is never an argument", help: "lanyard set"),
        wrong(
            "lanyard set a --password=hunter2", "unknown option '--password'",
            help: "lanyard set"),
        wrong("lanyard set a -p hunter2", "unknown option '-p'", help: "lanyard set"),
        Self(
            "the example of each setup works",
            """
            for tool in ansible askpass aws bazel cargo gcloud go gpg keyring nuget pnpm \
                podman-secrets terraform vault; do
                example=$(lanyard setup $tool --help | sed -n '/^EXAMPLES/{n;p}')
                eval "$example --dry-run" >/dev/null || echo "$example"
            done
            """),
        Self(
            "the help of a role",
            "lanyard team approve --help | tr -s ' \\n' ' ' | grep -c '(values: reader, member, owner)'",
            output: "1\n"),
        Self(
            "an unknown tool", "lanyard set x --for frob",
            error: """
                lanyard: error: the value 'frob' is invalid for '--for <tool>'
                lanyard: hint: use one of git, docker, askpass, kubectl, cargo, keyring, terraform, aws, go, bazel, vault, npm, ansible, podman, gpg, nuget, gcloud

                """, status: 64),
        wrong("lanyard get x --timeout 0s", "'0s' is not a duration", help: "lanyard get"),
        wrong("lanyard run", "missing program", help: "lanyard run"),
        wrong(
            "lanyard import frob", "unknown command 'lanyard import frob'",
            help: "lanyard import"),
        Self(
            "lanyard setup pnpm", "lanyard setup pnpm",
            error: """
                lanyard: error: missing registry
                lanyard: hint: lanyard setup pnpm REGISTRY

                """, status: 64),
        Self(
            "two tools at once", "lanyard setup git docker; lanyard setup stripe git",
            error: """
                lanyard: error: unexpected argument 'docker'
                lanyard: hint: one tool after the other, or lanyard setup for all that are installed
                lanyard: error: 'git' has a setup of its own: lanyard setup git
                lanyard: hint: lanyard setup all --help

                """, status: 64),
        Self(
            "a group or a word to search for after list", "lanyard list git",
            error: """
                lanyard: error: unexpected argument 'git'
                lanyard: hint: lanyard list --group GROUP, or lanyard find TEXT

                """, status: 64),
        wrong(
            "lanyard status x", "unexpected argument 'x'",
            help: "--keychain NAME names a keychain; see lanyard status"),
        wrong(
            "lanyard passphrase set --stdin", "unknown option '--stdin'",
            help: "lanyard passphrase set"),
        wrong("lanyard config x", "unknown command 'lanyard config x'", help: "lanyard config"),
        wrong(
            "lanyard get x --group", "missing value for '--group <group>'", help: "lanyard get"),
        wrong(
            "lanyard set x --label", "missing value for '--label <label>'", help: "lanyard set"),
        Self(
            "an option of all commands that is misspelt", "lanyard get x --grup y",
            error: """
                lanyard: error: unknown option '--grup'
                lanyard: hint: did you mean '--group'?

                """, status: 64),
        wrong(
            "lanyard keychain frob", "unknown command 'lanyard keychain frob'",
            help: "lanyard keychain"),
        wrong(
            "lanyard keychain create", "missing expected argument '<name>'",
            help: "lanyard keychain create"),
        wrong(
            "lanyard keychain delete", "missing expected argument '<name>'",
            help: "lanyard keychain delete"),
        wrong(
            "lanyard keychain list x", "unexpected argument 'x'", help: "lanyard keychain list"),
        wrong("lanyard get \"$(printf 'a\\377')\"", "an argument is not UTF-8", help: "lanyard"),
        Self(
            "an item whose name begins with a dash",
            "printf s | lanyard set --stdin -- -x; lanyard get -- -x", output: "s\n"),
        Self(
            "help that can't be written", "lanyard --help >/dev/full",
            error: "lanyard: error: the answer can't be written: the disk is full\n",
            status: 1),
        Self("closed streams", "lanyard list <&- >&- 2>&-; lanyard get x <&- >&- 2>&-", status: 44),
    ]
}
