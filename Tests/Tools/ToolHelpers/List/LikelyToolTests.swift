import KeychainServices
import Testing

@testable import ToolCatalog
@testable import ToolHelpers

@Suite("the tool for a host and for a group")
struct LikelyToolTests {
    @Test(
        arguments: [
            ("github.com", "git"), ("GitHub.com", "git"), ("git.example.com", "git"),
            ("gitlab.example.org", "git"), ("team.visualstudio.com", "git"),
            ("docker.io", "docker"), ("index.docker.io", "docker"), ("ghcr.io", "docker"),
            ("eu.gcr.io", "docker"), ("registry.gitlab.com", "docker"),
            ("registry.example.com:5000", "docker"), ("example.com", nil),
            ("github.com.evil", "git"),
            ("notgithub.com", nil), ("gist", nil), ("git", nil), ("docker", nil), ("", nil),
        ] as [(ByteString, String?)])
    func hosts(host: ByteString, tool: String?) {
        #expect(ToolFormat(host: host)?.name == tool)
    }

    @Test(
        arguments: [
            ("gti", "git"), ("Git", "git"), ("GIT", "git"), ("gitt", "git"), ("gt", "git"),
            ("got", "git"), ("dcoker", "docker"), ("Docker", "docker"), ("dockr", "docker"),
            ("git", nil), ("docker", nil), ("login", nil), ("github", nil), ("work", nil),
            ("tig", nil), ("", nil), ("dokcre", nil),
        ] as [(ByteString, String?)])
    func groups(group: ByteString, tool: String?) {
        #expect(ToolFormat(misspeltGroup: group)?.name == tool)
    }
}
