@testable import EndToEndRig

extension LanyardTranscript {
    private static let noWork = """
        lanyard: error: keychain 'work' not found at 'HOME/data/work.keychain'
        lanyard: hint: lanyard keychain create work

        """
    private static let work = "lanyard keychain create work"

    /// A value that `lanyard config set` does not write.
    private static func refusedSetting(
        _ arguments: String, _ reason: String, hint: String, status: Int32 = 64
    ) -> LanyardTranscript {
        Self(
            "config set \(arguments)",
            "lanyard config set \(arguments); status=$?; [ ! -e \"$LANYARD_HOME/config/config\" ]; "
                + "test $? = 0 && exit $status",
            error: "lanyard: error: \(reason)\nlanyard: hint: \(hint)\n", status: status)
    }

    /// keychain, status and config.
    static let keychains = [
        Self("keychain list of nothing", "lanyard keychain list"),
        Self("keychain list --json of nothing", "lanyard keychain list --json", output: "[]\n"),
        Self("keychain default", "lanyard keychain default", output: "login\n"),
        Self(
            "create, list", before: "\(work); lanyard keychain create login",
            "lanyard keychain list",
            output: """
                   NAME   KIND    FILE
                *  login  sealed  HOME/data/login.keychain
                   work   sealed  HOME/data/work.keychain

                """),
        Self(
            "keychain list --json", before: work, "lanyard keychain list --json",
            output: "[{\"name\":\"work\",\"kind\":\"sealed\","
                + "\"path\":\"HOME/data/work.keychain\",\"default\":false}]\n"),
        Self(
            "create does not replace", before: work, "lanyard keychain create work",
            error: "lanyard: error: 'HOME/data/work.keychain' already exists\n",
            status: 48),
        Self(
            "create --file",
            "lanyard keychain create work --file \"$LANYARD_HOME/else/w\"; "
                + "cat \"$LANYARD_HOME/config/config\"; lanyard keychain list",
            output: """
                [keychain "work"]
                \tfile = HOME/else/w
                   NAME  KIND    FILE
                   work  sealed  HOME/else/w

                """),
        Self(
            "… and the command that the hint names brings a file without a name back",
            before: "lanyard keychain create work --file \"$LANYARD_HOME/else/it's here\" && "
                + "printf s | lanyard set x --stdin --keychain work && "
                + "rm \"$LANYARD_HOME/config/config\"",
            "lanyard keychain create work --file \"$LANYARD_HOME/else/it's here\" 2>hint; "
                + "cat hint; sh -c \"$(sed -n 's/.*if it is a keychain: //p' hint)\" && "
                + "lanyard get x --keychain work",
            output: """
                lanyard: error: 'HOME/else/it's here' already exists
                lanyard: hint: if it is a keychain: lanyard config set keychain.work.file \
                'HOME/else/it'\\''s here'
                s

                """),
        Self(
            "… does not hide a keychain of that name", before: work,
            "lanyard keychain create work --file \"$LANYARD_HOME/else/w\"; "
                + "ls \"$LANYARD_HOME/else\" 2>&-",
            error: """
                lanyard: error: the keychain 'work' already exists
                lanyard: hint: choose another name; see lanyard keychain list

                """, status: 2),
        Self(
            "… needs an absolute path", "cd /usr; lanyard keychain create work --file w",
            error: """
                lanyard: error: --file needs an absolute path
                lanyard: hint: --file '/usr/w'

                """, status: 64),
        Self(
            "… names the root once", "cd /; lanyard keychain create work --file w",
            error: """
                lanyard: error: --file needs an absolute path
                lanyard: hint: --file '/w'

                """, status: 64),
        Self(
            "… leaves no file where the configuration can't be written",
            before: "mkdir -p \"$LANYARD_HOME/config\"; touch \"$HOME/dot\"; "
                + "ln -s \"$HOME/dot\" \"$LANYARD_HOME/config/config\"; chmod 700 \"$LANYARD_HOME\" \"$LANYARD_HOME/config\"",
            "lanyard keychain create work --file \"$LANYARD_HOME/data/w\"; echo $?; "
                + "ls \"$LANYARD_HOME/data\"",
            output: "195\n",
            error: """
                lanyard: error: the configuration 'HOME/config/config' is a symbolic link
                lanyard: hint: edit the file that it points to

                """),
        Self(
            "a name is no path", "lanyard keychain create ../x",
            error: """
                lanyard: error: invalid keychain name
                lanyard: hint: use up to 64 letters, digits, '_', '-' and '.'

                """, status: 64),
        Self(
            "default chooses", before: work,
            "lanyard keychain default work && lanyard keychain default; lanyard config",
            output: """
                work
                NAME                VALUE       FROM
                lanyard.default     work        HOME/config/config:2
                lanyard.searchList  work login  default
                lanyard.accessible  ak          default
                lanyard.autolock    8h          default
                lanyard.timeout     5s          default
                lanyard.log         false       default

                """),
        Self(
            "… only what is there", "lanyard keychain default work",
            error: """
                lanyard: error: keychain 'work' not found
                lanyard: hint: lanyard keychain create work

                """, status: 50),
        Self(
            "… and finds a typing error", before: work,
            "lanyard keychain default wrok; lanyard get --keychain wrok x",
            error: """
                lanyard: error: keychain 'wrok' not found
                lanyard: hint: did you mean 'work'? Otherwise: lanyard keychain create wrok
                lanyard: error: keychain 'wrok' not found at 'HOME/data/wrok.keychain'
                lanyard: hint: did you mean 'work'? Otherwise: lanyard keychain create wrok

                """, status: 50),
        Self(
            "… and says if the environment wins", before: "\(work); lanyard keychain create b",
            "lanyard keychain default work; lanyard keychain default",
            variables: ["LANYARD_KEYCHAIN": "b"], output: "b\n",
            error:
                "lanyard: warning: LANYARD_KEYCHAIN is set and overrides this choice\n"),
        Self(
            "flag, LANYARD_KEYCHAIN, lanyard.default, login: which counts",
            before: """
                for name in flag variable default login; do
                    lanyard keychain create $name
                    printf $name | lanyard set x --stdin --keychain $name
                done
                """,
            """
            lanyard get x
            lanyard keychain default default; lanyard get x
            export LANYARD_KEYCHAIN=variable; lanyard get x
            lanyard get x --keychain flag
            LANYARD_KEYCHAIN= lanyard get x
            """, output: "login\ndefault\nvariable\nflag\ndefault\n"),
        Self(
            "a keychain that is not there: get", "lanyard get x --keychain work", error: noWork,
            status: 50),
        Self(
            "… set, before anything is read", "lanyard set x --keychain work", error: noWork,
            status: 50),
        Self("… list", "lanyard list --keychain work", error: noWork, status: 50),
        Self("… remove", "lanyard remove x --keychain work", error: noWork, status: 50),
        Self("… status", "lanyard status --keychain work", error: noWork, status: 50),
        Self(
            "delete asks", before: work, "lanyard keychain delete work",
            error: """
                lanyard: error: there is no terminal to prompt at
                lanyard: hint: lanyard keychain delete --yes work

                """, status: 36),
        Self(
            "delete --yes, also the default",
            before: "\(work); lanyard keychain default work",
            "lanyard keychain delete --yes work && lanyard keychain list; lanyard keychain default",
            output: "login\n"),
        Self(
            "delete forgets the file in the configuration",
            before: "lanyard keychain create work --file \"$LANYARD_HOME/else/w\"",
            "lanyard keychain delete work --yes; cat \"$LANYARD_HOME/config/config\"; "
                + "ls \"$LANYARD_HOME/else\""),
        Self(
            "… also if the file is gone already",
            before: "lanyard keychain create work --file \"$LANYARD_HOME/else/w\"; "
                + "rm \"$LANYARD_HOME/else/w\"",
            "lanyard keychain delete work; cat \"$LANYARD_HOME/config/config\""),
        Self(
            "delete of a missing item", "lanyard keychain delete --yes work",
            error: """
                lanyard: error: keychain 'work' not found
                lanyard: hint: see lanyard keychain list

                """, status: 50),
        Self(
            "a keychain that can't be opened can be deleted",
            before: "\(work); echo garbage >\"$LANYARD_HOME/data/work.keychain\"",
            "lanyard keychain delete --yes work && ls \"$LANYARD_HOME/data\""),
        Self(
            "status before there is anything", "lanyard status",
            output: """
                keychain  login (sealed file)
                state     not created yet: the first login creates it
                in use    yes, new logins go here
                file      HOME/data/login.keychain

                keychain  secret-service (Secret Service)
                in use    no, there is no session bus here

                """),
        Self(
            "status", before: "printf s | lanyard set x --stdin", "lanyard status",
            output: """
                keychain  login (sealed file)
                state     no passphrase, always unlocked
                in use    yes, new logins go here
                items     1 (login 1)
                file      HOME/data/login.keychain
                opens     on this machine only
                safe      if the keychain file leaks alone
                not safe  if 'HOME/state' leaks too, as in a backup of your home folder
                          from programs that run as you
                theft     a copy of your home folder opens everything
                note      if you lose the folder with the machine key, you lose all logins
                          fix: lanyard recovery-key create

                keychain  secret-service (Secret Service)
                in use    no, there is no session bus here

                """),
        Self(
            "status of several, the one in use first",
            before: "printf s | lanyard set x --stdin; lanyard keychain create a",
            "lanyard status | grep -E '^keychain|^$'",
            output: """
                keychain  login (sealed file)

                keychain  secret-service (Secret Service)

                keychain  a (sealed file)

                """),
        Self(
            "… one of which can't be read",
            before: """
                printf s | lanyard set x --stdin; lanyard keychain create a
                echo garbage >"$LANYARD_HOME/data/a.keychain"
                """,
            "lanyard status >\"$HOME/out\"; echo $?; grep ^keychain \"$HOME/out\"",
            output:
                "49\nkeychain  login (sealed file)\nkeychain  secret-service (Secret Service)\n",
            error: """
                lanyard: error: keychain 'a': 'HOME/data/a.keychain' is not a keychain or is damaged
                lanyard: hint: restore it from a backup: lanyard restore --keychain a FILE; or forget it: lanyard keychain delete a

                """),
        Self(
            "config --json", "lanyard config --json", variables: ["LANYARD_KEYCHAIN": "w\"k"],
            output:
                "[{\"name\":\"lanyard.default\",\"value\":\"w\\\"k\",\"from\":\"LANYARD_KEYCHAIN\"},"
                + "{\"name\":\"lanyard.searchList\",\"value\":\"w\\\"k\",\"from\":\"LANYARD_KEYCHAIN\"},"
                + "{\"name\":\"lanyard.accessible\",\"value\":\"ak\",\"from\":\"default\"},"
                + "{\"name\":\"lanyard.autolock\",\"value\":\"8h\",\"from\":\"default\"},"
                + "{\"name\":\"lanyard.timeout\",\"value\":\"5s\",\"from\":\"default\"},"
                + "{\"name\":\"lanyard.log\",\"value\":\"false\",\"from\":\"default\"}]\n",
            error: "lanyard: warning: keychain 'w\"k' not found\n"),
        Self(
            "config set changes the file, and config get prints what is in force",
            "lanyard config get autolock; lanyard config set autolock 30m; "
                + "lanyard config get lanyard.autolock; lanyard config set LANYARD.AutoLock 1h; "
                + "cat \"$LANYARD_HOME/config/config\"; lanyard config unset lanyard.autolock; "
                + "lanyard config get autolock",
            output: "8h\n30m\n[lanyard]\n\tautolock = 1h\n8h\n"),
        Self(
            "config set of a keychain", before: "lanyard keychain create work",
            "lanyard config set keychain.work.portable false; lanyard config set default work; "
                + "lanyard config set searchList 'work login'; cat \"$LANYARD_HOME/config/config\"",
            output:
                "[keychain \"work\"]\n\tportable = false\n[lanyard]\n\tdefault = work\n"
                + "\tsearchList = \"work login\"\n"),
        refusedSetting(
            "lanyard.autolok 1h", "unknown setting 'lanyard.autolok'",
            hint: "did you mean 'lanyard.autolock'?"),
        refusedSetting(
            "frob 1h", "unknown setting 'frob'",
            hint: "the settings are lanyard.default, lanyard.searchList, lanyard.fallback, "
                + "lanyard.accessible, lanyard.autolock, lanyard.timeout, lanyard.log "
                + "and keychain.NAME.KEY"),
        refusedSetting(
            "autolock soon", "lanyard.autolock is not a duration ('soon')",
            hint: "for example 8h, 30m, 90s or never"),
        refusedSetting(
            "timeout never", "lanyard.timeout is not a duration ('never')",
            hint: "use a duration from 1s to 10m"),
        refusedSetting(
            "accessible zz", "lanyard.accessible is not an accessibility code ('zz')",
            hint: "use one of ak, ck, dk, aku, cku, dku, akpu"),
        refusedSetting(
            "default wrok", "keychain 'wrok' not found", hint: "lanyard keychain create wrok",
            status: 50),
        refusedSetting(
            "fallback wrok", "keychain 'wrok' not found", hint: "lanyard keychain create wrok",
            status: 50),
        refusedSetting(
            "searchList 'login wrok'", "keychain 'wrok' not found",
            hint: "lanyard keychain create wrok", status: 50),
        refusedSetting(
            "keychain.wrok.portable no", "keychain 'wrok' not found",
            hint: "lanyard keychain create wrok", status: 50),
        refusedSetting(
            "keychain.login.file x", "the file of keychain 'login' is not an absolute path",
            hint: "use a path that begins with '/'"),
        refusedSetting(
            "keychain.login.kind 'A b'", "keychain.login.kind is not a known kind ('A b')",
            hint: "use 'sealed' or 'secret-service'"),
        Self(
            "config unset of what is not set", "lanyard config unset default",
            error: "lanyard: error: 'lanyard.default' is not set in 'HOME/config/config'\n",
            status: 44),
        Self(
            "config get of what is not set", "lanyard config get default",
            error: """
                lanyard: error: 'lanyard.default' is not set
                lanyard: hint: lanyard keychain default prints the keychain in use

                """, status: 44),
        Self(
            "config set under a variable that counts more", before: "lanyard keychain create work",
            "lanyard config set default work; lanyard config get default",
            variables: ["LANYARD_KEYCHAIN": "login"], output: "login\n",
            error: "lanyard: warning: LANYARD_KEYCHAIN is set and overrides this setting\n"),
        Self(
            "config names what means nothing",
            before: """
                mkdir -p "$LANYARD_HOME/config"; chmod 700 "$LANYARD_HOME" "$LANYARD_HOME/config"
                printf '[lanyard]\\n\\tdefalt = x\\n' >"$LANYARD_HOME/config/config"
                """,
            "lanyard config 2>&1 >/dev/null",
            output: "lanyard: warning: unknown setting 'lanyard.defalt' (HOME/config/config:2)\n"),
        Self(
            "a configuration that can't be read",
            before:
                "mkdir -p -m 700 \"$LANYARD_HOME/config\"; echo nonsense >\"$LANYARD_HOME/config/config\"",
            "lanyard get x",
            error:
                "lanyard: error: line 1 of the configuration is invalid: 'HOME/config/config'\n"
                + "lanyard: hint: a line has a section, such as [lanyard] or [keychain \"work\"], or a setting, such "
                + "as autolock = 1h\n",
            status: 64),
        Self(
            "a configuration that others can write",
            before: """
                mkdir -p -m 700 "$LANYARD_HOME/config"
                touch "$LANYARD_HOME/config/config"; chmod 666 "$LANYARD_HOME/config/config"
                """,
            "lanyard get x",
            error: """
                lanyard: error: other users can write to the file 'HOME/config/config'
                lanyard: hint: chmod go-w 'HOME/config/config'

                """, status: 195),
        Self(
            "a link to the configuration is followed",
            before: """
                mkdir -p -m 700 "$LANYARD_HOME/config"
                printf '[lanyard]\\ndefault = work\\n' >"$HOME/dot"
                ln -s "$HOME/dot" "$LANYARD_HOME/config/config"
                """,
            "lanyard keychain default; chmod 666 \"$HOME/dot\"; lanyard keychain default 2>&-",
            output: "work\n", status: 195),
        Self(
            "a folder instead of the configuration",
            before: "mkdir -p -m 700 \"$LANYARD_HOME/config/config\"", "lanyard list",
            error: "lanyard: error: 'HOME/config/config' is not a file\n", status: 195),
        Self(
            "places: XDG folders, relative ones set aside, then HOME", before: "",
            """
            unset LANYARD_HOME
            XDG_DATA_HOME=/x XDG_STATE_HOME=/y lanyard status | sed -n 's/^file      //p'
            XDG_DATA_HOME=x lanyard status | sed -n "s:^file      $HOME/::p"
            HOME=/z lanyard status | sed -n 's/^file      //p'
            """,
            output: """
                /x/lanyard/login.keychain
                .local/share/lanyard/login.keychain
                /z/.local/share/lanyard/login.keychain

                """),
        Self(
            "no home", "env -u HOME -u LANYARD_HOME lanyard list",
            error: """
                lanyard: error: neither HOME nor LANYARD_HOME is set
                lanyard: hint: set HOME to your home folder, or LANYARD_HOME to a folder for lanyard

                """, status: 64),
    ]
}
