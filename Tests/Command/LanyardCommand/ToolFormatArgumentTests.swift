import DockerCredential
import GitCredential
import KeychainServices
import Testing
import ToolHelpers

@testable import LanyardCommand

@Suite("a login set by hand has the form that the tool's helper expects")
struct ToolFormatArgumentTests {
    private let keychain = Keychain(
        InMemoryStore { Timestamp(secondsSinceEpoch: 0) }, accessGroups: .all())

    private func set(
        _ tool: ToolFormat, _ what: String, _ account: String?
    ) throws(KeychainError) {
        let item = try tool.item(what, account: account)
        try keychain.add(item.itemClass, item.attributes, secret: Secret("pw"))
    }

    @Test(
        arguments: [
            ("https://example.com", "example.com", nil), ("example.com", "example.com", nil),
            ("https://ada@EXAMPLE.com/", "example.com", nil),
            ("https://EXAMPLE.com", "EXAMPLE.com", nil),
            ("https://example.com:8443", "example.com:8443", nil),
            ("https://example.com/team/r.git", "example.com", "team/r.git"),
            ("https://example.com/team/r.git", "example.com", nil),
            ("https://[::1]:8443", "[::1]:8443", nil),
        ] as [(String, String, String?)])
    func git(what: String, host: String, path: String?) throws {
        try set(.git, what, "ada")
        let helper = GitCredentialHelper(
            keychain: keychain, now: Timestamp(secondsSinceEpoch: 0), stateDigest: { _ in nil })
        let request = "protocol=https\nhost=\(host)\n" + (path.map { "path=\($0)\n" } ?? "")
        let answer = try helper.get(GitCredentialRequest(parsing: Secret(request)))
        let text = answer.withBytes {
            String(decoding: ByteString(copying: $0).bytes, as: UTF8.self)
        }
        #expect(text == "username=ada\npassword=pw\n")
        // git's own store is of the same item.
        try helper.store(
            GitCredentialRequest(
                parsing: Secret(
                    "protocol=https\nhost=\(host)\nusername=ada\npassword=new\n"
                        + (what.contains("team") ? "path=team/r.git\n" : ""))))
        #expect(try count() == 1)
    }

    @Test(
        arguments: [
            ("registry.example.com", "registry.example.com"),
            ("https://registry.example.com/", "registry.example.com"),
            ("http://localhost:5000", "localhost:5000"), ("localhost:5000", "localhost:5000"),
            ("ada@Registry.example.com", "registry.example.com"),
            ("quay.io/team", "quay.io/team"), ("docker.io", "https://index.docker.io/v1/"),
            ("https://index.docker.io", "https://index.docker.io/v1/"),
            ("https://index.docker.io/v1/", "https://index.docker.io/v1/"),
        ])
    func docker(what: String, stored: String) throws {
        try set(.docker, what, "ada")
        let helper = DockerCredentialHelper(keychain: keychain) { _ in }
        let answer = try helper.get(Secret(stored))
        let text = answer.withBytes {
            String(decoding: ByteString(copying: $0).bytes, as: UTF8.self)
        }
        #expect(text == #"{"ServerURL":"\#(stored)","Username":"ada","Secret":"pw"}"# + "\n")
        try helper.store(
            Secret(#"{"ServerURL":"\#(stored)","Username":"ada","Secret":"new"}"#))
        #expect(try count() == 1)
    }

    /// A certificate's file for git, and a socket for vault.
    @Test(
        arguments: [
            ("git", "cert:///home/ada/k.pem", "", "/home/ada/k.pem"),
            ("vault", "unix:///run/vault.sock", "localhost", "run/vault.sock"),
        ] as [(String, String, ByteString, ByteString)])
    func addressWithoutHost(
        tool: String, what: String, server: ByteString, path: ByteString
    ) throws {
        let item = try #require(try ToolFormat(name: tool)?.item(what, account: nil))
        #expect(item.attributes.server ?? "" == server)
        #expect(item.attributes.path == path)
    }

    @Test(
        arguments: [
            ("git", "my wi-fi", "ada"), ("git", "", "ada"), ("git", "https://", "ada"),
            ("git", "https://a:b@example.com", nil), ("git", "example.com:x", "ada"),
            ("docker", "registry.example.com", nil), ("docker", "registry.example.com", ""),
            ("docker", "my wi-fi", "ada"), ("docker", "cert:///home/ada/k.pem", "ada"),
            ("git", "unix:///run/vault.sock", "ada"), ("git", "https://example.com", "a\nb"),
            ("git", "https://example.com/%0Ahost=evil", "a"),
        ] as [(String, String, String?)])
    func refused(tool: String, what: String, account: String?) {
        #expect(throws: KeychainError(.param)) {
            try ToolFormat(name: tool)?.item(what, account: account)
        }
    }

    private func count() throws -> Int {
        var query = Query(.internetPassword, returns: .reference)
        query.match.limit = .all
        var count = 0
        try keychain.forEachMatch(query) { _ in
            count += 1
            return .next
        }
        return count
    }
}
