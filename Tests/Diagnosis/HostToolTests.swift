import KeychainServices
import Testing

@testable import Diagnosis

@Suite("which tool a host and a group are for")
struct HostToolTests {
    @Test(
        arguments: [
            ("github.com", .git), ("GitHub.com", .git), ("git.example.com", .git),
            ("gitlab.example.org", .git), ("team.visualstudio.com", .git),
            ("docker.io", .docker), ("index.docker.io", .docker), ("ghcr.io", .docker),
            ("eu.gcr.io", .docker), ("registry.gitlab.com", .docker),
            ("registry.example.com:5000", .docker), ("example.com", nil), ("github.com.evil", .git),
            ("notgithub.com", nil), ("gist", nil), ("git", nil), ("docker", nil), ("", nil),
        ] as [(ByteString, HostTool?)])
    func hosts(host: ByteString, tool: HostTool?) {
        #expect(HostTool(host: host) == tool)
    }

    @Test(
        arguments: [
            ("gti", .git), ("Git", .git), ("GIT", .git), ("gitt", .git), ("gt", .git),
            ("got", .git), ("dcoker", .docker), ("Docker", .docker), ("dockr", .docker),
            ("git", nil), ("docker", nil), ("login", nil), ("github", nil), ("work", nil),
            ("tig", nil), ("", nil), ("dokcre", nil),
        ] as [(ByteString, HostTool?)])
    func groups(group: ByteString, tool: HostTool?) {
        #expect(HostTool(misspeltGroup: group) == tool)
    }
}
