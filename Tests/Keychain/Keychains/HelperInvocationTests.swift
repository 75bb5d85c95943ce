import KeychainServices
import Testing

@testable import Keychains

@Suite("the call of a protocol helper")
struct HelperInvocationTests {
    @Test(
        "an operation, perhaps after options",
        arguments: [
            (["get"], "get", nil),
            (["--keychain", "work", "get"], "get", "work"),
            (["--keychain=work", "store"], "store", "work"),
            (["--keychain", "a", "--keychain", "b", "erase"], "erase", "b"),
            (["anything"], "anything", nil),
        ] as [([String], String, String?)])
    func operations(arguments: [String], operation: String, keychain: String?) throws {
        guard case .run(let invocation) = try HelperInvocation.parse(arguments, name: "helper")
        else {
            Issue.record("not an operation")
            return
        }
        #expect(invocation.operation == operation)
        #expect(invocation.keychainFlag == keychain)
    }

    @Test("help and version", arguments: ["--help", "-h", "--version", "-v"])
    func information(option: String) throws {
        switch try HelperInvocation.parse(["--keychain", "x", option, "get"], name: "helper") {
        case .help: #expect(["--help", "-h"].contains(option))
        case .version: #expect(["--version", "-v"].contains(option))
        case .run: Issue.record("it would run")
        }
    }

    @Test("other options remain")
    func otherOptions() throws {
        let arguments = ["--keychain=work", "get", "--mode=creds", "--help"]
        guard case .run(let invocation) = try HelperInvocation.parse(arguments, name: "helper")
        else {
            Issue.record("it would not run")
            return
        }
        #expect(invocation.arguments == ["get", "--mode=creds", "--help"])
    }

    @Test(
        "wrong calls are refused with the way to the help",
        arguments: [
            ([], "missing operation"), (["--keychain", "x"], "missing operation"),
            (["--keychain"], "--keychain needs the name of a keychain"),
            (["--nonsense", "get"], "unknown option '--nonsense'"),
            (["get", "x"], "more than one operation"),
        ] as [([String], String)])
    func wrongCalls(arguments: [String], reason: String) {
        let error = #expect(throws: KeychainError.self) {
            if case .run(let invocation) = try HelperInvocation.parse(arguments, name: "helper") {
                try invocation.checkOperation(name: "helper")
            }
        }
        #expect(error?.status == .param)
        #expect(error?.reason == reason)
        #expect(error?.hint == "helper --help")
    }
}
