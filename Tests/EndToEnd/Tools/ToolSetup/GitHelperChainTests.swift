import KeychainServices
import Testing

@testable import ToolSetup

@Suite("the helpers that git asks")
struct GitHelperChainTests {
    /// `helper` for all URLs, `URL|helper` for one.
    private static func helper(_ text: String) -> GitHelper {
        let parts = text.split(separator: "|", omittingEmptySubsequences: false)
        return GitHelper(
            pattern: parts.count == 2 ? Array(parts[0].utf8) : nil,
            value: FileBytes(String(parts.last ?? "")))
    }

    @Test(
        "a helper's first word, also with a space",
        arguments: [
            ("store", "store"), ("store --file=x", "store …"), ("!f() { x; }; f", "!f() …"),
            (
                "/mnt/c/Program\\ Files/git-credential-manager.exe",
                "/mnt/c/Program Files/git-credential-manager.exe"
            ),
            ("!'/opt/a b/helper' --x", "!/opt/a b/helper …"), ("", ""),
        ])
    func name(value: String, name: String) {
        #expect(Self.helper(value).name == name)
    }

    @Test("a line for users ends after the first word, also with a space")
    func lines() {
        let helpers = ["/opt/a\\ b/helper", "/opt/a\\ b/helper --x y", "store --file x"]
        let block = GitConfigBlock.text(helpers.map(Self.helper), lineEnd: [0x0A])
        let shown = ["/opt/a\\\\ b/helper", "/opt/a\\\\ b/helper …", "store …"]
        #expect(
            GitConfigBlock.lines(block) == ["[credential]"] + shown.map { "\thelper = \($0)" })
    }

    private static func text(_ helper: GitHelper) -> String {
        let value = helper.value.name
        return helper.pattern.map { "\(String(decoding: $0, as: UTF8.self))|\(value)" } ?? value
    }

    @Test(
        "the addition puts lanyard first, and nothing writes plain text",
        arguments: [
            ([], ["lanyard"]),
            (["u|gh"], ["lanyard"]),
            (["store", ""], ["lanyard"]),
            (["store"], ["", "lanyard"]),
            (["cache"], ["", "lanyard", "cache"]),
            (["lanyard", "store"], ["", "lanyard"]),
            (["cache", "lanyard --keychain x", "store"], ["", "lanyard --keychain x", "cache"]),
            (["u|gh", "store"], ["", "u|gh", "lanyard"]),
            (["store", "u|", "u|gh"], ["", "lanyard", "u|", "u|gh"]),
            (["cache", "u|gh", "oauth"], ["", "lanyard", "cache", "u|gh", "oauth"]),
            (["u|store"], ["", "u|lanyard", "lanyard"]),
            (
                ["u|", "u|store", "u|store --file x", "v|gh"],
                ["", "u|", "u|lanyard", "v|gh", "lanyard"]
            ),
            (["store", "", "u|gh", "cache"], ["", "u|gh", "lanyard", "cache"]),
        ] as [([String], [String])])
    func addition(before: [String], added: [String]) {
        let helpers = before.map(GitHelperChainTests.helper)
        let chain = GitHelperChain(helpers)
        #expect(!chain.isSetUp)
        #expect(chain.addition.map(GitHelperChainTests.text) == added)
        // git reads the new ones after the old ones.
        #expect(GitHelperChain(helpers + chain.addition).isSetUp)
    }

    @Test(
        "chains that need no change",
        arguments: [
            ["lanyard"], ["lanyard", "cache"], ["u|gh", "lanyard"], ["store", "", "lanyard"],
            ["/opt/bin/git-credential-lanyard --keychain x"],
        ])
    func isSetUp(helpers: [String]) {
        #expect(GitHelperChain(helpers.map(GitHelperChainTests.helper)).isSetUp)
    }

    @Test(
        "lanyard's helper by its path, where git does not find it by its name in jobs",
        arguments: [
            ([], ["/l/git-credential-lanyard"]),
            (["lanyard"], ["", "/l/git-credential-lanyard"]),
            (
                ["lanyard --keychain x", "cache"],
                ["", "/l/git-credential-lanyard --keychain x", "cache"]
            ),
            (["!git credential-lanyard"], ["", "/l/git-credential-lanyard"]),
            (["/gone/git-credential-lanyard -k"], ["", "/l/git-credential-lanyard -k"]),
            (
                ["u|lanyard", "lanyard"],
                ["", "u|/l/git-credential-lanyard", "/l/git-credential-lanyard"]
            ),
        ] as [([String], [String])])
    func byPath(before: [String], added: [String]) {
        func chain(_ helpers: [GitHelper]) -> GitHelperChain {
            GitHelperChain(helpers, path: "/l/git-credential-lanyard") { !$0.hasPrefix("/gone") }
        }
        let helpers = before.map(GitHelperChainTests.helper)
        #expect(!chain(helpers).isSetUp)
        let addition = chain(helpers).addition
        #expect(addition.map(GitHelperChainTests.text) == added)
        #expect(chain(helpers + addition).isSetUp)
    }

    @Test(
        "the program that git runs",
        arguments: [
            ("lanyard --keychain x", "git-credential-lanyard"), ("/a/b -x", "/a/b"),
            (#"/a\ b/c -x"#, "/a b/c"), (#"!'/a b'/c d"#, nil), ("!gh auth git-credential", "gh"),
            ("!git credential-lanyard", "git-credential-lanyard"), ("!f() { :; }; f", nil),
            ("", nil), ("!", nil),
        ] as [(String, String?)])
    func program(command: String, program: String?) {
        #expect(GitHelperChainTests.helper(command).program == program)
    }

    @Test("any path is one word to a shell")
    func escapedPath() {
        let path = #"/home/it's "me" & $(you)/ünï"#
        #expect(ShellWords.split(ShellWords.escaped(path).utf8) == [path])
        let command = #" a 'b c'd "e \"f" \g "#.utf8
        #expect(ShellWords.split(command) == ["a", "b cd", #"e "f"#, "g"])
        #expect(ShellWords.split(command, atMost: 2) == ["a", "b cd"])
    }

    @Test(
        "the commands that mean git's store",
        arguments: [
            ("store", true), ("store --file ~/x", true), ("  store", true),
            ("/usr/lib/git-core/git-credential-store", true), ("!git credential-store", true),
            ("! git credential-store --file x", true),
            ("!/usr/lib/git-core/git-credential-store", true),
            ("restore", false), ("store-more", false), ("!store", false), ("!echo store", false),
            ("cache", false), ("", false), ("!", false), ("/opt/store", false),
        ])
    func plainText(command: String, isStore: Bool) {
        #expect(GitHelperChainTests.helper(command).keepsPlainText == isStore)
    }

    @Test("a block's text, in the file's own style")
    func blockText() {
        let helpers = ["", "u \"\\|gh", "lanyard", " a;\"\\\t"].map(GitHelperChainTests.helper)
        let text = GitConfigBlock.text(
            helpers, lineEnd: GitConfigBlock.lineEnd(of: "[a]\r\n"))
        #expect(
            String(decoding: text, as: UTF8.self) == """
                [credential]\r
                \thelper =\r
                [credential "u \\"\\\\"]\r
                \thelper = gh\r
                [credential]\r
                \thelper = lanyard\r
                \thelper = " a;\\"\\\\\\t"\r

                """)
    }
}
