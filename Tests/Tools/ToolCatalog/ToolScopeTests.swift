import PlainTextFormats
import Testing
import ToolCatalog

@Suite("the scope of a program")
struct ToolScopeTests {
    private func asked(
        _ scope: ToolScope, _ words: [String], _ variables: [String: String] = [:]
    ) -> ToolScope.Asked {
        scope.asked(words) { variables[$0] }
    }

    private let context = ToolScope(
        .name, "context", options: ["--context", "-c"], variables: ["CONTEXT", "OLD_CONTEXT"])
    private let server = ToolScope(
        .host, "host", options: ["--host"], variables: ["SERVER"],
        port: ToolScope.Port(
            "3306", options: ["--port"], variables: ["PORT"], sockets: ["--socket"]),
        fallback: "localhost")

    @Test(
        "an option before a variable, the last one of several, none after two hyphens",
        arguments: [
            (["get", "--context", "one"], [:], "one"), (["--context=one"], [:], "one"),
            (["-cone"], [:], "one"), (["-c", "one"], ["CONTEXT": "two"], "one"),
            (["--context=one", "--context=two"], [:], "two"), (["get"], ["CONTEXT": "two"], "two"),
            (["get"], ["CONTEXT": "", "OLD_CONTEXT": "three"], "three"),
            (["get", "--", "--context", "one"], [:], nil), (["get"], ["CONTEXT": ""], nil),
            (["--contexts=one"], [:], nil), (["get", "--context"], [:], nil),
        ] as [([String], [String: String], String?)])
    func names(words: [String], variables: [String: String], scope: String?) {
        #expect(asked(context, words, variables) == scope.map { .scope([$0]) } ?? .nothing)
    }

    @Test(
        "a host has the usual port, or one of its own",
        arguments: [
            (["--host", "db"], [:], ["db", "db:3306"]),
            (["--host", "db", "--port", "3306"], [:], ["db", "db:3306"]),
            (["--host", "db", "--port", "3307"], [:], ["db:3307"]),
            (["--host", "db"], ["PORT": "3307"], ["db:3307"]),
            (["--host", "db:3307"], [:], ["db:3307"]),
            (["--host", "db:3306"], [:], ["db", "db:3306"]),
            (["--host", "::1"], [:], ["::1", "[::1]:3306"]),
            (["--host", "[::1]:3307"], [:], ["[::1]:3307"]),
            (["--port", "3307"], [:], ["localhost:3307"]),
            (["--socket", "/run/s", "--host", "db"], [:], ["/run/s"]),
        ] as [([String], [String: String], [String])])
    func ports(words: [String], variables: [String: String], names: [String]) {
        #expect(asked(server, words, variables) == .scope(names))
    }

    @Test(
        "a host is that of its address",
        arguments: [
            ("https://Git.example/a/b", "git.example"), ("https://git.example:443", "git.example"),
            ("https://git.example:8443/", "git.example:8443"),
            ("http://git.example:80", "git.example"), ("https://git.example:80", "git.example:80"),
            ("https://me@git.example", "git.example"),
            ("https://me@git.example@other.example/", "other.example"),
            ("https://other.example/@git.example", "other.example"),
            ("https://other.example?@git.example", "other.example"),
            ("ssh://git@git.example:2222/a", "git.example"), ("git.example", "git.example"),
            ("ssh://[::1]", "[::1]"), ("api.forge.example", "forge"), ("x.forge.host", "forge"),
        ])
    func hosts(address: String, host: String) {
        let scope = ToolScope(
            .host, "host", aliases: ["api.forge.example": "forge", ".forge.host": "forge"])
        #expect(scope.canonical(address) == host)
    }

    @Test(
        "an argument may name a host, and an option a repository",
        arguments: [
            (["clone", "https://a.example/x"], .scope(["a.example"])),
            (["clone", "git@b.example:x/y"], .scope(["b.example"])),
            (["clone", "x/y"], .nothing), (["api", "https://a.example/x"], .nothing),
            (["clone", "-t", "https://a.example/x"], .nothing),
            (["view", "-R", "c.example/x/y"], .scope(["c.example"])),
            (["view", "-R", "x/y"], .active), (["view", "c.example/x/y"], .nothing),
            (["clone", "c.example/x/y"], .scope(["c.example"])),
        ] as [([String], ToolScope.Asked)])
    func repositories(words: [String], result: ToolScope.Asked) {
        let scope = ToolScope(
            .host, "host", options: ["-R"],
            arguments: ToolScope.Arguments(
                notOf: ["api"], texts: ["-t"], repositoriesOf: ["clone"]),
            repositories: .ofOwners)
        #expect(asked(scope, words) == result)
    }
}

@Suite("addresses of servers")
struct ServerAddressTests {
    @Test(arguments: [
        ("https://a.example", "a.example", true), ("https://A.example/", "a.example", true),
        ("https://a.example:443", "a.example", true),
        ("http://a.example:80", "http://a.example", true),
        ("http://a.example", "https://a.example", false),
        ("https://a.example:80", "a.example", false),
        ("https://a.example/x", "https://a.example/y", false), ("a.example", "b.example", false),
        ("https://a.example/X", "https://a.example/x", false), (" a.example\n", "a.example", true),
    ])
    func meanOneServer(one: String, other: String, areSame: Bool) {
        #expect(ServerAddress.areSame(one, other) == areSame)
        #expect(ServerAddress.areSame(other, one) == areSame)
    }

    @Test func anOptionComesFirst() {
        let address = ServerAddress("url", options: ["--url"], variables: ["A", "B"])
        let variables = ["A": "", "B": "b"]
        #expect(address.asked(["--url", "o"]) { variables[$0] } == "o")
        #expect(address.asked(["--", "--url", "o"]) { variables[$0] } == "b")
        #expect(address.asked([]) { _ in nil } == nil)
    }
}
