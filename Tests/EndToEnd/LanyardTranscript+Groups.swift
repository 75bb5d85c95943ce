extension LanyardTranscript {
    private static let git = """
        printf 'protocol=https\\nhost=example.com\\nusername=ada\\npassword=pw\\noauth_refresh_token=rt\\n' |
            git-credential-lanyard store

        """
    private static let both = "\(git)printf mine | lanyard set https://ada@example.com --stdin"

    /// Access groups.
    static let groups = [
        Self(
            "git's login is found, and only its password is printed", before: git,
            "lanyard get https://example.com; lanyard get https://example.com --json | "
                + "grep -o '\"secret.*'",
            output: "pw\n\"secret\":\"pw\"}\n"),
        Self(
            "--group narrows get", before: both,
            "lanyard get https://example.com; lanyard get https://example.com --group git; "
                + "lanyard get https://example.com --group login; "
                + "lanyard get https://example.com --group docker 2>&-",
            output: "mine\npw\nmine\n", status: 44),
        Self(
            "--group narrows list", before: both, "lanyard list --group git",
            output: """
                GROUP  WHAT                 ACCOUNT  CHANGED
                git    https://example.com  ada      TIME

                """),
        Self(
            "a group's letter case counts", before: both,
            "lanyard list --group Git; "
                + "lanyard get https://example.com --group GIT 2>&-", status: 44),
        Self(
            "remove of what stands in several groups asks for one", before: both,
            "lanyard remove https://example.com",
            error: """
                lanyard: error: 'https://example.com' stands in several groups: git, login
                lanyard: hint: choose one with --group, or remove all with --all

                """, status: 206),
        Self(
            "… and removes from that one", before: both,
            "lanyard remove https://example.com --group git && lanyard get https://example.com",
            output: "mine\n"),
        Self(
            "set goes into the group login, and leaves git's login alone", before: both,
            "printf 'protocol=https\\nhost=example.com\\n' | git-credential-lanyard get",
            output: "username=ada\npassword=pw\noauth_refresh_token=rt\n"),
        Self(
            "set --group git is found by git",
            "printf pw2 | lanyard set https://ada@example.org --group git --stdin; "
                + "printf 'protocol=https\\nhost=example.org\\n' | git-credential-lanyard get",
            output: "username=ada\npassword=pw2\n"),
        Self(
            "… where a password is one line: the rest would be lost",
            "printf 'a\\nb' | lanyard set https://ada@example.org --group git --stdin",
            error: "lanyard: error: a password of git is one line\n", status: 206),
        Self(
            "a group has a name", "printf s | lanyard set x --stdin --group ''",
            error: "lanyard: error: the group has no name\n", status: 206),
        Self(
            "a path of git's is found",
            before: """
                printf 'protocol=https\\nhost=example.com:8443\\npath=a/b.git\\nusername=ada\\npassword=pw\\n' |
                    git-credential-lanyard store
                """,
            "lanyard get https://example.com:8443/a/b.git; lanyard list",
            output: """
                pw
                GROUP  WHAT                                ACCOUNT  CHANGED
                git    https://example.com:8443/a/b.git  ada      TIME

                """.replacing(
                    "WHAT                                ",
                    with: "WHAT                              ")),
    ]
}
