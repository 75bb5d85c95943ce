import Testing
@testable import EndToEndRig

/// Several keychains in use, of which one is not a file.
@Suite(.timeLimit(.minutes(10)), .needs(.python))
struct SearchListEndToEndTests {
    let home: ScratchHome
    private let request = "protocol=https\nhost=example.com\n"

    init() throws {
        home = try ScratchHome()
    }

    @Test func theFirstThatHasItAnswers() async throws {
        try await home.makePluginKeychains("a", "b")
        try home.configure("[lanyard]\n\tsearchList = a b login")
        for name in ["login", "b"] {
            try await home.set("x", "--keychain", name, secret: name)
        }
        expectAnswer(try await home.lanyard("get", "x"), "b\n")
        try await home.set("x", "--keychain", "a", secret: "a")
        expectAnswer(try await home.lanyard("get", "x"), "a\n")
        let answer = try await home.json("get", "x", "--json")
        #expect(answer.members["keychain"] == "a")
    }

    @Test func whatIsNewGoesToTheDefaultOne() async throws {
        try await home.makePluginKeychains("a", "b")
        try home.configure("[lanyard]\n\tsearchList = a b login\n\tdefault = b")
        try await home.store("\(request)username=ada\npassword=pw\n")
        let list = try await home.json("list", "--json")
        #expect(list.elements.map { $0.members["keychain"] } == ["b"])
        #expect(try await home.json("keychain", "search-list", "--json") == ["a", "b", "login"])
        expectAnswer(try await home.lanyard("keychain", "default"), "b\n")
    }

    @Test func whatIsThereIsChangedWhereItIs() async throws {
        try await home.makePluginKeychains("a")
        try await home.store("\(request)username=ada\npassword=old\n")
        try home.configure("[lanyard]\n\tsearchList = a login\n\tdefault = a")
        try await home.store("\(request)username=ada\npassword=new\n")
        let list = try await home.json("list", "--json")
        #expect(list.elements.map { $0.members["keychain"] } == ["login"])
        try await home.expectGet(request, "username=ada\npassword=new\n")
        try await home.set("https://example.com", "ada", "--group", "git", secret: "newer")
        try await home.expectGet(request, "username=ada\npassword=newer\n")
    }

    @Test func erasingGoesThroughAll() async throws {
        try await home.makePluginKeychains("a", "b")
        try home.configure("[lanyard]\n\tsearchList = a b login")
        for name in ["a", "b", "login"] {
            let stored = try await home.helper(
                "--keychain", name, "store", input: "\(request)username=ada\npassword=pw\n")
            expectAnswer(stored, "")
        }
        try await home.erase("\(request)username=ada\npassword=other\n")
        #expect(try await home.json("list", "--json").elements.count == 3)
        try await home.erase("\(request)username=ada\npassword=pw\n")
        #expect(try await home.json("list", "--json") == [])
    }

    @Test func docker() async throws {
        try await home.makePluginKeychains("a")
        try home.configure("[lanyard]\n\tsearchList = login a\n\tdefault = a")
        try await home.storeForDocker(#"{"ServerURL":"one.example","Username":"u","Secret":"1"}"#)
        let stored = try await home.dockerHelper(
            "--keychain", "login", "store",
            input: #"{"ServerURL":"two.example","Username":"u","Secret":"2"}"#)
        expectAnswer(stored, "")
        try await home.expectDockerList(#"{"one.example":"u","two.example":"u"}"#)
        try await home.expectDockerGet(
            "https://one.example",
            #"{"ServerURL":"https://one.example","Username":"u","Secret":"1"}"# + "\n")
        for url in ["one.example", "two.example"] {
            expectAnswer(try await home.dockerHelper("erase", input: url), "")
        }
        try await home.expectDockerList("{}")
    }

    @Test(arguments: [["--keychain", "a"], []])
    func oneThatIsNamedIsTheOnlyOne(_ flag: [String]) async throws {
        try await home.makePluginKeychains("a", "b")
        try home.configure("[lanyard]\n\tsearchList = b a login")
        try await home.set("x", "--keychain", "b", secret: "b")
        let variables = flag.isEmpty ? ["LANYARD_KEYCHAIN": "a"] : [:]
        let outcome = try await home.command(
            "lanyard", ["get", "x"] + flag, variables: variables
        ).run()
        #expect(outcome.status == 44, "\(outcome)")
    }

    @Test func removingFromSeveralIsAskedFor() async throws {
        try await home.makePluginKeychains("a")
        try home.configure("[lanyard]\n\tsearchList = a login")
        for name in ["a", "login"] {
            try await home.set("x", "--keychain", name, secret: name)
        }
        let outcome = try await home.lanyard("remove", "x")
        #expect(outcome.status == 64, "\(outcome)")
        #expect(
            outcome.errorText == """
                lanyard: error: 'x' is in several keychains: a, login
                lanyard: hint: choose one with --keychain, or remove all with --all

                """)
        expectAnswer(try await home.lanyard("remove", "x", "--all"), "")
        #expect(try await home.json("list", "--json") == [])
    }

    // MARK: One that can't be reached

    @Test func theOthersAnswerAndThatIsSaidOnce() async throws {
        try await home.makePluginKeychains("a")
        try home.configure("[lanyard]\n\tdefault = a")
        try await home.set("x", "--keychain", "login", secret: "s")
        try home.breakPlugin()
        let outcome = try await home.lanyard("get", "x")
        #expect(outcome.status == 0 && outcome.outputText == "s\n", "\(outcome)")
        let lines = outcome.errorText.split(separator: "\n")
        #expect(lines.count == 1, "\(outcome)")
        #expect(
            lines.first?.hasPrefix("lanyard: warning: the keychain 'a' was skipped: ") == true,
            "\(outcome)")
    }

    @Test func eachThatIsLeftOutIsNamed() async throws {
        try await home.set("x", secret: "s")
        try home.configure("[lanyard]\n\tsearchList = one two login")
        let outcome = try await home.lanyard("get", "x")
        #expect(outcome.status == 0 && outcome.outputText == "s\n", "\(outcome)")
        for name in ["one", "two"] {
            #expect(
                outcome.errorText.contains("warning: the keychain '\(name)' was skipped: "),
                "\(outcome)")
        }
    }

    @Test(arguments: Helper.allCases)
    func nothingNewGoesElsewhere(_ helper: Helper) async throws {
        try await home.makePluginKeychains("a")
        try home.configure("[lanyard]\n\tdefault = a")
        try home.breakPlugin()
        let outcome = try await home.run(helper, ["store"], input: helper.login)
        #expect(outcome.status == 1, "\(outcome)")
        let message = helper == .git ? outcome.errorText : outcome.outputText
        #expect(message.contains("the default keychain 'a' can't be used: "), "\(outcome)")
        #expect(try await home.json("list", "--json", "--keychain", "login") == [])
    }

    @Test(arguments: Helper.allCases)
    func unlessThereIsAFallback(_ helper: Helper) async throws {
        try await home.makePluginKeychains("a")
        try home.configure("[lanyard]\n\tdefault = a\n\tfallback = login")
        try home.breakPlugin()
        let outcome = try await home.run(helper, ["store"], input: helper.login)
        #expect(outcome.status == 0 && outcome.outputText.isEmpty, "\(outcome)")
        #expect(
            outcome.errorText.hasPrefix(
                "lanyard: warning: stored in the keychain 'login', since 'a' can't be used: "),
            "\(outcome)")
        let list = try await home.json("list", "--json", "--keychain", "login")
        #expect(list.elements.count == 1)
    }

    /// As on a medium that is mounted read-only.
    @Test(.needs(.mounts)) func aDefaultThatCanNotBeWrittenHasAFallback() async throws {
        try await home.shell(
            """
            mkdir -m 700 "$1/medium"
            lanyard keychain create work --file "$1/medium/work.keychain"
            lanyard config set lanyard.default work
            lanyard config set lanyard.fallback login
            exec unshare --mount --propagation private sh -euc "$2" sh "$1"
            """, home.path,
            """
            mount --bind "$1/medium" "$1/medium"
            mount -o remount,bind,ro "$1/medium"
            printf pw | lanyard set svc --stdin 2>/dev/null
            printf 'protocol=https\\nhost=example.com\\nusername=ada\\npassword=pw\\n' |
                git-credential-lanyard store 2>/dev/null
            """)
        let list = try await home.json("list", "--json")
        #expect(list.elements.map { $0.members["keychain"] } == ["login", "login"])
        expectAnswer(try await home.lanyard("get", "svc"), "pw\n")
    }

    @Test func whatIsFoundElsewhereCanBeErased() async throws {
        try await home.makePluginKeychains("a")
        try await home.store("\(request)username=ada\npassword=pw\n")
        try home.configure("[lanyard]\n\tdefault = a")
        try home.breakPlugin()
        let outcome = try await home.helper(
            "erase", input: "\(request)username=ada\npassword=pw\n")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try await home.json("list", "--json", "--keychain", "login") == [])
    }

    @Test func alone() async throws {
        try await home.makePluginKeychains("a")
        try home.breakPlugin()
        for arguments in [["get", "x"], ["list"], ["remove", "x"], ["set", "x", "--stdin"]] {
            let outcome = try await home.command(
                "lanyard", arguments + ["--keychain", "a"], input: Array("s".utf8)
            ).run()
            #expect(outcome.status == 53, "\(outcome)")
            #expect(outcome.errorText.contains("lanyard: error: "), "\(outcome)")
        }
    }

    @Test func status() async throws {
        try await home.makePluginKeychains("a")
        try home.configure("[lanyard]\n\tdefault = a")
        var states = try await home.json("status", "--json").elements.map(\.members)
        #expect(states.map { $0["name"] } == ["a", "login"])
        #expect(states[0]["kind"] == "example")
        #expect(states[0]["state"] == "unlocked")
        #expect(states[0]["in_use"] == true)
        #expect(states[0]["default"] == true)
        // What is not in use comes last.
        try home.breakPlugin()
        states = try await home.json("status", "--json").elements.map(\.members)
        #expect(states.map { $0["name"] } == ["login", "a"])
        #expect(states[1]["state"] == "unusable")
        #expect(states[1]["in_use"] == false)
        #expect(states[1]["reason"] != .null)
        #expect(states[0]["in_use"] == true)
    }

    /// Who answers with an error must not make a script believe that all went well.
    @Test(arguments: [0, -256, -25300, 7])
    func anErrorIsNeverSuccess(_ status: Int) async throws {
        try await home.makePluginKeychains("a")
        _ = try home.write(
            """
            #!/bin/sh
            read -r line
            echo '{"id":1,"result":{"version":1,"transactions":false}}'
            read -r line
            echo '{"id":2,"error":{"status":\(status),"reason":"no"}}'
            read -r line

            """, to: "plugins/example", mode: 0o700)
        let outcome = try await home.lanyard("get", "x", "--keychain", "a")
        #expect(outcome.status != 0 && outcome.outputText.isEmpty, "\(outcome)")
        #expect(outcome.errorText.contains("lanyard: error: "), "\(outcome)")
    }

    // MARK: Names of keychains

    @Test(arguments: [
        "[lanyard]\n\ttimeout = x", "[lanyard]\n\tfallback = nosuch",
        "[lanyard]\n\tsearchList = ../x login", "[lanyard]\n\tsearchList = nosuch",
        "[keychain \"k\"]\n\tkind = ../x", "[lanyard]\n\tautolock = soon",
    ])
    func whatIsWrongInTheConfigurationIsSaid(_ lines: String) async throws {
        try home.configure(lines)
        let outcome = try await home.lanyard("config")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.errorText.hasPrefix("lanyard: warning: "), "\(outcome)")
    }

    @Test func anUnknownKindIsRefused() async throws {
        let outcome = try await home.lanyard("keychain", "create", "x", "--kind", "secretservice")
        #expect(outcome.status == 53, "\(outcome)")
        expectAnswer(try await home.lanyard("keychain", "list"), "")
    }

    @Test func creatingAndForgetting() async throws {
        try await home.makePluginKeychains()
        let plugin = "\(home.path)/plugins/example"
        let created = try await home.lanyard(
            "keychain", "create", "team", "--kind", "example", "--plugin", plugin)
        expectAnswer(created, "")
        expectAnswer(try await home.lanyard("keychain", "search-list", "team", "login"), "")
        expectAnswer(try await home.lanyard("keychain", "search-list"), "team\nlogin\n")
        let again = try await home.lanyard("keychain", "create", "team")
        #expect(again.status == 48, "\(again)")
        let deleted = try await home.lanyard("keychain", "delete", "team")
        #expect(deleted.status == 0, "\(deleted)")
        expectAnswer(try await home.lanyard("keychain", "search-list"), "login\n")
        expectAnswer(try await home.lanyard("keychain", "search-list", "--reset"), "")
        expectAnswer(
            try await home.lanyard("keychain", "search-list"), "secret-service\nlogin\n")
        let unknown = try await home.lanyard("keychain", "search-list", "team")
        #expect(unknown.status == 50, "\(unknown)")
    }

    /// A name for something that does not work would only be found out later.
    @Test func aPluginIsTriedWhenItIsNamed() async throws {
        try await home.makePluginKeychains()
        try home.breakPlugin()
        let outcome = try await home.lanyard(
            "keychain", "create", "team", "--kind", "example", "--plugin",
            "\(home.path)/plugins/example")
        #expect(outcome.status == 53, "\(outcome)")
        expectAnswer(try await home.lanyard("keychain", "list"), "")
    }
}
