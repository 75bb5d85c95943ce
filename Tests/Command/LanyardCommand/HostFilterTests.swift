import KeychainServices
import Testing

@testable import LanyardCommand

@Suite("the servers that --server means")
struct HostFilterTests {
    private func matches(_ filter: String, _ server: String, port: UInt16? = nil) throws -> Bool {
        var attributes = ItemAttributes()
        attributes.server = ByteString(server)
        attributes.port = port
        return try HostFilter(filter).matches(attributes)
    }

    @Test(
        "a host, and those below it, in any letter case",
        arguments: [
            ("example.com", "example.com", true), ("Example.COM", "eXample.com", true),
            ("example.com", "git.example.com", true), ("example.com", "a.b.example.com", true),
            ("example.com", "notexample.com", false), ("example.com", "example.com.evil", false),
            ("git.example.com", "example.com", false), ("com", "example.com", true),
            ("example.com", ".example.com", true), ("::1", "[::1]", true), ("[::1]", "[::1]", true),
            ("::1", "[::2]", false), ("example.com", "", false),
        ])
    func hosts(filter: String, server: String, isMeant: Bool) throws {
        #expect(try matches(filter, server) == isMeant)
        #expect(try matches(filter, server, port: 8443) == isMeant)
    }

    @Test(
        "ports must be equal",
        arguments: [
            ("localhost:5000", 5000, true), ("localhost:5000", 5001, false),
            ("localhost:5000", nil, false),
        ] as [(String, UInt16?, Bool)])
    func ports(filter: String, port: UInt16?, isMeant: Bool) throws {
        #expect(try matches(filter, "localhost", port: port) == isMeant)
        #expect(try matches("[::1]:5000", "[::1]", port: port) == isMeant)
    }

    @Test("items without a server don't match")
    func noServer() throws {
        #expect(try !HostFilter("example.com").matches(ItemAttributes()))
    }

    @Test(
        "invalid hosts",
        arguments: [
            "", "https://example.com", "example.com/path", "example.com:", "example.com:0",
            "example.com:65536", "example.com:x", "example.com:080", ":80", "[::1", "[::1]x",
        ])
    func wrong(text: String) throws {
        #expect(throws: KeychainError(.param)) { try HostFilter(text) }
    }
}
