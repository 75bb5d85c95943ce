@testable import EndToEndRig

extension BrokenSetup {
    static let ofPlaces: [BrokenSetup] = [
        BrokenSetup(
            name: "there is no home", code: "home-missing",
            variables: ["HOME": nil, "LANYARD_HOME": nil],
            // The message leads to the machine's own home folder.
            mending: "export HOME=\"$SCRATCH/home\""),
        BrokenSetup(
            name: "the passphrase's file is gone", code: "variable-points-nowhere",
            variables: ["LANYARD_PASSPHRASE_FILE": "SCRATCH/gone"]),
        BrokenSetup(
            name: "LANYARD_KEYCHAIN names nothing", code: "variable-points-nowhere",
            variables: ["LANYARD_KEYCHAIN": "gone"]),
        BrokenSetup(
            name: "others can look into the folder", code: "folder-open-to-others",
            breaking: "chmod 755 \"$H/data\""),
        BrokenSetup(
            name: "others can read the keychain", code: "file-open-to-others",
            breaking: "chmod 644 \"$H/data/login.keychain\""),
        BrokenSetup(
            name: "others can read the machine key", code: "file-open-to-others",
            breaking: "chmod 640 \"$H/state/machine-key\""),
        BrokenSetup(
            name: "the keychain is a link", code: "symbolic-link",
            breaking: """
                mv "$H/data/login.keychain" "$1/elsewhere"
                ln -s "$1/elsewhere" "$H/data/login.keychain"
                """,
            mending: "mv \"$SCRATCH/elsewhere\" \"$H/data/login.keychain\""),
        BrokenSetup(
            name: "the keychain is a folder", code: "wrong-file-type",
            breaking: """
                mv "$H/data/login.keychain" "$1/elsewhere"
                mkdir -m 700 "$H/data/login.keychain"
                """,
            mending:
                "rmdir \"$H/data/login.keychain\" && mv \"$SCRATCH/elsewhere\" \"$H/data/login.keychain\""
        ),
        BrokenSetup(
            name: "the machine key is a pipe", code: "wrong-file-type",
            breaking: """
                mv "$H/state/machine-key" "$1/elsewhere"
                mkfifo -m 600 "$H/state/machine-key"
                """,
            mending: "mv -f \"$SCRATCH/elsewhere\" \"$H/state/machine-key\""),
        BrokenSetup(
            name: "the log is a folder", code: "wrong-file-type",
            breaking: "rm -f \"$H\"/*/login.log && mkdir -m 700 \"$H/state/login.log\"",
            mending: "rmdir \"$H/state/login.log\""),
        BrokenSetup(
            name: "the configuration is a folder", code: "wrong-file-type",
            breaking: "mkdir -p -m 700 \"$H/config/config\" && chmod 700 \"$H/config\"",
            mending: "rmdir \"$H/config/config\""),
        BrokenSetup(
            name: "a folder that is not writable", code: "place-read-only",
            breaking: "chmod 500 \"$H/data\""),
        BrokenSetup(
            name: "the folder of the machine key is not writable", code: "state-read-only",
            breaking: "chmod 500 \"$H/state\""),
        BrokenSetup(
            name: "the helpers are not on the PATH", code: "helper-not-found",
            breaking: """
                git config --global credential.helper lanyard
                mkdir "$1/bin" && ln -s "$(command -v lanyard)" "$1/bin/lanyard"
                """,
            variables: ["PATH": "SCRATCH/bin:/usr/local/bin:/usr/bin:/bin"]),
        BrokenSetup(
            name: "the program of the helpers can't be run", code: "helper-not-found",
            breaking: """
                git config --global credential.helper lanyard
                mkdir "$1/bin" && ln -s "$(command -v lanyard)" "$1/bin/lanyard"
                ln -s "$(command -v docker-credential-lanyard)" "$1/bin"
                cp "$(readlink -f "$(command -v git-credential-lanyard)")" "$1/lanyard-helper"
                chmod 644 "$1/lanyard-helper"
                ln -s ../lanyard-helper "$1/bin/git-credential-lanyard"
                """,
            variables: ["PATH": "SCRATCH/bin:/usr/local/bin:/usr/bin:/bin"]),
        BrokenSetup(
            name: "another version of a helper is found first", code: "helper-other-version",
            breaking: """
                mkdir "$1/old"
                printf '#!/bin/sh\\necho git-credential-lanyard 0.0.1\\n' \
                    >"$1/old/git-credential-lanyard"
                chmod 755 "$1/old/git-credential-lanyard"
                """,
            variables: ["PATH": "SCRATCH/old:PATH"]),
        BrokenSetup(
            name: "an old copy of another tool's helper is found first",
            code: "helper-other-version",
            breaking: """
                mkdir "$1/old" && ln -s "$(command -v git-credential-lanyard)" "$1/old"
                printf '#!/bin/sh\\necho cargo-credential-lanyard 0.0.1\\n' \
                    >"$1/old/cargo-credential-lanyard"
                chmod 755 "$1/old/cargo-credential-lanyard"
                """,
            variables: ["PATH": "SCRATCH/old:PATH"]),
    ]

    static let ofKeychains: [BrokenSetup] = [
        BrokenSetup(
            name: "the configuration can't be read", code: "configuration-unreadable",
            breaking: "mkdir -p -m 700 \"$H/config\" && echo '[lanyard' >\"$H/config/config\"",
            mending: "rm \"$H/config/config\""),
        BrokenSetup(
            name: "a setting is misspelt", code: "configuration-unknown-setting",
            breaking: """
                mkdir -p -m 700 "$H/config"
                printf '[lanyard]\\n\\tautlock = 1h\\n' >"$H/config/config"
                """,
            mending: "sed -i s/autlock/autolock/ \"$H/config/config\""),
        BrokenSetup(
            name: "a setting means nothing", code: "configuration-unknown-setting",
            breaking: """
                mkdir -p -m 700 "$H/config"
                printf '[lanyard]\\n\\tcolour = green\\n' >"$H/config/config"
                """),
        BrokenSetup(
            name: "other users can write to the configuration's folder",
            code: "folder-open-to-others",
            breaking: "mkdir -p \"$H/config\" && chmod 777 \"$H/config\""),
        BrokenSetup(
            name: "a setting's value means nothing", code: "configuration-mistake",
            breaking: """
                mkdir -p -m 700 "$H/config"
                printf '[lanyard]\\n\\tautolock = soon\\n' >"$H/config/config"
                """,
            mending: "rm \"$H/config/config\""),
        BrokenSetup(
            name: "the default keychain is missing", code: "keychain-missing",
            breaking: """
                mkdir -p -m 700 "$H/config"
                printf '[lanyard]\\n\\tdefault = work\\n' >"$H/config/config"
                """,
            mending: "lanyard keychain create work"),
        BrokenSetup(
            name: "the keychain has disappeared", code: "keychain-missing",
            breaking: "mv \"$H/data/login.keychain\" \"$1/elsewhere\"",
            mending: "mv \"$SCRATCH/elsewhere\" \"$H/data/login.keychain\""),
        BrokenSetup(
            name: "the Secret Service that is chosen is not there",
            code: "secret-service-unreachable",
            breaking: """
                mkdir -p -m 700 "$H/config"
                printf '[lanyard]\\n\\tsearchList = secret-service login\\n' >"$H/config/config"
                """,
            mending: "lanyard keychain search-list login"),
        BrokenSetup(
            name: "the file is no keychain", code: "keychain-wrong-format",
            breaking: "echo text >\"$H/data/login.keychain\"",
            mending: "lanyard keychain delete --yes login"),
        BrokenSetup(
            name: "the file's header is damaged", code: "keychain-wrong-format",
            breaking: """
                cp -p "$H/data/login.keychain" "$1/kept"
                printf damaged | dd of="$H/data/login.keychain" conv=notrunc 2>"$1/dd"
                """,
            mending: "mv \"$SCRATCH/kept\" \"$H/data/login.keychain\""),
        BrokenSetup(
            name: "a newer version has written the keychain", code: "keychain-newer-format",
            breaking: sql("PRAGMA user_version = 99"), mending: sql("PRAGMA user_version = 2")),
        BrokenSetup(
            name: "the keychain's keys are damaged", code: "keychain-damaged",
            breaking: """
                cp -p "$H/data/login.keychain" "$1/kept"
                \(sql("UPDATE keychain SET keybag = CAST(substr(keybag, 1, 300) || x'a5a5' || substr(keybag, 303) AS BLOB)"))
                """,
            mending: "mv \"$SCRATCH/kept\" \"$H/data/login.keychain\""),
        BrokenSetup(
            name: "an item of the keychain is damaged", code: "keychain-damaged",
            breaking: """
                cp -p "$H/data/login.keychain" "$1/kept"
                \(sql("UPDATE item SET secret = CAST(substr(secret, 1, 20) || x'a5a5' || substr(secret, 23) AS BLOB)"))
                """,
            mending: "mv \"$SCRATCH/kept\" \"$H/data/login.keychain\""),
        BrokenSetup(
            name: "the machine key is another one", code: "machine-key-other",
            breaking: """
                lanyard recovery-key remove --yes
                cp -p "$H/state/machine-key" "$1/kept"
                printf %032d 0 >"$H/state/machine-key"
                """,
            mending: "mv \"$SCRATCH/kept\" \"$H/state/machine-key\""),
        BrokenSetup(
            name: "the machine key is gone, and there is no other way", code: "machine-key-missing",
            breaking: """
                lanyard recovery-key remove --yes
                mv "$H/state/machine-key" "$1/kept"
                """,
            mending: "mv \"$SCRATCH/kept\" \"$H/state/machine-key\""),
        BrokenSetup(
            name: "a keychain's plugin is not installed", code: "plugin-missing",
            breaking: """
                mkdir -p -m 700 "$H/config"
                printf '[lanyard]\\n\\tdefault = team\\n[keychain "team"]\\n\\tkind = team\\n' \
                    >"$H/config/config"
                """,
            mending: "rm \"$H/config/config\""),
        BrokenSetup(
            name: "the plugin of login is not installed", code: "plugin-missing",
            breaking: """
                mkdir -p -m 700 "$H/config"
                printf '[keychain "login"]\\n\\tkind = team\\n' >"$H/config/config"
                """,
            mending: "rm \"$H/config/config\""),
        BrokenSetup(
            name: "there is no way back", code: "no-recovery-key",
            breaking: "lanyard recovery-key remove --yes"),
        BrokenSetup(
            name: "a second keychain was sealed under a lost machine key",
            code: "machine-key-other",
            breaking: """
                lanyard keychain create work
                lanyard recovery-key create --keychain work >"$1/key"
                cp -p "$H/state/machine-key" "$1/kept"
                printf %032d 0 >"$H/state/machine-key"
                mv "$H/data/login.keychain" "$1/login"
                """,
            mending: """
                mv "$SCRATCH/kept" "$H/state/machine-key"
                mv "$SCRATCH/login" "$H/data/login.keychain"
                """),
        BrokenSetup(
            name: "changes wait for the team's folder", code: "team-waiting",
            breaking: """
                lanyard team create "$1/team" --person ada --device a
                mv "$1/team" "$1/away"
                echo secret | lanyard set --stdin --synchronizable shared
                """,
            mending: "mv \"$SCRATCH/away\" \"$SCRATCH/team\" && lanyard team sync -q"),
        BrokenSetup(
            name: "the device was removed from the team", code: "team-removed",
            breaking: """
                scratch=$1
                other() { LANYARD_HOME="$scratch/owner" lanyard team "$@"; }
                other create "$1/team" --person ada --device a
                code=$(lanyard team join "$1/team" "$(other invite | sed 's/.* //')" \
                    --person grace --device g)
                other approve "$code"
                lanyard team sync
                other remove grace --yes
                ! lanyard team sync
                """,
            mending: "rm \"$H/state/login.team\""),
        BrokenSetup(
            name: "what is stored of the team is damaged", code: "team-damaged",
            breaking: """
                lanyard team create "$1/team" --person ada --device a
                truncate -s 100 "$H/state/login.team"
                """,
            mending: "lanyard team leave --offline --yes 2>/dev/null"),
        BrokenSetup(
            name: "others can read what is stored of the team", code: "file-open-to-others",
            breaking: """
                lanyard team create "$1/team" --person ada --device a
                chmod 644 "$H/state/login.team"
                """),
        BrokenSetup(
            name: "what is stored of the team has an older form", code: "team-unreadable",
            breaking: """
                lanyard team create "$1/team" --person ada --device a
                printf '\\004' | dd of="$H/state/login.team" conv=notrunc status=none
                """,
            mending: "lanyard team leave --offline --yes 2>/dev/null"),
        BrokenSetup(
            name: "the keychain is an older copy", code: "keychain-older-copy",
            breaking: """
                cp -p "$H/data/login.keychain" "$1/old"
                echo passphrase >"$1/passphrase"
                lanyard passphrase set --yes --new-passphrase-file "$1/passphrase"
                mv "$1/old" "$H/data/login.keychain"
                """,
            mending: "lanyard keychain accept-restore login"),
        BrokenSetup(
            name: "the machine key is gone", code: "machine-key-missing",
            breaking: "mv \"$H/state/machine-key\" \"$1/kept\"",
            variables: ["LANYARD_PASSPHRASE_FILE": "SCRATCH/recovery-key"],
            mending: "lanyard unlock --recovery-key", needsKeyring: true),
        BrokenSetup(
            name: "the machine key is damaged", code: "machine-key-damaged",
            breaking: """
                cp -p "$H/state/machine-key" "$1/kept"
                echo short >"$H/state/machine-key"
                """,
            mending: "mv \"$SCRATCH/kept\" \"$H/state/machine-key\""),
        BrokenSetup(
            name: "the keychain is locked", code: "keychain-locked",
            breaking: """
                echo passphrase >"$1/passphrase"
                lanyard passphrase set --yes --new-passphrase-file "$1/passphrase"
                """,
            mending: "LANYARD_PASSPHRASE_FILE=$SCRATCH/passphrase lanyard unlock",
            needsKeyring: true),
        BrokenSetup(
            name: "the passphrase in the file is another one", code: "passphrase-file-wrong",
            breaking: """
                echo passphrase >"$1/passphrase"
                lanyard passphrase set --yes --new-passphrase-file "$1/passphrase"
                echo other >"$1/passphrase"
                """,
            variables: ["LANYARD_PASSPHRASE_FILE": "SCRATCH/passphrase"],
            mending: "echo passphrase >\"$SCRATCH/passphrase\"", needsKeyring: true),
    ]

    /// A script that changes the keychain's file past lanyard.
    private static func sql(_ statement: String) -> String {
        """
        python3 -c 'import os, sqlite3, sys
        file = sqlite3.connect(os.environ["LANYARD_HOME"] + "/data/login.keychain")
        file.execute(sys.argv[1])
        file.commit()' "\(statement)"
        """
    }
}
