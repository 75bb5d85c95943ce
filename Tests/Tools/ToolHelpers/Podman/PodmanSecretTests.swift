import KeychainServices
import StoreConformance
import Testing

@testable import ToolHelpers

@Suite("podman's secret driver")
struct PodmanSecretTests {
    private let keychain = Keychain(inMemoryFor: .podman)

    private func run(_ operation: String, _ id: String? = nil, _ input: String = "") throws
        -> String
    {
        let session = ScriptedSession("podman-secret-lanyard", [operation], in: keychain)
        session.input = Array(input.utf8)
        session.variables["SECRET_ID"] = id
        try ToolHelper.podman.run(session)
        #expect(operation == "store" || session.input.count == input.utf8.count)
        return session.output
    }

    @Test("store, list, lookup, replace and delete")
    func all() throws {
        #expect(try run("list") == "")
        #expect(try run("store", "a1", "one\n\0two") == "")
        #expect(try run("store", "b2", "") == "")
        #expect(try run("list").split(separator: "\n").sorted() == ["a1", "b2"])
        #expect(try run("lookup", "a1") == "one\n\0two")
        #expect(try run("lookup", "b2") == "")
        _ = try run("store", "a1", "new")
        #expect(try run("lookup", "a1") == "new")
        #expect(try run("delete", "a1") == "")
        #expect(try run("list") == "b2\n")
    }

    @Test("a secret of `lanyard set` is looked up")
    func ownItems() throws {
        var name = ItemAttributes()
        name.service = "a1"
        _ = try keychain.add(
            .genericPassword, try ToolFormat.podman.attributes(name), secret: Secret("one"))
        #expect(try run("lookup", "a1") == "one")
        _ = try run("store", "a1", "two")
        #expect(try run("list") == "a1\n")
    }

    @Test("a missing secret", arguments: ["lookup", "delete"])
    func missing(operation: String) {
        #expect(throws: KeychainError(.itemNotFound)) { try run(operation, "a1") }
    }

    @Test("an invalid ID", arguments: ["lookup", "store", "delete"])
    func invalid(operation: String) {
        for id in [nil, "", "a b", "a\nb"] as [String?] {
            #expect(throws: KeychainError(.param)) { try run(operation, id, "x") }
        }
    }

    @Test("an unknown operation")
    func unknown() {
        let error = #expect(throws: KeychainError.self) { try run("get", "a1") }
        #expect(error?.hint == "podman-secret-lanyard --help")
    }
}
