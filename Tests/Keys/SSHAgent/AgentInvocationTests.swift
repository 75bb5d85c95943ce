import KeychainServices
import Testing

@testable import SSHAgent

@Suite struct AgentInvocationTests {
    @Test(arguments: [
        ([], AgentInvocation.serve(socket: nil, keychain: nil)),
        (["--socket", "/s"], .serve(socket: "/s", keychain: nil)),
        (["--socket=/s=1", "--keychain=work"], .serve(socket: "/s=1", keychain: "work")),
        (["--keychain", "work"], .serve(socket: nil, keychain: "work")),
        (["--work"], .work(keychain: nil)),
        (["--work", "--keychain", "work"], .work(keychain: "work")),
        (["-h"], .help), (["--socket", "/s", "--help"], .help), (["--version"], .version),
        (["-v"], .version),
    ])
    func argumentsAreParsed(_ arguments: [String], _ expected: AgentInvocation) throws {
        #expect(try AgentInvocation(arguments) == expected)
    }

    @Test(arguments: [
        ["--socket"], ["--socket="], ["--keychain"], ["x"], ["--other"], ["-D"],
        ["--work", "--socket", "/s"], ["--keychain", "work", "--work"], [""],
    ])
    func otherArgumentsAreRefused(_ arguments: [String]) {
        #expect(throws: KeychainError(.param)) { try AgentInvocation(arguments) }
    }
}
