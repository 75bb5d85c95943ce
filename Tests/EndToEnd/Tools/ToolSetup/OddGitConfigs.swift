import Testing

/// A global git configuration.
struct GitConfigCase: Sendable, CustomTestStringConvertible {
    let name: String
    /// The file's text, nil for no file.
    let text: String?
    /// The helpers for all URLs that are in force after the setup.
    let helpers: [String]
    /// Other files, by their names in the home folder.
    var others: [String: String] = [:]
    /// The system's configuration.
    var system = ""
    /// Whether there is nothing to do.
    var isSetUp = false

    var testDescription: String { name }
}

let oddGitConfigs: [GitConfigCase] = [
    .init(name: "no file", text: nil, helpers: ["lanyard"]),
    .init(name: "empty", text: "", helpers: ["lanyard"]),
    .init(name: "blank lines", text: "\n\n  \t\n", helpers: ["lanyard"]),
    .init(name: "only a comment without an end", text: "# mine", helpers: ["lanyard"]),
    .init(name: "a comment with a backslash", text: "; c:\\", helpers: ["lanyard"]),
    .init(
        name: "comments everywhere",
        text: "# a\n[user] ; b\n\tname = A # c\n; d\n\temail = \"a#b\" ; e\n# f\n",
        helpers: ["lanyard"]),
    .init(name: "no newline at the end", text: "[user]\n\tname = A", helpers: ["lanyard"]),
    .init(name: "a backslash at the end", text: "[user]\n\tname = A\\", helpers: ["lanyard"]),
    .init(
        name: "a continued line at the end", text: "[user]\n\tname = A\\\n", helpers: ["lanyard"]),
    .init(
        name: "continued and quoted", text: "[a]\n\tb = \"x \\\n y\" \\\n  z\n[c]\nd\n",
        helpers: ["lanyard"]),
    .init(name: "CRLF", text: "[user]\r\n\tname = A\r\n", helpers: ["lanyard"]),
    .init(
        name: "CRLF with store", text: "[credential]\r\n\thelper = store\r\n", helpers: ["lanyard"]),
    .init(
        name: "CRLF without an end", text: "[user]\r\n\tname = A\r\n[x]\r\ny = 1",
        helpers: ["lanyard"]),
    .init(name: "a byte order mark", text: "\u{FEFF}[user]\n\tname = A\n", helpers: ["lanyard"]),
    .init(
        name: "odd spacing", text: "   [user]   name=A\n\t\t  email   =   a@b   \n\n\n",
        helpers: ["lanyard"]),
    .init(name: "all in one line", text: "[user] name = A\n[core]editor=vi", helpers: ["lanyard"]),
    .init(name: "upper case", text: "[CREDENTIAL]\n\tHelper = store\n", helpers: ["lanyard"]),
    .init(
        name: "store", text: "[credential]\n\thelper = store\n", helpers: ["lanyard"]),
    .init(
        name: "store with a file", text: "[credential]\n\thelper = store --file ~/.my-logins\n",
        helpers: ["lanyard"]),
    .init(
        name: "store by its path",
        text: "[credential]\n\thelper = /usr/lib/git-core/git-credential-store\n",
        helpers: ["lanyard"]),
    .init(
        name: "store by a shell", text: "[credential]\n\thelper = \"!git credential-store\"\n",
        helpers: ["lanyard"]),
    .init(
        name: "memory, then store", text: "[credential]\n\thelper = memory\n\thelper = store\n",
        helpers: ["lanyard", "memory"]),
    .init(
        name: "a generator",
        text: "[credential]\n\thelper = memory --timeout 7200\n\thelper = oauth\n",
        helpers: ["lanyard", "memory --timeout 7200", "oauth"]),
    .init(
        name: "a script that needs quotes",
        text: "[credential]\n\thelper = \"!f() { echo \\\"a\\\\\\\\b\\\"; echo ' # ; '; }; f\"\n",
        helpers: ["lanyard", "!f() { echo \"a\\\\b\"; echo ' # ; '; }; f"]),
    .init(
        name: "spaces at the end of a value", text: "[credential]\n\thelper = \" odd \"\n",
        helpers: ["lanyard", " odd "]),
    .init(
        name: "a helper for one URL",
        text:
            "[credential \"https://github.com\"]\n\thelper =\n\thelper = !gh auth git-credential\n",
        helpers: ["lanyard"]),
    .init(
        name: "store and a helper for one URL",
        text:
            "[credential \"https://github.com\"]\n\thelper =\n\thelper = !gh\n[credential]\n\thelper = store\n",
        helpers: ["lanyard"]),
    .init(
        name: "store for one URL",
        text: "[credential \"https://a.example/x \\\"y\\\\\"]\n\thelper = store\n",
        helpers: ["lanyard"]),
    .init(
        name: "the system's store", text: "[user]\n\tname = A\n", helpers: ["lanyard"],
        system: "[credential]\n\thelper = store\n"),
    .init(
        name: "the system's helper for one URL, no file", text: nil, helpers: ["lanyard"],
        system: "[credential \"https://source.example\"]\n\thelper = gcloud.sh\n"),
    .init(
        name: "store in an included file",
        text: "[user]\n\tname = A\n[include]\n\tpath = .gitconfig.local\n", helpers: ["lanyard"],
        others: [".gitconfig.local": "[credential]\n\thelper = store\n"]),
    .init(
        name: "an include before and helpers behind it",
        text: "[include]\n\tpath = ~/more\n[credential]\n\thelper = memory\n",
        helpers: ["lanyard", "memory"], others: ["more": "[core]\n\teditor = vi\n"]),
    .init(
        name: "includeIf", text: "[includeIf \"gitdir:~/work/\"]\n\tpath = ~/work.conf\n",
        helpers: ["lanyard"], others: ["work.conf": "[credential]\n\thelper = store\n"]),
    .init(
        name: "an included file that is not there", text: "[include]\n\tpath = nowhere\n",
        helpers: ["lanyard"]),
    .init(
        name: "both global files", text: "[user]\n\tname = A\n", helpers: ["lanyard", "memory"],
        others: [".config/git/config": "[credential]\n\thelper = memory\n"]),
    .init(
        name: "only the XDG file", text: nil, helpers: ["lanyard"],
        others: [".config/git/config": "[credential]\n\thelper = store"]),
    .init(
        name: "another setting of credentials",
        text: "[credential]\n\tuseHttpPath = true\n[credential \"https://a\"]\n\tusername = me\n",
        helpers: ["lanyard"]),
    .init(
        name: "helpers forgotten already", text: "[credential]\n\thelper = store\n\thelper =\n",
        helpers: ["lanyard"]),
    .init(
        name: "lanyard behind store", text: "[credential]\n\thelper = store\n\thelper = lanyard\n",
        helpers: ["lanyard"]),
    .init(
        name: "lanyard with options behind store",
        text: "[credential]\n\thelper = store\n\thelper = lanyard --keychain work\n",
        helpers: ["lanyard --keychain work"]),
    .init(
        name: "lanyard already", text: "[credential]\n\thelper = lanyard\n", helpers: ["lanyard"],
        isSetUp: true),
    .init(
        name: "lanyard by a path where it no longer is, and memory",
        text: "[credential]\nhelper = /nowhere/bin/git-credential-lanyard\nhelper = memory\n",
        helpers: ["lanyard", "memory"]),
    .init(
        name: "a value that is not ASCII",
        text: "[user]\n\tname = Zoë 水\n[x \"ü\"]\n\ty = \"\\t\"\n",
        helpers: ["lanyard"]),
]
