@testable import EndToEndRig

extension LanyardTranscript {
    private static let git = """
        printf 'protocol=https\\nhost=example.com\\nusername=ada\\npassword=pw\\noauth_refresh_token=rt\\n' |
            git-credential-lanyard store

        """
    private static let both = "\(git)printf mine | lanyard set https://ada@example.com --stdin"

    private static let newGroup = """
        lanyard: error: the group 'gti' does not exist yet
        lanyard: hint: did you mean the group 'git'? Otherwise: --yes creates it; see lanyard list

        """

    /// Access groups.
    static let groups = [
        Self(
            "git's login is found, and only its password is printed", before: git,
            "lanyard get https://example.com; lanyard get https://example.com --json | "
                + "grep -o '\"secret.*'",
            output: "pw\n\"secret\":\"pw\"}\n"),
        Self(
            "--group narrows get", before: both,
            "lanyard get https://example.com 2>&- || echo $?; "
                + "lanyard get https://example.com --group git; "
                + "lanyard get https://example.com --group login; "
                + "lanyard get https://example.com --group docker 2>&-",
            output: "64\npw\nmine\n", status: 44),
        Self(
            "--group narrows list", before: both, "lanyard list --group git",
            output: """
                GROUP  NAME                 ACCOUNT  CHANGED
                git    https://example.com  ada      TIME

                """),
        Self(
            "a group's letter case counts", before: both,
            "lanyard list --group Git; "
                + "lanyard get https://example.com --group GIT 2>&-",
            error: """
                lanyard: no items in the group 'Git'
                lanyard: hint: did you mean the group 'git'?

                """, status: 44),
        Self(
            "remove of what is in several groups asks for one", before: both,
            "lanyard remove https://example.com",
            error: """
                lanyard: error: 'https://example.com' is in several groups: git, login
                lanyard: hint: choose one with --group, or remove all with --all

                """, status: 64),
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
            "--for git stores what git itself would",
            "printf pw2 | lanyard set example.org:8443 ada --for git --stdin; "
                + "printf 'protocol=https\\nhost=example.org:8443\\nusername=ada\\npassword=pw3\\n' | "
                + "git-credential-lanyard store; lanyard list; "
                + "printf 'protocol=https\\nhost=example.org:8443\\n' | git-credential-lanyard get",
            output: """
                GROUP  NAME                      ACCOUNT  CHANGED
                git    https://example.org:8443  ada      TIME
                username=ada
                password=pw3

                """),
        Self(
            "… until it expires",
            "printf pw2 | lanyard set https://example.org ada --for git --stdin --expires 9999-01-01; "
                + "printf 'protocol=https\\nhost=example.org\\n' | git-credential-lanyard get",
            output: "username=ada\npassword=pw2\npassword_expiry_utc=253370764800\n"),
        Self(
            "only git's logins expire, and only later",
            "printf s | lanyard set x --stdin --expires 1d; "
                + "printf s | lanyard set https://x.example --for git --stdin --expires 2020-01-01; "
                + "printf s | lanyard set https://x.example --for git --stdin --expires soon",
            error: """
                lanyard: error: only git and aws logins can expire
                lanyard: hint: --for git stores it for git
                lanyard: error: --expires needs a future date: '2020-01-01' has passed
                lanyard: error: invalid date 'soon'
                lanyard: hint: use for example 90d, 12h, 2027-01-31 or TIME

                """, status: 64),
        Self(
            "--for docker is found by docker",
            "printf pw | lanyard set docker.io ada --for docker --stdin; "
                + "printf pw | lanyard set http://localhost:5000 bob --for docker --stdin; "
                + "docker-credential-lanyard list; echo localhost:5000 | docker-credential-lanyard get",
            output: """
                {"https://index.docker.io/v1/":"ada","localhost:5000":"bob"}
                {"ServerURL":"localhost:5000","Username":"bob","Secret":"pw"}

                """),
        Self(
            "… which needs an account", "printf pw | lanyard set docker.io --for docker --stdin",
            error: """
                lanyard: error: a docker login needs an account
                lanyard: hint: name it after the registry

                """, status: 64),
        Self(
            "… and UTF-8", "printf '\\377' | lanyard set docker.io ada --for docker --stdin",
            error: "lanyard: error: docker passwords must be UTF-8\n", status: 64),
        Self(
            "--for takes a host", "printf pw | lanyard set 'my wi-fi' --for git --stdin",
            error: """
                lanyard: error: 'my wi-fi' is not a host
                lanyard: hint: for example https://example.com

                """, status: 64),
        Self(
            "--for makes no item that the tool would not find",
            "printf pw | lanyard set https://example.com --for git --synchronizable --stdin",
            error: "lanyard: error: git finds no login stored with --synchronizable\n",
            status: 64),
        Self(
            "--for and --group choose the same",
            "printf pw | lanyard set https://example.com --for git --group x --stdin",
            error: """
                lanyard: error: --for chooses the group: leave --group out
                lanyard: hint: lanyard set --help

                """, status: 64),
        Self(
            "a group that nothing is in may be misspelt",
            "printf s | lanyard set https://example.com --group gti --stdin; "
                + "lanyard generate x --group gti; lanyard list",
            error: String(repeating: newGroup, count: 2)),
        Self(
            "… so --yes makes the first item in it, and others are added",
            before: "printf s | lanyard set x --group team --stdin --yes",
            "printf s | lanyard set y --group team --stdin; lanyard generate --yes z --group other 2>&-; "
                + "lanyard list",
            output: """
                GROUP  NAME  ACCOUNT  CHANGED
                other  z              TIME
                team   y              TIME
                team   x              TIME

                """),
        Self(
            "get says in which groups an item is", before: both,
            "lanyard get https://example.com --group docker",
            error: """
                lanyard: error: the group 'docker' has no item 'https://example.com'
                lanyard: hint: it is in the groups 'git', 'login'

                """, status: 44),
        Self(
            "… where a password is one line: the rest would be lost",
            "printf 'a\\nb' | lanyard set https://ada@example.org --group git --stdin",
            error: "lanyard: error: git passwords must be one line\n", status: 64),
        Self(
            "a group has a name", "printf s | lanyard set x --stdin --group ''",
            error: "lanyard: error: the group has no name\n", status: 64),
        Self(
            "a path of git's is found",
            before: """
                printf 'protocol=https\\nhost=example.com:8443\\npath=a/b.git\\nusername=ada\\npassword=pw\\n' |
                    git-credential-lanyard store
                """,
            "lanyard get https://example.com:8443/a/b.git; lanyard list",
            output: """
                pw
                GROUP  NAME                                ACCOUNT  CHANGED
                git    https://example.com:8443/a/b.git  ada      TIME

                """.replacing(
                    "NAME                                ",
                    with: "NAME                              ")),
    ]
}
