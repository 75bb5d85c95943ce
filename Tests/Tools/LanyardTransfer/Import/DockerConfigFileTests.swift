import TestSupport
import Foundation
import LanyardTransfer
import KeychainServices
import Testing

@Suite struct DockerConfigFileTests {
    private func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    @Test func aLoginIsTheItemOfDockersHelper() throws {
        let entries = try read(
            DockerConfigFile(),
            """
            {"auths": {
              "https://index.docker.io/v1/": {"auth": "\(base64("ada:s3:cret"))", "email": ""},
              "registry.example.com:5000/team": {"username": "bob", "password": "pw"},
              "empty.example.com": {},
              "token.example.com": {"auth": "\(base64("00000000-0000:"))", "identitytoken": "t0ken"},
              "null.example.com": null
            }, "credsStore": ""}
            """)
        #expect(
            entries.map(\.place) == [
                "registry 'https://index.docker.io/v1/'",
                "registry 'registry.example.com:5000/team'", "registry 'token.example.com'",
            ])
        let expected = [
            attributes {
                $0.accessGroup = "docker"
                $0.label = "Registry credentials for https://index.docker.io/v1/"
                $0.protocol = .https
                $0.server = "index.docker.io"
                $0.path = "/v1/"
                $0.account = "ada"
            },
            attributes {
                $0.accessGroup = "docker"
                $0.label = "Registry credentials for registry.example.com:5000/team"
                $0.server = "registry.example.com"
                $0.port = 5000
                $0.path = "/team"
                $0.account = "bob"
            },
            attributes {
                $0.accessGroup = "docker"
                $0.label = "Registry credentials for token.example.com"
                $0.server = "token.example.com"
                $0.account = "<token>"
            },
        ]
        #expect(entries.map(\.login?.attributes) == expected)
        #expect(entries.map(\.login?.text) == ["s3:cret", "pw", "t0ken"])
    }

    @Test func authCountsMoreThanUsernameAndPassword() throws {
        let entries = try read(
            DockerConfigFile(),
            """
            {"Auths":{"h":{"Password":"no","AUTH":"\(base64("u:\0yes\0\0"))","Username":"no"}}}
            """)
        #expect(entries.first?.login?.attributes.account == "u")
        #expect(entries.first?.login?.text == "yes")
    }

    @Test(
        arguments: [
            (#"{"auth":"%%%%"}"#, "its auth is not Base64"),
            (#"{"auth":"dXNlcg=="}"#, "its auth has no user name"),
            (#"{"auth":"OnB3"}"#, "its auth has no user name"),
            (#"{"password":"pw"}"#, "it has no user name"),
            (#"{"registrytoken":"t"}"#, "docker stores no registry tokens in helpers"),
        ])
    func whatIsNoLoginIsSkipped(_ entry: String, _ reason: String) throws {
        let entries = try read(DockerConfigFile(), #"{"auths":{"h":\#(entry)}}"#)
        #expect(entries.map(\.reason) == [reason])
    }

    /// The names differ, and docker's helpers take no notice of how.
    @Test func theSameRegistryAgain() throws {
        let entries = try read(
            DockerConfigFile(),
            #"{"auths":{"h":{"auth":"dTpw"},"h ":{"auth":"dTpw"}},"Auths":{"h":{"auth":"dTpx"}}}"#)
        #expect(entries[1].content == .shadowed)
        let reason = "another entry is for the same place and account"
        #expect(entries.map(\.reason) == [nil, nil, reason])
    }

    @Test func aLoginWithoutARegistryIsSkipped() throws {
        let entries = try read(DockerConfigFile(), #"{"auths":{" ":{"auth":"dTpw"}}}"#)
        #expect(entries.map(\.reason) == ["it has no registry"])
    }

    @Test(
        arguments: [
            "[]", "null",
            #"{"auths":{"h":{"auth":"dTpw"}}"#, #"{"auths":{"h":{"auth":"dTpw"}}} x"#,
            #"{"auths":{"h":{"auth":"dTpw"},"h":{}}}"#,
            "https://a:b@c\n",
        ])
    func whatIsNoSuchFileIsRefusedWhole(_ text: String) {
        let error = refusal(DockerConfigFile(), text)
        #expect(error?.status == .decode)
        #expect(error?.reason.contains("dTpw") == false)
    }

    @Test(arguments: ["{}", #"{"auths":null}"#, #"{"auths":{}}"#, #"{"credsStore":"lanyard"}"#])
    func aFileWithoutLoginsHasNoEntries(_ text: String) throws {
        #expect(try read(DockerConfigFile(), text).isEmpty)
    }

    @Test func whatIsCutLeavesTheRegistryAsDockerDoes() throws {
        let file = #"{ "auths" : { "a" : { "auth" : "dTpw" }, "b":{"auth":"dTpw"} }, "x":"}" }"#
        let entries = try read(DockerConfigFile(), file)
        let left = cut(entries, from: Array(file.utf8))
        #expect(left == Array(#"{ "auths" : { "a" : {}, "b":{} }, "x":"}" }"#.utf8))
    }

    @Test func randomLoginsAreReadAsTheyWereWritten() throws {
        var random = SeededRandom()
        for _ in 0..<40 {
            let logins = random.logins(random.number(below: 8)) { $0.characters() }.map { login in
                var login = login
                // A colon ends the user's name, NULs at the password's ends are cut.
                login.user.removeAll { [0, UInt8(ascii: ":")].contains($0) }
                login.password.append(UInt8(ascii: "."))
                return login
            }
            var auths: [String: [String: String]] = [:]
            for login in logins {
                let text = Data(login.user + [UInt8(ascii: ":")] + login.password)
                let name = login.host + (login.port.map { ":\($0)" } ?? "")
                auths[name] = ["auth": text.base64EncodedString(), "other": "}\\\""]
            }
            let bytes = Array(
                try JSONSerialization.data(
                    withJSONObject: ["auths": auths],
                    options: random.number(below: 2) == 0 ? [] : [.prettyPrinted]))
            let entries = try read(DockerConfigFile(), bytes)
            #expect(entries.filter { $0.loss == .unread("other") }.count == logins.count)
            let read = entries.filter { $0.loss == nil }.map { entry in
                RandomLogin(
                    host: entry.login?.attributes.server?.description ?? "",
                    port: entry.login?.attributes.port,
                    user: entry.login?.attributes.account?.bytes ?? [],
                    password: entry.login?.secret ?? [])
            }
            #expect(read.sorted { $0.host < $1.host } == logins.sorted { $0.host < $1.host })
            #expect(try ToolsTests.read(DockerConfigFile(), cut(entries, from: bytes)).isEmpty)
        }
    }

    /// podman's own idea of who is logged in where.
    @Test(.enabled(if: Program("podman") != nil, "podman is not there"))
    func podmanFindsTheSameLogins() throws {
        let podman = try #require(Program("podman"))
        let home = try ScratchFolder()
        // As an ordinary user podman leaves a process that keeps its name space.
        defer {
            if let process = try? String(
                contentsOfFile: "\(home.path)/libpod/tmp/pause.pid", encoding: .utf8),
                let number = Int32(process)
            {
                kill(number, SIGKILL)
            }
        }
        let file = Array(
            """
            {"auths":{"one.example.com":{"auth":"\(base64("ada:1"))"},"two.example.com:5000":
            {"auth":"\(base64("bob:2"))"},"three.example.com":{}}}
            """.utf8)
        let path = try home.write("auth.json", file)
        let entries = try read(DockerConfigFile(), file)
        for (registry, user) in [("one.example.com", "ada"), ("two.example.com:5000", "bob")] {
            let said = try podman.run(
                ["login", "--authfile", path, "--get-login", registry], home: home)
            #expect(said.output == Array("\(user)\n".utf8))
            #expect(entries.contains { $0.login?.attributes.account == ByteString(user) })
        }
        _ = try home.write("auth.json", cut(entries, from: file))
        let said = try podman.run(
            ["login", "--authfile", path, "--get-login", "one.example.com"], home: home)
        #expect(said.status != 0)
        #expect(said.output.isEmpty)
    }
}
