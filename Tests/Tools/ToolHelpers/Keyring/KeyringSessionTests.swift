import KeychainServices
import StoreConformance
import Testing

@testable import ToolHelpers

@Suite("the keyring helper's sessions")
struct KeyringSessionTests {
    private let keychain = Keychain(inMemoryFor: .keyring)

    private func session(_ arguments: [String], input: String = "") -> ScriptedSession {
        let session = ScriptedSession("keyring-lanyard", arguments, in: keychain)
        session.input = Array(input.utf8)
        return session
    }

    /// Returns what a call prints.
    private func output(_ arguments: String..., input: String = "") throws -> String {
        let session = session(arguments, input: input)
        try ToolHelper.keyring.run(session)
        return session.output
    }

    private func status(_ arguments: String...) -> Status? {
        do throws(KeychainError) {
            try ToolHelper.keyring.run(session(arguments))
            return nil
        } catch {
            return error.status
        }
    }

    @Test("set, get and delete, with two accounts")
    func setGetDelete() throws {
        #expect(try output("set", "service", "ada", input: "one\n") == "")
        #expect(try output("set", "service", "eve", input: "two") == "")
        #expect(try output("get", "service", "ada") == "one\n")
        #expect(try output("get", "service", "eve") == "two\n")
        #expect(try output("get", "service", "--mode=creds") == "eve\ntwo\n")
        #expect(try output("set", "service", "ada", input: "three\n") == "")
        #expect(try output("--mode", "creds", "get", "service", "") == "ada\nthree\n")
        #expect(try output("del", "service", "ada") == "")
        #expect(status("get", "service", "ada") == .itemNotFound)
        #expect(status("del", "service", "ada") == .itemNotFound)
        #expect(try output("get", "service", "eve") == "two\n")
    }

    @Test(
        "one login, in whichever form its address is",
        arguments: [
            ("https://pypi.example/simple/", "/simple/"), ("https://PyPI.example:443/simple", nil),
            ("https://pypi.example/simple", "simple/"),
        ] as [(String, ByteString?)])
    func address(_ address: String, imported: ByteString?) throws {
        if let imported {
            var attributes = ItemAttributes()
            attributes.accessGroup = "keyring"
            attributes.account = "ada"
            attributes.protocol = .https
            attributes.server = "pypi.example"
            attributes.path = imported
            try keychain.add(.internetPassword, attributes, secret: Secret("one"))
        } else {
            _ = try output("set", address, "ada", input: "one")
        }
        for other in [address, "https://pypi.example/simple"] {
            #expect(try output("get", other, "ada") == "one\n")
        }
        _ = try output("del", "https://pypi.example/simple", "ada")
        #expect(status("get", address, "ada") == .itemNotFound)
    }

    @Test("options stand anywhere")
    func options() throws {
        _ = try output("set", "--", "-service", "-ada", input: "\"one\"\n")
        let json = #"{"username":"-ada","password":"\"one\""}"# + "\n"
        #expect(try output("--mode=creds", "--output=json", "get", "--", "-service") == json)
        #expect(
            try output("get", "--output", "json", "--mode", "creds", "--", "-service", "-ada")
                == json)
        #expect(
            try output("--output=json", "get", "--", "-service", "-ada")
                == #"{"password":"\"one\""}"# + "\n")
    }

    @Test("an address finds the login of its server, and an exact name comes first")
    func addresses() throws {
        for (group, path, account, password) in [
            ("login", "", "ada", "of the host"), ("keyring", "simple", "ada", "of the path"),
            ("keyring", "simple", "eve", "of another"),
        ] as [(ByteString, ByteString, ByteString, String)] {
            var attributes = ItemAttributes()
            attributes.accessGroup = group
            attributes.protocol = .https
            attributes.server = "pypi.example"
            attributes.port = 8443
            attributes.path = path
            attributes.account = account
            _ = try keychain.add(.internetPassword, attributes, secret: Secret(password))
        }
        let url = "https://pypi.example:8443"
        #expect(try output("get", "\(url)/simple/notes/", "ada") == "of the path\n")
        #expect(try output("get", "\(url)/simple", "eve") == "of another\n")
        #expect(try output("get", "\(url)/other", "ada") == "of the host\n")
        #expect(try output("get", "pypi.example:8443", "ada") == "of the host\n")
        for user in ["eve", "eve%40pypi.example", "eve@pypi.example"] {
            let withUser = "https://\(user)@pypi.example:8443/simple/"
            #expect(try output("get", withUser, "eve") == "of another\n")
        }
        for host in ["other.example?", "other.example#", "other.example\\"] {
            let address = "https://\(host)@pypi.example:8443/simple"
            #expect(status("get", address, "eve") == .itemNotFound)
        }
        #expect(status("get", "http://pypi.example:8443/simple", "ada") == .itemNotFound)
        #expect(status("get", "https://pypi.example/simple", "ada") == .itemNotFound)
        #expect(status("get", "\(url)/other", "eve") == .itemNotFound)
        _ = try output("set", "\(url)/simple", "ada", input: "exact\n")
        #expect(try output("get", "\(url)/simple", "ada") == "exact\n")
    }

    @Test("a URL has one password, whoever stores it", arguments: ["simple", "simple/", ""])
    func oneItemForAnAddress(path: String) throws {
        let url = "https://Pypi.example:8443/\(path)"
        var attributes = ItemAttributes()
        attributes.accessGroup = "keyring"
        attributes.protocol = .https
        attributes.server = "pypi.example"
        attributes.port = 8443
        attributes.path = path.isEmpty ? "" : "simple"
        attributes.account = "ada"
        try keychain.store(.internetPassword, attributes, secret: Secret("of lanyard set"))
        _ = try output("set", url, "ada", input: "of keyring\n")
        #expect(try output("get", url, "ada") == "of keyring\n")
        try keychain.store(.internetPassword, attributes, secret: Secret("of lanyard set again"))
        #expect(try output("get", url, "ada") == "of lanyard set again\n")
        #expect(try output("del", url, "ada") == "")
        #expect(status("get", url, "ada") == .itemNotFound)
        #expect(status("del", url, "ada") == .itemNotFound)
    }

    @Test("set replaces a password with the name of a URL that came from elsewhere")
    func importedURL() throws {
        let url = "https://pypi.example/simple"
        var attributes = ItemAttributes()
        attributes.accessGroup = "keyring"
        attributes.service = ByteString(url)
        attributes.account = "ada"
        _ = try keychain.add(.genericPassword, attributes, secret: Secret("imported"))
        #expect(try output("get", url, "ada") == "imported\n")
        _ = try output("set", url, "ada", input: "new\n")
        #expect(try output("get", url, "ada") == "new\n")
        _ = try output("del", url, "ada")
        #expect(status("get", url, "ada") == .itemNotFound)
    }

    @Test("a password is asked for at a terminal")
    func asking() throws {
        let session = session(["set", "service", "ada"])
        session.isInputTerminal = true
        session.answers = ["typed"]
        try ToolHelper.keyring.run(session)
        #expect(session.questions == ["password of 'ada' for 'service': "])
        #expect(try output("get", "service", "ada") == "typed\n")
    }

    @Test("an empty password", arguments: ["", "\n"])
    func empty(input: String) {
        let session = session(["set", "service", "ada"], input: input)
        let error = #expect(throws: KeychainError.self) { try ToolHelper.keyring.run(session) }
        #expect(error?.status == .param && error?.reason == "the password is empty")
        #expect(session.questions == [])
    }

    @Test("only set reads standard input")
    func input() throws {
        _ = try output("set", "service", "ada", input: "one\n")
        let session = session(["get", "service", "ada"], input: "rest")
        try ToolHelper.keyring.run(session)
        #expect(session.input == Array("rest".utf8))
    }

    @Test(
        "a password of several lines comes back whole",
        arguments: ["one\ntwo", "one\r", "\r\n one\r\n\n", "\n\n", " \u{E9}\u{1F511} \n"])
    func lines(password: String) throws {
        for service in ["service", "https://a.example/x"] {
            _ = try output("set", service, "ada", input: "\(password)\n")
            #expect(try output("get", service, "ada") == "\(password)\n")
            let json = try output("--output=json", "get", service, "ada")
            let escaped = password.unicodeScalars.map { scalar in
                switch scalar {
                case "\r": #"\r"#
                case "\n": #"\n"#
                default: String(scalar)
                }
            }.joined()
            #expect(json == "{\"password\":\"\(escaped)\"}\n")
        }
    }

    @Test("only JSON can give an account and a password of several lines")
    func linesWithAccount() throws {
        for (account, password) in [("ada", "one\ntwo"), ("a\nda", "pw"), ("ada", "one\r")] {
            _ = try output("set", "service", account, input: password)
            #expect(status("--mode=creds", "get", "service", account) == .decode)
            let json = try output("--mode=creds", "--output=json", "get", "service", account)
            #expect(json.hasPrefix(#"{"username":""#))
        }
    }

    @Test("a password with a NUL is refused")
    func nul() {
        let session = session(["set", "service", "ada"], input: "secret-bilby\0")
        let error = #expect(throws: KeychainError.self) { try ToolHelper.keyring.run(session) }
        #expect(error?.status == .param && error?.reason.contains("bilby") == false)
    }

    @Test("an empty account", arguments: ["service", "https://a.example/x"])
    func emptyAccount(service: String) throws {
        _ = try output("set", service, "ada", input: "hers")
        #expect(status("get", service, "") == .itemNotFound)
        #expect(status("del", service, "") == .itemNotFound)
        _ = try output("set", service, "", input: "of none")
        #expect(try output("get", service, "") == "of none\n")
        #expect(try output("get", service, "ada") == "hers\n")
        #expect(try output("del", service, "") == "")
        #expect(status("get", service, "") == .itemNotFound)
        #expect(try output("get", service, "ada") == "hers\n")
    }

    @Test(
        "invalid arguments",
        arguments: [
            [], ["get"], ["get", "service"], ["set", "service"], ["sing", "service", "ada"],
            ["get", "service", "ada", "more"], ["get", "", "ada"], ["--mode=all", "get", "a", "b"],
            ["--output", "xml", "get", "a", "b"], ["get", "a", "b", "--mode"], ["--disable"],
            ["set", "service", "--mode=creds"],
        ])
    func invalid(arguments: [String]) {
        let error = #expect(throws: KeychainError.self) {
            try ToolHelper.keyring.run(session(arguments))
        }
        #expect(error?.status == .param && error?.hint == "keyring-lanyard --help")
    }

    @Test("only a missing login is silent, and every failure ends with 1")
    func failures() {
        let helper = ToolHelper.keyring
        #expect(helper.isSilent(KeychainError(.itemNotFound)))
        #expect(!helper.isSilent(KeychainError(.interactionNotAllowed)))
        #expect(helper.exitStatus(KeychainError(.param)) == 1)
    }
}
