import KeychainServices
import Testing

@testable import Keychains

@Suite("a program's own access groups")
struct ProgramAccessGroupTests {
    @Test(
        "are named after its executable's file",
        arguments: [
            ("/usr/bin/my-program", "my-program"), ("/a b/c d", "c d"), ("name", "name"),
            ("/usr/bin/my-program (deleted)", "my-program"), ("/", nil), ("", nil),
            (" (deleted)", nil),
        ] as [(String, String?)])
    func name(_ path: String, _ name: String?) {
        #expect(AccessGroups.programName(of: path) == name)
    }

    @Test("come from the running program, which can't set them afterwards")
    func running() throws {
        let groups = try AccessGroups.ofThisProgram()
        #expect(!groups.first.isEmpty)
        #expect(groups.others.isEmpty)
        #expect(!groups.isAll)
        #expect(throws: KeychainError(.param)) {
            try AccessGroups.setForThisProgram(AccessGroups("other"))
        }
        #expect(try AccessGroups.ofThisProgram() == groups)
    }

    private func groups(
        _ program: inout ProgramAccessGroups, variable: String?, name: String?
    ) throws -> AccessGroups {
        try program.use(
            variable: { () throws(KeychainError) in variable }, name: { name })
    }

    @Test(
        "are those of the variable, the first one first",
        arguments: [
            ("one", AccessGroups("one")), ("one:two", AccessGroups("one", others: ["two"])),
            ("b:a c:d", AccessGroups("b", others: ["a c", "d"])),
        ])
    func variable(_ value: String, _ wanted: AccessGroups) throws {
        var program = ProgramAccessGroups()
        #expect(try groups(&program, variable: value, name: "name") == wanted)
    }

    @Test("have names", arguments: [":", "one:", ":one", "one::two"])
    func emptyNames(_ value: String) {
        var program = ProgramAccessGroups()
        #expect(throws: KeychainError(.param)) {
            try groups(&program, variable: value, name: "name")
        }
    }

    @Test("are those that the program sets, whatever the variable says")
    func set() throws {
        var program = ProgramAccessGroups()
        let own = AccessGroups("own", others: ["shared"])
        try program.set(own)
        #expect(throws: KeychainError(.param)) { try program.set(own) }
        #expect(try groups(&program, variable: "other", name: "name") == own)
    }

    @Test("are missing without a name")
    func nameless() {
        var program = ProgramAccessGroups()
        #expect(throws: KeychainError(.missingEntitlement)) {
            try groups(&program, variable: nil, name: nil)
        }
    }
}
