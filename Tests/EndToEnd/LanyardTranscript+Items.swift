extension LanyardTranscript {
    private static let nothing = "lanyard: hint: see lanyard list\n"
    private static let x = "printf s | lanyard set x --stdin"
    private static let two = """
        printf one | lanyard set https://ada@example.com --stdin
        printf two | lanyard set https://bob@example.com --stdin
        """

    /// set, get, list, remove.
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
            "a secret can be empty", before: "lanyard set x --stdin </dev/null", "lanyard get x",
            output: "\n"),
        Self(
            "what is not there has status 44", "lanyard get x",
            error: "lanyard: error: there is no item 'x'\n\(nothing)", status: 44),
        Self(
            "… for remove too", "lanyard remove x",
            error: "lanyard: error: there is no item 'x'\n\(nothing)", status: 44),
        Self(
            "… also in a keychain that is there", before: x, "lanyard get y",
            error: "lanyard: error: there is no item 'y'\n\(nothing)", status: 44),
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
                lanyard: error: there is an item 'x' already
                lanyard: hint: leave --no-replace out to give it another secret

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
            "of several, get means the one changed last",
            before: "\(two)", "lanyard get https://example.com", output: "two\n"),
        Self(
            "… changed, not added",
            before: "\(two); printf three | lanyard set https://ada@example.com --stdin",
            "lanyard get https://example.com", output: "three\n"),
        Self(
            "the account in the URL or beside it", before: two,
            "lanyard get https://ada@example.com; lanyard get https://example.com ada",
            output: "one\none\n"),
        Self(
            "a server's letter case means nothing, an account's does", before: two,
            "lanyard get https://EXAMPLE.com ada; lanyard get https://example.com Ada",
            output: "one\n",
            error: "lanyard: error: there is no item 'https://example.com'\n\(nothing)",
            status: 44),
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
            output: "a\na\nb\n", status: 44),
        Self(
            "--protocol is found by its code as the scheme",
            before: "printf p | lanyard set https://proxy:3128 --protocol htpx --stdin",
            "lanyard list; lanyard get htpx://proxy:3128; lanyard get https://proxy:3128 2>&-",
            output: """
                GROUP  WHAT               ACCOUNT  CHANGED
                login  htpx://proxy:3128           TIME
                p

                """, status: 44),
        Self(
            "a password in a URL is refused and not repeated",
            "lanyard get https://ada:hunter2@example.com",
            error: """
                lanyard: error: a URL with a password in it can be read by others
                lanyard: hint: leave the password out: it is asked for, or read with --stdin

                """, status: 206),
        Self(
            "remove is silent", before: x, "lanyard remove x; lanyard list"),
        Self(
            "remove refuses several", before: two, "lanyard remove https://example.com",
            error: """
                lanyard: error: 2 items match 'https://example.com'
                lanyard: hint: name the account or the path (see lanyard list), or remove all with --all

                """, status: 206),
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
                GROUP  WHAT                 ACCOUNT  CHANGED
                login  https://example.com  bob      TIME
                login  https://example.com  ada      TIME
                login  x                             TIME
                login  my wi-fi             home     TIME

                """),
        Self(
            "nothing that was stored is a command to the terminal",
            before: """
                printf s | lanyard set "$(printf 'a\\033[31m\\nb\\342\\200\\256')" \\
                    "$(printf 'c\\007')" --stdin --group "$(printf 'g\\233x' | iconv -f latin1 -t utf8)"
                """,
            "lanyard list",
            output: "GROUP  WHAT       ACCOUNT  CHANGED\ng?x    a?[31m?b?  c?       TIME\n"),
        Self(
            "… nor what was typed", "lanyard get \"$(printf 'a\\033[31m\\r\\342\\200\\256')\"",
            error: "lanyard: error: there is no item 'a?[31m??'\n\(nothing)", status: 44),
        Self(
            "without a terminal and --stdin there is nobody to ask", "lanyard set x",
            error: """
                lanyard: error: there is no terminal to ask at
                lanyard: hint: give it with --stdin

                """, status: 36),
        Self(
            "LANYARD_NO_PROMPT never asks", "lanyard set x",
            variables: ["LANYARD_NO_PROMPT": "1"],
            error: """
                lanyard: error: LANYARD_NO_PROMPT forbids asking
                lanyard: hint: give it with --stdin

                """, status: 36),
        Self(
            "… but reads standard input", "printf s | lanyard set x --stdin; lanyard get x",
            variables: ["LANYARD_NO_PROMPT": "1"], output: "s\n"),
        Self(
            "a URL's option for another name", "printf s | lanyard set x --stdin --protocol htpx",
            error:
                "lanyard: error: --protocol is only for items that are named by a URL\n",
            status: 41),
        Self(
            "a code has four characters", "printf s | lanyard set x --stdin --creator abcde",
            error: "lanyard: error: --creator takes a code of up to four characters\n",
            status: 206),
        Self(
            "an accessibility that is none", "printf s | lanyard set x --stdin --accessible x",
            error: """
                lanyard: error: --accessible does not know 'x'
                lanyard: hint: use one of ak, ck, dk, aku, cku, dku, akpu

                """, status: 206),
        Self(
            "a broken pipe ends as every program's does",
            before: two, "(lanyard list; echo $? >&2) | true", error: "141\n"),
        Self(
            "… for a secret too", before: x, "(sleep 0.5; lanyard get x; echo $? >&2) | true",
            error: "141\n"),
        Self(
            "a full disk behind the output is an error", before: x, "lanyard list >/dev/full",
            error: "lanyard: error: the answer can't be written: No space left on device\n",
            status: 222),
    ]
}
