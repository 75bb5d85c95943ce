@testable import EndToEndRig

extension LanyardTranscript {
    private static let item = "printf s | lanyard set x --stdin"
    private static let locked =
        "lanyard: the keychain 'login' is locked now; lanyard unlock unlocks it\n"
    private static let passphrase = "umask 077; echo 'a passphrase' >passphrase"

    /// passphrase and restore, as in a user's first hour.
    static let keys = [
        Self(
            "a passphrase of fewer than 8 characters is refused", before: item,
            "echo secret >p; lanyard passphrase set --new-passphrase-file p",
            error: """
                lanyard: error: the new passphrase has fewer than 8 characters
                lanyard: hint: --yes accepts a short one, which is easy to guess

                """,
            status: 64),
        Self(
            "what asks at each use needs a passphrase, which is checked before a secret is typed",
            before: item, "lanyard set --ask y",
            error: """
                lanyard: error: the keychain has no passphrase
                lanyard: hint: lanyard passphrase set

                """,
            status: 51),
        Self(
            "… also where the first item would make the keychain", "lanyard set --ask y",
            error: """
                lanyard: error: the keychain has no passphrase
                lanyard: hint: lanyard passphrase set

                """,
            status: 51),
        Self(
            "a size that no RSA key can have is a mistake in the call",
            "lanyard key generate --type rsa --size 1024 k",
            error: """
                lanyard: error: an RSA key can't have 1024 bits
                lanyard: hint: use a multiple of 8 from 2048 to 4096

                """,
            status: 64),
        Self(
            "a copy that is missing is a missing file, not a missing keychain",
            "lanyard verify --file /nonexistent/copy",
            error: "lanyard: error: file '/nonexistent/copy' not found\n", status: 44),
        Self(
            "status after a passphrase was set", before: item,
            """
            \(passphrase); lanyard passphrase set --new-passphrase-file passphrase
            lanyard status --keychain login
            """,
            output: """
                keychain  login (sealed file)
                state     locked: lanyard unlock
                in use    yes, new logins go here
                items     1 (login 1)
                file      HOME/data/login.keychain
                opens     on this machine only
                safe      if your files leak, unless someone guesses the passphrase
                not safe  from programs that run as you, while it is unlocked
                theft     a copy of your home folder opens nothing without the passphrase
                note      if you forget the passphrase or lose the folder with the machine key, you lose all logins
                          fix: lanyard recovery-key create

                """, error: locked),
        Self(
            "… and a portable one", before: item,
            """
            \(passphrase); lanyard passphrase set --portable --new-passphrase-file passphrase
            lanyard status --keychain login | tail -n 7
            """,
            output: """
                opens     on another machine with the passphrase
                safe      if your files leak, unless someone guesses the passphrase
                not safe  from guesses that need the keychain file alone: lanyard passphrase change --no-portable
                          from programs that run as you, while it is unlocked
                theft     a copy of your home folder opens nothing without the passphrase
                note      if you forget the passphrase, you lose all logins
                          fix: lanyard recovery-key create

                """, error: locked),
        Self(
            "the passphrase is of no use without this machine's key", before: item,
            """
            \(passphrase); lanyard passphrase set --new-passphrase-file passphrase
            export LANYARD_PASSPHRASE_FILE="$PWD/passphrase"
            lanyard get x; mv "$LANYARD_HOME/state" state; lanyard get x
            """,
            output: "s\n",
            error: """
                \(locked)lanyard: error: the machine key 'HOME/state/machine-key' is missing
                lanyard: hint: restore it from a backup of its folder; or restore a backup that has a recovery key: \
                lanyard restore FILE; or forget it: lanyard keychain delete login

                """,
            status: 51),
        Self(
            "restore asks before it replaces", before: "\(item); lanyard backup \"$HOME/copy\"",
            "lanyard restore \"$HOME/copy\"",
            error: """
                lanyard: error: there is no terminal to prompt at
                lanyard: hint: add --yes to go ahead

                """,
            status: 36),
        Self(
            "restore of a keychain that is gone",
            before:
                "\(item); lanyard backup \"$HOME/copy\"; rm \"$LANYARD_HOME/data/login.keychain\"",
            "lanyard restore \"$HOME/copy\" && lanyard get x",
            output: "1 item, no damage found\ns\n"),
        Self(
            "a missing file has one status in every command", before: item,
            """
            for command in "import csv" "import git-credentials" "key import" scan restore \
                "inject --input" "passphrase set --new-passphrase-file" \
                "export copy --passphrase-file" "team recover /tmp code --recovery-key-file"; do
                lanyard $command /nothing 2>&1; echo $?
            done | sort | uniq -c
            """,
            output: "      9 44\n      9 lanyard: error: file '/nothing' not found\n"),
        Self(
            "… and a missing folder of a file to write", before: item,
            """
            for command in "export --plain-text --yes" backup "inject --output"; do
                lanyard $command /nothing/file </dev/null 2>&1; echo $?
            done | grep -v warning: | sort | uniq -c
            """,
            output: """
                      3 44
                      3 lanyard: error: folder '/nothing' not found
                      3 lanyard: hint: mkdir -p '/nothing'

                """),
        Self(
            "restore of nothing", "lanyard restore /nothing",
            error: "lanyard: error: file '/nothing' not found\n", status: 44),
    ]
}
