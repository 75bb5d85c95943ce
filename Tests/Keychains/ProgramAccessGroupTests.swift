import KeychainServices
import Testing

@testable import Keychains

@Suite("a program's own access group")
struct ProgramAccessGroupTests {
    @Test(
        "is named after its executable's file",
        arguments: [
            ("/usr/bin/my-program", "my-program"), ("/a b/c d", "c d"), ("name", "name"),
            ("/usr/bin/my-program (deleted)", "my-program"), ("/", nil), ("", nil),
            (" (deleted)", nil),
        ] as [(String, String?)])
    func name(_ path: String, _ name: String?) {
        #expect(AccessGroups.programName(of: path) == name)
    }

    @Test("comes from the running program")
    func running() throws {
        let groups = try AccessGroups.ofThisProgram()
        #expect(!groups.first.isEmpty)
        #expect(groups.others.isEmpty)
        #expect(!groups.isAll)
    }
}
