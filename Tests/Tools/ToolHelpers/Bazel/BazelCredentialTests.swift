import KeychainServices
import StoreConformance
import Testing

@testable import ToolHelpers

@Suite("bazel's requests")
struct BazelCredentialTests {
    private let keychain = Keychain(inMemoryFor: .bazel)

    private func store(_ url: ByteString, account: ByteString? = nil, _ secret: String) throws {
        let parts = try #require(ServerURL(url))
        var attributes = ItemAttributes()
        attributes.server = parts.host
        attributes.protocol = .https
        attributes.port = parts.port
        attributes.path = parts.path
        attributes.account = account
        _ = try keychain.add(.internetPassword, attributes, secret: Secret(secret))
    }

    private func answer(_ request: String, _ arguments: [String] = ["get"]) throws -> String {
        let session = ScriptedSession("bazel-credential-lanyard", arguments, in: keychain)
        session.input = Array(request.utf8)
        try ToolHelper.bazel.run(session)
        #expect(session.areQuestionsForbidden)
        return session.output
    }

    @Test("a token, a login, nothing")
    func answers() throws {
        try store("https://cache.example.com", "token")
        try store("https://rpm.example.com", account: "ada", "pass:word")
        #expect(
            try answer(#"{"uri":"https://cache.example.com/cas?a=b","other":[1]}"#)
                == "{\"headers\":{\"Authorization\":[\"Bearer token\"]}}\n")
        #expect(
            try answer(#"{"uri":"https://RPM.example.com?a"}"#)
                == "{\"headers\":{\"Authorization\":[\"Basic YWRhOnBhc3M6d29yZA==\"]}}\n")
        for other in [
            "https://example.com", "http://cache.example.com", "grpcs://cache.example.com",
        ] {
            #expect(try answer("{\"uri\":\"\(other)\"}") == "{\"headers\":{}}\n")
        }
    }

    /// bazel takes the address of a remote cache as grpcs, and asks for its login as https.
    @Test("a login for an address of gRPC")
    func gRPC() throws {
        var name = ItemAttributes()
        name.protocol = ProtocolType(scheme: "grpcs")
        name.server = "cache.example.com"
        let attributes = try ToolFormat.bazel.attributes(name)
        _ = try keychain.add(.internetPassword, attributes, secret: Secret("token"))
        #expect(
            try answer(
                #"{"uri":"https://cache.example.com/build.bazel.remote.execution.v2.ActionCache"}"#)
                == "{\"headers\":{\"Authorization\":[\"Bearer token\"]}}\n")
    }

    @Test("of two paths the longer one counts")
    func paths() throws {
        try store("https://example.com", "general")
        try store("https://example.com/team", "special")
        #expect(try answer(#"{"uri":"https://example.com/team/x"}"#).contains("Bearer special"))
        #expect(try answer(#"{"uri":"https://example.com/teams"}"#).contains("Bearer general"))
    }

    @Test(
        "invalid requests",
        arguments: [
            ("", .decode), ("{}", .decode), ("[]", .decode), (#"{"uri":1}"#, .decode),
            (#"{"uri":"example"}"#, .param), (#"{"uri":"https://a b"}"#, .param),
        ] as [(String, Status)])
    func invalid(request: String, status: Status) {
        let error = #expect(throws: KeychainError.self) { try answer(request) }
        #expect(error?.status == status)
    }

    @Test("invalid arguments", arguments: [[], ["store"], ["get", "get"], ["--get"]])
    func arguments(arguments: [String]) {
        let error = #expect(throws: KeychainError.self) { try answer("{}", arguments) }
        #expect(error?.hint == "bazel-credential-lanyard --help")
    }

    @Test("a token that no header can have")
    func invalidToken() throws {
        try store("https://cache.example.com", "two\nlines")
        #expect(throws: KeychainError(.decode)) {
            try answer(#"{"uri":"https://cache.example.com"}"#)
        }
    }
}
