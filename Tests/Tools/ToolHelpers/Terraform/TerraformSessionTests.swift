import KeychainServices
import StoreConformance
import Testing

@testable import ToolHelpers

@Suite("the terraform helper's sessions")
struct TerraformSessionTests {
    private let keychain = Keychain(inMemoryFor: .terraform)

    private func session(_ arguments: [String], input: String = "") -> ScriptedSession {
        let session = ScriptedSession("terraform-credentials-lanyard", arguments, in: keychain)
        session.input = Array(input.utf8)
        return session
    }

    private func output(_ arguments: String..., input: String = "") throws -> String {
        let session = session(arguments, input: input)
        try ToolHelper.terraform.run(session)
        return session.output
    }

    @Test("a host's token comes and goes")
    func token() throws {
        #expect(try output("get", "app.example") == "{}\n")
        #expect(try output("store", "App.example", input: "{\"token\":\"a\\u0062\"}\n") == "")
        #expect(try output("get", "app.example") == "{\"token\":\"ab\"}\n")
        #expect(try output("get", "app.example:8443") == "{}\n")
        #expect(try output("store", "app.example:443", input: "{\"token\":\"c\"}") == "")
        #expect(try output("get", "app.example") == "{\"token\":\"c\"}\n")
        #expect(try output("forget", "app.example") == "")
        #expect(try output("forget", "app.example") == "")
        #expect(try output("get", "app.example") == "{}\n")
    }

    @Test("lanyard set stores an item that the helper finds")
    func format() throws {
        var name = ItemAttributes()
        name.server = "App.example"
        name.path = "notes"
        let item = try ToolFormat.terraform.attributes(name)
        _ = try keychain.add(.internetPassword, item, secret: Secret("t"))
        #expect(try output("get", "app.example") == "{\"token\":\"t\"}\n")
        name.account = "ada"
        #expect(throws: KeychainError.self) { try ToolFormat.terraform.attributes(name) }
    }

    @Test(
        "credentials that can't be stored",
        arguments: [
            "", "secret-bilby", "{}", "{\"token\":1}", "{\"token\":\"\"}",
            "{\"token\":\"secret bilby\"}",
            "{\"token\":\"secret-bilby\",\"more\":{}}", "{\"token\":\"secret-bilby\"",
        ])
    func refused(credentials: String) throws {
        let error = #expect(throws: KeychainError.self) {
            try ToolHelper.terraform.run(session(["store", "a.example"], input: credentials))
        }
        #expect(error?.reason.contains("bilby") == false)
        #expect(try output("get", "a.example") == "{}\n")
    }

    @Test("only store reads standard input", arguments: ["get", "forget"])
    func input(operation: String) throws {
        let session = session([operation, "a.example"], input: "rest")
        try ToolHelper.terraform.run(session)
        #expect(session.input == Array("rest".utf8))
    }

    @Test(
        "invalid arguments",
        arguments: [
            [], ["get"], ["sing", "a.example"], ["get", "a.example", "more"], ["get", "a b"],
            ["get", "https://a.example"], ["get", "a.example/x"], ["get", ""],
        ])
    func invalid(arguments: [String]) {
        #expect(throws: KeychainError(.param)) {
            try ToolHelper.terraform.run(session(arguments))
        }
    }
}
