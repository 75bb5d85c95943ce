import KeychainServices
import StoreConformance
import Testing

@testable import ToolHelpers

@Suite("the cargo helper's sessions")
struct CargoSessionTests {
    private let keychain = Keychain(inMemoryFor: .cargo)
    private let index = "sparse+https://registry.example/index/"
    private static let greeting = "{\"v\":[1]}\n"

    /// Returns the answers to requests, one a line.
    private func answers(
        _ requests: String..., typed: [String] = []
    ) throws -> (answers: [String], questions: [String]) {
        let session = ScriptedSession("cargo-credential-lanyard", ["--cargo-plugin"], in: keychain)
        session.input = Array(requests.map { "\($0)\n" }.joined().utf8)
        session.answers = typed
        try ToolHelper.cargo.run(session)
        #expect(session.output.hasPrefix(CargoSessionTests.greeting))
        let answers = session.output.dropFirst(CargoSessionTests.greeting.count)
        return (answers.split(separator: "\n").map(String.init), session.questions)
    }

    private func request(_ kind: String, _ more: String = "", index: String? = nil) -> String {
        """
        {"v":1,"registry":{"index-url":"\(index ?? self.index)","name":"x","headers":["a: b"]},\
        "kind":"\(kind)","operation":"read",\(more)"args":[]}
        """
    }

    private let done = { (kind: String) in "{\"Ok\":{\"kind\":\"\(kind)\"}}" }
    private let notFound = #"{"Err":{"kind":"not-found"}}"#
    private let token =
        #"{"Ok":{"kind":"get","token":"t0","cache":"session","operation_independent":true}}"#

    @Test("cargo login asks for a token first, and stores the one that it is given")
    func loginAndLogout() throws {
        let (answers, questions) = try answers(
            request("get"), request("login", #""token":"t0","#), request("get"), request("logout"),
            request("get"), request("logout"))
        #expect(
            answers == [notFound, done("login"), token, done("logout"), notFound, notFound])
        #expect(questions.isEmpty)
    }

    @Test("without a token the user is asked, and sees only a printable URL")
    func typedToken() throws {
        let (answers, questions) = try answers(
            request("login", #""token":null,"login-url":"https://registry.example/me","#),
            request("login", #""login-url":"https://\u001b[2J","#), request("login"),
            request("get"), typed: ["t1", "t0"])
        let prompt = "token for \(index)"
        #expect(
            questions == ["\(prompt) (see https://registry.example/me): "]
                + [String](repeating: "\(prompt): ", count: 2))
        #expect(answers[...1] == [done("login"), done("login")] && answers[3] == token)
        #expect(
            answers[2] == """
                {"Err":{"kind":"other","message":"lanyard: error: there is no terminal",\
                "caused-by":["lanyard: hint: lanyard set --for cargo \(index)"]}}
                """)
    }

    @Test("the user in an address of ssh is the server's")
    func user() throws {
        let index = "ssh://git@ssh.registry.example/org/index.git"
        let (answers, _) = try answers(
            request("login", #""token":"t0","#, index: index), request("get", index: index))
        #expect(answers == [done("login"), token])
        var name = ItemAttributes()
        name.protocol = .ssh
        name.server = "ssh.registry.example"
        name.path = "org/index.git"
        name.account = "git"
        let item = try ToolFormat.cargo.attributes(name)
        #expect(item == CargoCredentialHelper.item(index: ByteString(index)))
        name.protocol = .https
        #expect(throws: KeychainError.self) { try ToolFormat.cargo.attributes(name) }
    }

    @Test(
        "one registry has one token, however cargo reads its index",
        arguments: [
            ("https://registry.example/index", true),
            ("sparse+https://REGISTRY.example/index", true),
            ("registry+https://registry.example/index/", true),
            ("sparse+http://registry.example/index/", false),
            ("sparse+https://registry.example/", false),
            ("sparse+https://registry.example:443/index/", true),
            ("sparse+https://registry.example:8443/index/", false),
            ("sparse+https://registry.example/index/more/", false),
        ])
    func otherAddresses(address: String, isSame: Bool) throws {
        let (answers, _) = try answers(
            request("login", #""token":"t0","#), request("get", index: address))
        #expect(answers == [done("login"), isSame ? token : notFound])
    }

    @Test(
        "a registry's name, which the helper never gets, is refused",
        arguments: [
            ("my", 0, "", false), ("my", 8080, "", true), ("my", 0, "index", true),
            ("registry.example", 0, "", true), ("crates-io", 0, "", true), ("[::1]", 0, "", true),
        ]
            as [(ByteString, UInt16, ByteString, Bool)])
    func name(server: ByteString, port: UInt16, path: ByteString, isAddress: Bool) throws {
        var name = ItemAttributes()
        name.server = server
        name.port = port
        name.path = path
        if isAddress {
            _ = try ToolFormat.cargo.attributes(name)
        } else {
            #expect(throws: KeychainError(.param)) { try ToolFormat.cargo.attributes(name) }
        }
        name.protocol = .https
        _ = try ToolFormat.cargo.attributes(name)
    }

    @Test("lanyard set stores an item that the helper finds")
    func format() throws {
        var name = ItemAttributes()
        name.protocol = ProtocolType(scheme: "sparse+https")
        name.server = "Registry.example"
        name.path = "index"
        let item = try ToolFormat.cargo.attributes(name)
        _ = try keychain.add(.internetPassword, item, secret: Secret("t0"))
        #expect(try answers(request("get")).answers == [token])
        name.account = "ada"
        #expect(throws: KeychainError.self) { try ToolFormat.cargo.attributes(name) }
    }

    @Test("crates.io has one token", arguments: ["crates.io", "index.crates.io", "crates-io"])
    func cratesIO(host: String) throws {
        var name = ItemAttributes()
        name.server = ByteString(host)
        let item = try ToolFormat.cargo.attributes(name)
        _ = try keychain.add(.internetPassword, item, secret: Secret("t0"))
        let index = "https://github.com/rust-lang/crates.io-index"
        #expect(try answers(request("get", index: index)).answers == [token])
        // As a host, cargo's own name is anybody's.
        let isFound = host != "crates-io"
        let indexes = [
            "sparse+https://\(host)/", "registry+https://\(host)", "https://\(host):443",
        ]
        for index in indexes {
            let answer = try answers(request("get", index: index)).answers
            #expect(answer == [isFound ? token : notFound], "\(index)")
        }
    }

    @Test(
        "only crates.io itself gets its token",
        arguments: [
            "sparse+http://index.crates.io/", "http://crates.io", "sparse+ftp://index.crates.io/",
            "sparse+https://index.crates.io:8443/", "https://index.crates.io/evil",
            "https://crates-io/",
            "sparse+http://crates-io:8080/x",
        ])
    func notCratesIO(index: String) throws {
        var name = ItemAttributes()
        name.server = "crates-io"
        let item = try ToolFormat.cargo.attributes(name)
        _ = try keychain.add(.internetPassword, item, secret: Secret("t0"))
        #expect(try answers(request("get", index: index)).answers == [notFound])
    }

    @Test(
        "other requests",
        arguments: [
            (
                #"{"v":1,"kind":"sing","registry":{"index-url":"https://a"}}"#,
                "operation-not-supported"
            ),
            (
                #"{"v":1,"kind":"get","registry":{"index-url":"file:///srv/index"}}"#,
                "url-not-supported"
            ),
            (#"{"v":1,"kind":"get","registry":{}}"#, "url-not-supported"),
            (#"{"v":2,"kind":"get"}"#, "other"), ("{}", "other"), ("secret-bilby", "other"),
            (#"{"v":1,"token":"secret-bilby""#, "other"),
            (
                #"{"v":1,"kind":"get","registry":{"index-url":"https://a"},"args":["--keychain"]}"#,
                "other"
            ),
            (
                #"{"v":1,"kind":"login","token":"secret-bilby\n","registry":{"index-url":"https://a"}}"#,
                "other"
            ),
            (#"{"v":1,"kind":"login","token":"","registry":{"index-url":"https://a"}}"#, "other"),
        ])
    func refused(request: String, kind: String) throws {
        let (answers, _) = try answers(request, self.request("get"))
        #expect(answers.count == 2 && answers[0].hasPrefix("{\"Err\":{\"kind\":\"\(kind)\""))
        #expect(!answers[0].contains("bilby") && answers[1] == notFound)
    }

    @Test("invalid arguments", arguments: [[], ["get"], ["--cargo-plugin", "more"]])
    func invalid(arguments: [String]) {
        let session = ScriptedSession("cargo-credential-lanyard", arguments, in: keychain)
        let error = #expect(throws: KeychainError.self) { try ToolHelper.cargo.run(session) }
        #expect(error?.status == .param && session.output.isEmpty)
    }
}
