import KeychainServices
import StoreConformance
import Testing

@testable import ToolHelpers

@Suite("pnpm's token helper")
struct PnpmTokenTests {
    private let keychain = Keychain(inMemoryFor: .pnpm)

    private func store(_ server: ByteString, path: ByteString? = nil, _ token: String) throws {
        var name = ItemAttributes()
        name.server = server
        name.path = path
        _ = try keychain.add(
            .internetPassword, try ToolFormat.npm.attributes(name), secret: Secret(token))
    }

    private func run(_ arguments: String...) throws -> String {
        let session = ScriptedSession("pnpm-token-lanyard", arguments, in: keychain)
        session.input = Array("not for us".utf8)
        defer { #expect(session.input.count == 10) }
        try ToolHelper.pnpm.run(session)
        return session.output
    }

    @Test("the token of a registry, and of a path below it")
    func tokens() throws {
        try store("npm.example.com", "npm_one")
        try store("npm.example.com", path: "/team/", "npm_two")
        #expect(try run("https://npm.example.com/") == "Bearer npm_one\n")
        #expect(try run("https://npm.example.com/team/") == "Bearer npm_two\n")
    }

    @Test("an address may be percent-encoded, and an item's path as well")
    func percentEncoding() throws {
        for path in ["org/My Project/npm", "org/My%20Project/npm"] as [ByteString] {
            try store("npm.example.com", path: path, "npm_one")
            #expect(
                try run("https://npm.example.com/org/My%20Project/npm/") == "Bearer npm_one\n")
            try keychain.delete(Query(.internetPassword))
        }
        try store("npm.example.com", path: "org/%20", "npm_two")
        #expect(try run("https://npm.example.com/org/%2520") == "Bearer npm_two\n")
        #expect(throws: KeychainError(.itemNotFound)) {
            try run("https://npm.example.com/org/my%20project/npm/")
        }
    }

    @Test("no token")
    func none() {
        let error = #expect(throws: KeychainError.self) { try run("https://npm.example.com/") }
        #expect(error?.status == .itemNotFound)
        #expect(error?.hint == "lanyard set --for npm https://npm.example.com/")
    }

    @Test("an invalid token is not given")
    func invalidToken() throws {
        try store("npm.example.com", "two words")
        #expect(throws: KeychainError(.decode)) { try run("https://npm.example.com/") }
    }

    @Test("an invalid registry", arguments: ["npm.example.com", "//npm.example.com/", ""])
    func invalid(registry: String) {
        #expect(throws: KeychainError(.param)) { try run(registry) }
    }
}
