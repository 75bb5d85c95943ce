import Foundation
import PlainTextFormats
import TestSupport
import LanyardSecrets
import Testing
import ToolCatalog

@testable import PlainTextScan

/// The secrets in tools' own files.
@Suite("tools' plain-text files")
struct KnownFileTests {
    private func lines(_ text: String, _ content: KnownFile.Content) -> [Int] {
        var lines: [Int] = []
        KnownFile("tool", "file", content).forEachSecret(in: Array(text.utf8).span) {
            lines.append($0)
        }
        return lines
    }

    private func lines(_ text: String, _ path: String) -> [Int] {
        KnownFile.belowHome.filter { $0.path == path }.flatMap { lines(text, $0.content) }
    }

    @Test func readsJSON() {
        let text = """
            // a comment with "auths"
            {"auths": {
                "a.example": {"auth": "x"},
                "b.example": {}, "c.example": {"auth": ""},
                "d \\" example": {"note": ["auth"],
                    "identitytoken": "y"}
            }, "credHelpers": {"auth": "z"}}
            """
        #expect(lines(text, KnownFile.dockerContent) == [3, 6])
    }

    /// The program replaces it, so it is no secret.
    @Test(arguments: [
        (".npmrc", "//a.example/:_authToken=", ["${TOKEN}", "'${TOKEN}'", "a${TOKEN}"], "npm_1"),
        (".yarnrc.yml", "npmAuthToken: ", ["\"${TOKEN}\"", "a-${TOKEN}"], "npm_1"),
        (
            ".m2/settings.xml", "<settings><servers><server><password>",
            ["${env.TOKEN}</password></server></servers></settings>"],
            "pw</password></server></servers></settings>"
        ),
        (
            ".nuget/NuGet/NuGet.Config",
            "<configuration><packageSourceCredentials><a><add key=\"ClearTextPassword\" value=",
            ["\"%TOKEN%\"/></a></packageSourceCredentials></configuration>"],
            "\"a%b%c\"/></a></packageSourceCredentials></configuration>"
        ),
    ])
    func leavesOutVariables(file: String, start: String, variables: [String], secret: String) {
        for variable in variables {
            #expect(lines("\(start)\(variable)\n", file).isEmpty, "\(variable)")
        }
        #expect(!lines("\(start)\(secret)\n", file).isEmpty)
    }

    /// The text that yarn takes without the variable is a secret in the file.
    @Test(arguments: [
        ("${TOKEN:-npm_1}", true), ("${TOKEN-npm_1}", true), ("${A}${TOKEN:-npm_1}", true),
        ("${TOKEN:-}", false), ("${TOKEN-}", false), ("${TOKEN}-npm", false), ("${", false),
    ])
    func findsDefaults(value: String, isSecret: Bool) {
        #expect(lines("npmAuthToken: \"\(value)\"\n", ".yarnrc.yml").isEmpty != isSecret)
    }

    @Test func readsYAML() {
        let hosts = """
            github.com:
                # oauth_token: no
                users:
                    ada:
                        oauth_token: gho_x
                oauth_token: gho_x
                user: ada
            "github.example":
              oauth_token: "" # none
            """
        #expect(lines(hosts, ".config/gh/hosts.yml").contains(6))
        let kubeconfig = """
            apiVersion: v1
            users:
            - name: a
              user:
                token: t
            - name: b
              user: {}
            - user:
                client-key-data: LS0t
                exec: {}
            contexts:
            - context:
                user: token
            """
        #expect(lines(kubeconfig, ".kube/config") == [5, 9])
        #expect(lines(":rubygems_api_key: rubygems_x\n", ".gem/credentials") == [1])
    }

    @Test func readsTOML() {
        let text = """
            [registry]
            token = "x" # y
            [registries."my.reg"]
            token = 'x'
            index = "token"
            """
        #expect(lines(text, ".cargo/credentials.toml") == [2, 4])
        #expect(lines(text, ".cargo/credentials") == [2, 4])
        #expect(
            lines(
                "[[credential]]\nservice = 'a'\npassword = 'x'\n",
                ".local/share/uv/credentials/credentials.toml") == [3])
    }

    @Test func readsINI() {
        let text = """
            ; aws_secret_access_key = x
            [default]
            aws_access_key_id = x
            aws_secret_access_key = x
            [profile.b]
            aws_secret_access_key=
            """
        #expect(lines(text, ".aws/credentials") == [4])
        #expect(
            lines("[profile a]\naws_secret_access_key = x\nregion = y\n", ".aws/config") == [2])
        #expect(
            lines(
                "//registry.npmjs.org/:_authToken=npm_x\n//b/:_authToken=${NPM_TOKEN}\n", ".npmrc")
                == [1])
    }

    @Test func readsNetrc() {
        let text = """
            machine a.example login ada
              password x
            # machine b password x
            macdef init
            password in a macro

            default login ada password "y z"
            """
        #expect(lines(text, KnownFile.netrcContent) == [2, 7])
    }

    @Test func readsLines() {
        #expect(
            lines(
                "https://ada:x@a.example\nhttps://ada@b.example\nhttps://c.example/a:b@c\n\nx\n",
                .urls) == [1])
        #expect(
            lines("# a:b:c:d:e\nlocalhost:5432:*:ada:x\nh:1:d:a:\nh\\:1:2:3:4\n", ".pgpass") == [2])
        #expect(
            lines(
                "<settings><servers><server>\n<password>x</password>\n<password>{enc}</password>\n"
                    + "<password>${env.X}</password></server></servers></settings>",
                ".m2/settings.xml") == [2])
        #expect(lines("\n hvs.x \n", ".vault-token") == [2])
    }

    /// Every file of the table can be read, whatever is in it.
    @Test func anythingIsRead() {
        for text in ["", "\u{0}", "[", "{\"a", "- - -", "a: - b", "=", "machine", "\"\\"] {
            for file in KnownFile.belowHome {
                _ = lines(text, file.content)
            }
        }
    }

    /// A folder of sessions.
    @Test func everyFileOfAFolder() throws {
        let folder = try ScratchFolder()
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/.aws/sso/cache", withIntermediateDirectories: true)
        let one = try folder.write(".aws/sso/cache/1.json", #"{"accessToken": "x"}"#.utf8)
        let two = try folder.write(".aws/sso/cache/2.json", #"{"clientSecret": "x"}"#.utf8)
        _ = try folder.write(".aws/sso/cache/2.txt", #"{"clientSecret": "x"}"#.utf8)
        var counts = ScanCounts()
        let found = KnownFile.findings(
            in: KnownFile.belowHome, home: folder.path, at: [folder.path], &counts)
        #expect(found.map(\.file.description) == [one, two])
    }

    /// terraform reads every such file, whatever its name.
    @Test func everyFileOfTerraforms() throws {
        let folder = try ScratchFolder()
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/.terraform.d", withIntermediateDirectories: true)
        let block = "credentials \"a.example\" {\n  token = \"x\"\n}\n"
        let json = #"{"credentials": {"a.example": {"token": "x"}}}"#
        let files = [
            try folder.write(".terraform.d/mine.tfrc", block.utf8),
            try folder.write(".terraform.d/mine.tfrc.json", json.utf8),
            try folder.write(".tofurc", block.utf8),
        ]
        var counts = ScanCounts()
        let found = KnownFile.findings(
            in: KnownFile.belowHome, home: folder.path, at: [folder.path], &counts)
        #expect(found.map(\.file.description) == files)
    }

    /// Only files at or below the paths count, links resolved.
    @Test func pathsLimitTheFiles() throws {
        let folder = try ScratchFolder()
        let file = try folder.write(".vault-token", "hvs.x".utf8)
        var counts = ScanCounts()
        func files(_ paths: String...) -> [String] {
            KnownFile.findings(in: KnownFile.belowHome, home: folder.path, at: paths, &counts)
                .map(\.file.description)
        }
        #expect(files(folder.path) == [file])
        #expect(files("\(folder.path)/../") == [file])
        #expect(files(file) == [file])
        #expect(files("\(folder.path)/.vault") == [])
        #expect(files("/usr") == [])
    }
}
