@testable import EndToEndRig

extension LanyardTranscript {
    private static let nothing = "lanyard: hint: see lanyard list\n"
    private static let x = "printf s | lanyard set x --stdin"
    private static let two = """
        printf one | lanyard set https://ada@example.com --stdin
        printf two | lanyard set https://bob@example.com --stdin
        """

    private static let y = "printf t | lanyard set y --stdin"
    private static let twins = """
        printf one | lanyard set x --stdin
        printf two | lanyard set x --stdin --synchronizable
        """
    private static let hidden = "printf s | lanyard set x --stdin --invisible"
    private static let negative = """
        lanyard: error: 'x' is marked as having no password
        lanyard: hint: lanyard set gives it one, lanyard edit --no-negative removes the mark

        """

    /// set, get, list, find, remove, rename, edit.
    static let items = [
        Self("set is silent", "printf s | lanyard set x --stdin"),
        Self("get prints the secret and a newline", before: x, "lanyard get x", output: "s\n"),
        Self(
            "one newline at the end is not the secret's",
            before: "printf 's\\n' | lanyard set x --stdin", "lanyard get x", output: "s\n"),
        Self(
            "… but a second one is", before: "printf 's\\n\\n' | lanyard set x --stdin",
            "lanyard get x", output: "s\n\n"),
        Self(
            "a secret is not empty by mistake", "false | lanyard set x --stdin",
            error: """
                lanyard: error: the secret is empty: nothing was changed
                lanyard: hint: --allow-empty stores an empty secret

                """, status: 64),
        Self(
            "… nor is one replaced by it, or by an empty line", before: x,
            "(false | lanyard set x --stdin; echo | lanyard set x --stdin) 2>&-; lanyard get x",
            output: "s\n"),
        Self(
            "… but can be empty", before: "lanyard set x --stdin --allow-empty </dev/null",
            "lanyard get x", output: "\n"),
        Self(
            "what is not there has status 44", "lanyard get x",
            error: "lanyard: error: item 'x' not found\n\(nothing)", status: 44),
        Self(
            "… for remove too", "lanyard remove x",
            error: "lanyard: error: item 'x' not found\n\(nothing)", status: 44),
        Self(
            "… also in a keychain that is there", before: x, "lanyard get y",
            error: "lanyard: error: item 'y' not found\n\(nothing)", status: 44),
        Self("a service's letter case counts", before: x, "lanyard get X 2>&-", status: 44),
        Self(
            "set replaces", before: "\(x); printf t | lanyard set x --stdin",
            "lanyard get x; lanyard list --json | grep -o '\"class\"' | wc -l", output: "t\n1\n"),
        Self(
            "… and keeps the attributes that are not given",
            before: """
                printf s | lanyard set x --stdin --label L --comment C
                printf t | lanyard set x --stdin --comment D
                """,
            "lanyard get x --json | grep -o '\"label.*comment\":\"[^\"]*\"'",
            output: "\"label\":\"L\",\"comment\":\"D\"\n"),
        Self(
            "--no-replace does not", before: x, "printf t | lanyard set x --stdin --no-replace",
            error: """
                lanyard: error: the item 'x' already exists
                lanyard: hint: leave --no-replace out to give it a new secret

                """, status: 45),
        Self(
            "… and leaves the secret", before: x,
            "printf t | lanyard set x --stdin --no-replace 2>&-; lanyard get x", output: "s\n"),
        Self(
            "--no-replace adds", "printf t | lanyard set x --no-replace --stdin; lanyard get x",
            output: "t\n"),
        Self(
            "accounts are items of their own",
            before:
                "\(x); printf t | lanyard set x ada --stdin; printf u | lanyard set x bob --stdin",
            "lanyard get x ada; lanyard get x bob; lanyard get x ''", output: "t\nu\ns\n"),
        Self(
            "of several, get means the default, or the account of the environment",
            before: "\(two)",
            "lanyard get https://example.com; LANYARD_ACCOUNT=ada lanyard get https://example.com; "
                + "lanyard edit https://example.com bob --default; lanyard get https://example.com",
            output: "one\ntwo\n",
            error: """
                lanyard: error: 2 items match 'https://example.com': 'ada'; 'bob'
                lanyard: hint: lanyard get https://example.com bob, or lanyard edit \
                https://example.com bob --default

                """),
        Self(
            "… changed, not added",
            before: "\(two); printf three | lanyard set https://ada@example.com --stdin",
            "lanyard get https://example.com ada", output: "three\n"),
        Self(
            "the account in the URL or beside it", before: two,
            "lanyard get https://ada@example.com; lanyard get https://example.com ada",
            output: "one\none\n"),
        Self(
            "a server's letter case means nothing, an account's does", before: two,
            "lanyard get https://EXAMPLE.com ada; lanyard get https://example.com Ada",
            output: "one\n",
            error: """
                lanyard: error: 'https://example.com' has no account 'Ada'
                lanyard: hint: it has the accounts 'ada', 'bob'

                """, status: 44),
        Self(
            "remove says which account is not there", before: "printf s | lanyard set db2 --stdin",
            "lanyard remove db2 pin; lanyard get db2",
            output: "s\n",
            error: """
                lanyard: error: 'db2' has no account 'pin'
                lanyard: hint: it has none: leave the account out

                """),
        Self(
            "what list prints of docker's logins, get and remove take",
            before: """
                printf '{"ServerURL":"localhost:5701","Username":"ada","Secret":"pw"}' |
                    docker-credential-lanyard store
                """,
            "lanyard list; lanyard get localhost:5701 ada; lanyard remove localhost:5701; lanyard list",
            output: """
                GROUP   NAME            ACCOUNT  CHANGED
                docker  localhost:5701  ada      TIME
                pw

                """),
        Self(
            "a URL that list prints is meant before those with a path",
            before: """
                printf whole | lanyard set https://ada@example.com --stdin
                printf part | lanyard set https://ada@example.com/a --stdin
                """,
            "lanyard get https://example.com; lanyard remove https://example.com; "
                + "lanyard get https://example.com",
            output: "whole\npart\n"),
        Self(
            "twins differ by synchronizable", before: twins, "lanyard list",
            output: """
                GROUP  NAME  ACCOUNT  CHANGED               MARKS
                login  x              TIME  synchronizable
                login  x              TIME  -

                """),
        Self(
            "… by get", before: twins,
            "lanyard get x --synchronizable; lanyard get x --no-synchronizable",
            output: "two\none\n"),
        Self(
            "… and removed singly", before: twins,
            "lanyard remove x; lanyard remove x --no-synchronizable; lanyard get x; "
                + "lanyard get x --no-synchronizable",
            output: "two\n",
            error: """
                lanyard: error: two items match 'x', and one is synchronizable
                lanyard: hint: choose one with --synchronizable or --no-synchronizable, or remove all \
                with --all
                lanyard: error: 'x' is synchronizable
                lanyard: hint: leave --no-synchronizable out

                """, status: 44),
        Self(
            "a negative item answers nothing", before: "lanyard set x --negative; \(y)",
            "lanyard list; lanyard get x; lanyard exec --env A=x -- true",
            output: """
                GROUP  NAME  ACCOUNT  CHANGED               MARKS
                login  y              TIME  -
                login  x              TIME  negative

                """,
            error: String(repeating: negative, count: 2), status: 44),
        Self(
            "… to git either",
            before: "printf s | lanyard set https://ada@example.com --for git --negative --stdin",
            "printf 'protocol=https\\nhost=example.com\\n' | git-credential-lanyard get"),
        Self(
            "… until it is given a secret",
            before: "lanyard set x --negative; \(x)", "lanyard get x", output: "s\n"),
        Self(
            "… or by an import",
            before: """
                printf pw | lanyard set https://ada@example.com --for git --negative --stdin
                echo https://ada:pw@example.com >"$HOME/logins"
                lanyard import git-credentials --replace "$HOME/logins"
                """,
            "lanyard get https://example.com", output: "pw\n"),
        Self(
            "… or loses the mark",
            before: "printf s | lanyard set x --negative --stdin; lanyard edit x --no-negative",
            "lanyard get x", output: "s\n"),
        Self(
            "an invisible item is left out of lists without --all", before: hidden,
            "lanyard list; lanyard list --json; lanyard list --all; lanyard get x",
            output: """
                []
                GROUP  NAME  ACCOUNT  CHANGED               MARKS
                login  x              TIME  invisible
                s

                """),
        Self(
            "find looks at names, accounts, labels and comments",
            before: """
                printf s | lanyard set https://Ada@git.example.com --stdin
                printf s | lanyard set wi-fi --stdin --label 'At Home' --comment 'ask Ada'
                printf s | lanyard set other --stdin
                """,
            "lanyard find ADA; lanyard find 'at h' --json | grep -o '\"name\":\"[^\"]*\"'; "
                + "lanyard find GIT.EX --group git",
            output: """
                GROUP  NAME                     ACCOUNT  CHANGED
                login  https://git.example.com  Ada      TIME
                login  wi-fi                             TIME
                "name":"wi-fi"

                """,
            error: """
                lanyard: error: no item has 'GIT.EX' in its name, account, label, description or comment
                lanyard: hint: see lanyard list, lanyard key list or lanyard certificate list

                """, status: 44),
        Self(
            "exec points to the options for what is a reference in a .env file",
            before: "printf s | lanyard set stripe live --stdin",
            """
            for what in stripe/live lanyard:stripe/live lanyard:stripe; do
                lanyard exec --env A=$what -- true
            done
            """,
            error: """
                lanyard: error: item 'lanyard:stripe/live' not found
                lanyard: hint: use --env A=stripe --account A=live
                lanyard: error: item 'lanyard:stripe' not found
                lanyard: hint: use --env A=stripe

                """, status: 44),
        Self(
            "find leaves invisible items out, too", before: hidden,
            "lanyard find x 2>&-; lanyard find x --all",
            output:
                "GROUP  NAME  ACCOUNT  CHANGED               MARKS\nlogin  x              TIME  invisible\n"
        ),
        Self(
            "rename changes the name and keeps the rest",
            before: "printf s | lanyard set x ada --stdin --comment C",
            "lanyard rename x --to y && lanyard rename y --to-account bob && "
                + "lanyard get y bob --json | grep -o '\"comment[^,]*\\|\"secret.*'; lanyard get x",
            output: "\"comment\":\"C\"\n\"secret\":\"s\"}\n",
            error: "lanyard: error: item 'x' not found\n\(nothing)", status: 44),
        Self(
            "rename replaces nothing", before: "\(x); \(y)",
            "lanyard rename x --to y; lanyard get x",
            output: "s\n",
            error: """
                lanyard: error: the item 'y' already exists
                lanyard: hint: lanyard remove deletes it

                """),
        Self(
            "rename of a login that git stored is found by git",
            before:
                "printf pw | lanyard set https://old.example ada --for git --expires 1d --stdin",
            "lanyard rename https://old.example --to https://new.example/team && "
                + "printf 'protocol=https\\nhost=new.example\\npath=team\\n' | git-credential-lanyard get | "
                + "grep -v expiry; lanyard get https://new.example --json | grep -o '\"label[^,]*'",
            output: "username=ada\npassword=pw\n\"label\":\"Git: https://new.example/team\"\n"),
        Self(
            "rename to an account that git can't receive is refused, as set does",
            before: "printf pw | lanyard set https://a.example ada --for git --stdin",
            "lanyard rename https://a.example ada --to-account \"$(printf 'bob\\nx')\"; "
                + "lanyard rename https://a.example ada --to 'https://b%0Dob@a.example'; "
                + "lanyard get https://a.example ada",
            output: "pw\n",
            error: """
                lanyard: error: the URL or the account contains a line break or a NUL
                lanyard: error: the URL or the account contains a line break or a NUL

                """),
        Self(
            "rename needs a new name, of the same kind", before: x,
            "lanyard rename x; lanyard rename x --to https://example.com",
            error: """
                lanyard: error: missing new name
                lanyard: hint: lanyard rename x --to NAME, or --to-account ACCOUNT
                lanyard: error: the new name must not be a URL
                lanyard: hint: lanyard set stores it under another kind of name

                """, status: 64),
        Self(
            "rename of a tool's URL needs another URL",
            before: "printf pw | lanyard set https://a.example ada --for git --stdin",
            "lanyard rename https://a.example --to b; lanyard get https://a.example ada",
            output: "pw\n",
            error: """
                lanyard: error: the new name must be a URL, too
                lanyard: hint: lanyard set stores it under another kind of name

                """),
        Self(
            "edit changes attributes and not the secret",
            before: "printf s | lanyard set x --stdin --label L --comment C",
            "lanyard edit x --label M --comment '' --accessible ck --invisible && "
                + "lanyard get x --json | grep -o '\"label.*,\"created\\|\"secret.*'",
            output: """
                "label":"M","comment":"","accessible":"ck","invisible":true,"created
                "secret":"s"}

                """),
        Self(
            "edit means one item, and changes something", before: "\(two); \(x)",
            "lanyard edit https://example.com --comment C; lanyard edit x; lanyard edit z --label l",
            error: """
                lanyard: error: 2 items match 'https://example.com': 'ada'; 'bob'
                lanyard: hint: name the account or the path (see lanyard list)
                lanyard: error: nothing to change
                lanyard: hint: lanyard edit --help lists the options
                lanyard: error: item 'z' not found
                \(nothing)
                """, status: 44),
        Self(
            "http does not answer for https", before: two, "lanyard get http://example.com 2>&-",
            status: 44),
        Self(
            "another port is another server", before: two,
            "lanyard get https://example.com:443 2>&-", status: 44),
        Self(
            "a path narrows, slashes around it mean nothing",
            before: """
                printf a | lanyard set https://example.com/a/ --stdin
                printf b | lanyard set https://example.com/b --stdin
                """,
            "lanyard get https://example.com/a; lanyard get https://example.com//a/; "
                + "lanyard get https://example.com/; lanyard get https://example.com/c 2>&-",
            output: "a\na\n",
            error: """
                lanyard: error: 2 items match 'https://example.com/': 'https://example.com/a'; \
                'https://example.com/b'
                lanyard: hint: lanyard get https://example.com/b, or lanyard edit https://example.com/b \
                --default

                """, status: 44),
        Self(
            "--protocol is found by its code as the scheme",
            before: "printf p | lanyard set https://proxy:3128 --protocol htpx --stdin",
            "lanyard list; lanyard get htpx://proxy:3128; lanyard get https://proxy:3128 2>&-",
            output: """
                GROUP  NAME               ACCOUNT  CHANGED
                login  htpx://proxy:3128           TIME
                p

                """, status: 44),
        Self(
            "a password in a URL is refused and not repeated",
            "lanyard get https://ada:hunter2@example.com",
            error: """
                lanyard: error: other users can read a password in a URL
                lanyard: hint: leave the password out: lanyard asks for it, or use --stdin

                """, status: 64),
        Self(
            "remove is silent", before: x, "lanyard remove x; lanyard list"),
        Self(
            "remove refuses several", before: two, "lanyard remove https://example.com",
            error: """
                lanyard: error: 2 items match 'https://example.com': 'ada'; 'bob'
                lanyard: hint: name the account or the path (see lanyard list), or remove all with --all

                """, status: 64),
        Self(
            "… and removes none then", before: two,
            "lanyard remove https://example.com 2>&-; lanyard get https://ada@example.com; "
                + "lanyard get https://bob@example.com",
            output: "one\ntwo\n"),
        Self(
            "remove --all removes them", before: two,
            "lanyard remove --all https://example.com && lanyard list"),
        Self(
            "remove with the account removes one", before: two,
            "lanyard remove https://example.com ada && lanyard get https://example.com",
            output: "two\n"),
        Self(
            "list of nothing is nothing, and makes nothing", "lanyard list; ls $LANYARD_HOME 2>&-",
            status: 2),
        Self("list --json of nothing", "lanyard list --json", output: "[]\n"),
        Self(
            "list is a table, what was changed last first",
            before: "\(two); printf s | lanyard set 'my wi-fi' home --stdin; \(x)",
            "lanyard list",
            output: """
                GROUP  NAME                 ACCOUNT  CHANGED
                login  https://example.com  bob      TIME
                login  https://example.com  ada      TIME
                login  x                             TIME
                login  my wi-fi             home     TIME

                """),
        Self(
            "nothing that was stored is a command to the terminal",
            before: """
                printf s | lanyard set "$(printf 'a\\033[31m\\nb\\342\\200\\256')" \\
                    "$(printf 'c\\007')" --stdin --yes --group "$(printf 'g\\233x' | iconv -f latin1 -t utf8)"
                """,
            "lanyard list",
            output: #"""
                GROUP     NAME                       ACCOUNT  CHANGED
                g\u{9B}x  a\u{1B}[31m\u{A}b\u{202E}  c\u{7}   TIME

                """#),
        Self(
            "… nor what was typed", "lanyard get \"$(printf 'a\\033[31m\\r\\342\\200\\256')\"",
            error:
                #"lanyard: error: item 'a\u{1B}[31m\u{D}\u{202E}' not found"# + "\n\(nothing)",
            status: 44),
        Self(
            "without a terminal or --stdin it can't prompt", "lanyard set x",
            error: """
                lanyard: error: the secret is empty, and there is no terminal to prompt at
                lanyard: hint: pipe it in; --stdin --allow-empty stores an empty one

                """, status: 36),
        Self(
            "LANYARD_NO_PROMPT never asks", "lanyard set x",
            variables: ["LANYARD_NO_PROMPT": "1"],
            error: """
                lanyard: error: the secret is empty, and LANYARD_NO_PROMPT forbids prompts
                lanyard: hint: pipe it in; --stdin --allow-empty stores an empty one

                """, status: 36),
        Self(
            "… but reads standard input", "printf s | lanyard set x --stdin; lanyard get x",
            variables: ["LANYARD_NO_PROMPT": "1"], output: "s\n"),
        Self(
            "a URL's option for another name", "printf s | lanyard set x --stdin --protocol htpx",
            error:
                "lanyard: error: --protocol is only for items named by a URL\n",
            status: 41),
        Self(
            "a code has four characters", "printf s | lanyard set x --stdin --creator abcde",
            error: "lanyard: error: --creator needs a code of up to four characters\n",
            status: 64),
        Self(
            "an accessibility that is none", "printf s | lanyard set x --stdin --accessible x",
            error: """
                lanyard: error: unknown accessibility 'x'
                lanyard: hint: use one of ak, ck, dk, aku, cku, dku, akpu

                """, status: 64),
        Self(
            "a broken pipe ends as every program's does",
            before: two, "(sleep 0.5; lanyard list; echo $? >&2) | true",
            error: "141\n"),
        Self(
            "… for a secret too", before: x, "(sleep 0.5; lanyard get x; echo $? >&2) | true",
            error: "141\n"),
        Self(
            "… for the help, too", "(sleep 0.5; lanyard --help; echo $? >&2) | true",
            error: "141\n"),
        Self(
            "a full disk behind the output is an error", before: x, "lanyard list >/dev/full",
            error: "lanyard: error: the answer can't be written: the disk is full\n",
            status: 222),
    ]
}
