import Foundation
import KeychainServices
import StoreConformance
import Testing

@testable import ToolHelpers

@Suite("the go helper's sessions")
struct GoSessionTests {
    private let keychain = Keychain(inMemoryFor: .go)

    private func session(_ arguments: String...) -> ScriptedSession {
        ScriptedSession("goauth-lanyard", arguments, in: keychain)
    }

    private func output(_ arguments: String...) throws -> String {
        let session = ScriptedSession("goauth-lanyard", arguments, in: keychain)
        session.input = Array("HTTP/1.1 401 Unauthorized".utf8)
        try ToolHelper.go.run(session)
        // The response is not read.
        #expect(session.input.count == 25)
        return session.output
    }

    private func add(
        _ group: ByteString, path: ByteString = "", account: ByteString? = "ada", _ secret: String,
        protocol scheme: ProtocolType = .https
    ) throws {
        var attributes = ItemAttributes()
        attributes.accessGroup = group
        attributes.protocol = scheme
        attributes.server = "a.example"
        attributes.path = path
        attributes.account = account
        _ = try keychain.add(.internetPassword, attributes, secret: Secret(secret))
    }

    private func answer(_ prefix: String, _ login: String) -> String {
        "\(prefix)\n\nAuthorization: Basic \(Data(login.utf8).base64EncodedString())\n\n"
    }

    @Test("the first call names no address and gets nothing")
    func first() throws {
        try add("go", "pw")
        #expect(try output() == "")
    }

    @Test("the answer is for the addresses of the login, not only for the one asked")
    func prefixes() throws {
        try add("go", "host")
        try add("go", path: "team/private", "path")
        #expect(
            try output("https://a.example/x/@v/list") == answer("https://a.example", "ada:host"))
        let team = answer("https://a.example/team/private", "ada:path")
        // As go's cmd/go/internal/auth compares it.
        #expect(
            try output("https://A.example:443/team/private/x")
                == answer("https://A.example:443/team/private", "ada:path"))
        #expect(try output("https://a.example/team/private/x") == team)
        #expect(try output("https://a.example/team/private?go-get=1") == team)
        #expect(
            try output("https://a.example/team/privateer")
                == answer("https://a.example", "ada:host"))
        #expect(try output("https://a.example:8443/x") == "" && output("https://b.example") == "")
    }

    @Test("git's logins serve, unless they have expired; a login of go's own comes first")
    func git() throws {
        try add("git", "expired\npassword_expiry_utc=5")
        #expect(try output("https://a.example/x") == "")
        // Neither can go renew one, nor use a token of another scheme.
        try add("git", account: "bob", "expired\npassword_expiry_utc=5\noauth_refresh_token=r")
        try add("git", account: "", "\nauthtype=Bearer\ncredential=token")
        #expect(try output("https://a.example/x") == "")
        try add("git", account: "eve", "pw\npassword_expiry_utc=2000000000")
        #expect(try output("https://a.example/x") == answer("https://a.example", "eve:pw"))
        try add("go", account: nil, "own")
        #expect(try output("https://a.example/x") == answer("https://a.example", ":own"))
    }

    @Test("nothing of http is sent, and nothing is sent to http")
    func plainText() throws {
        try add("git", "pw", protocol: .http)
        #expect(try output("https://a.example/x") == "")
        #expect(throws: KeychainError.self) { try ToolHelper.go.run(session("http://a.example/x")) }
        var name = ItemAttributes()
        name.protocol = .http
        name.server = "a.example"
        #expect(throws: KeychainError.self) { try ToolFormat.go.attributes(name) }
    }

    @Test("an account with a colon is no login of basic authentication")
    func colon() throws {
        try add("git", account: "a:b", "pw")
        #expect(throws: KeychainError(.decode)) {
            try ToolHelper.go.run(session("https://a.example/x"))
        }
    }

    @Test(
        "invalid arguments", arguments: [["a", "b"], ["--nonsense"], ["a.example"], ["https://"]])
    func invalid(arguments: [String]) {
        #expect(throws: KeychainError(.param)) {
            try ToolHelper.go.run(ScriptedSession("goauth-lanyard", arguments, in: keychain))
        }
    }
}
