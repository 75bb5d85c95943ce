import Foundation
import Testing
@testable import EndToEndRig

/// A secret that takes the passphrase at each use is in no program's memory and in no key of the kernel
/// while the keychain is unlocked, unless the user has entered the passphrase for it.
@Suite(
    "Access control", .needs(.unsanitized, .root, .python, .debuggerStops, .keyrings),
    .timeLimit(.minutes(10)))
struct AccessControlTests {
    let home: ScratchHome
    private static let secret = "marked-secret-quokka-0123456789abcdef"

    init() throws {
        home = try ScratchHome()
    }

    private func lanyard(
        _ arguments: String..., input: String = "", given: String? = nil
    ) async throws -> Outcome {
        try await home.command(
            "lanyard", arguments, input: Array(input.utf8),
            variables: given.map { ["LANYARD_PASSPHRASE_FILE": $0] } ?? [:]
        ).run()
    }

    @Test func theSecretIsNowhereWithoutThePassphrase() async throws {
        let passphrase = try home.write("the passphrase\n", to: "given-passphrase")
        try await home.forgettingKeys {
            for arguments in [
                ["passphrase", "set", "--new-passphrase-file", passphrase],
                ["unlock", "--timeout", "10m"],
            ] {
                let outcome = try await home.command(
                    "lanyard", arguments, variables: ["LANYARD_PASSPHRASE_FILE": passphrase]
                ).run()
                #expect(outcome.status == 0, "\(outcome)")
            }
            let stored = try await lanyard(
                "set", "--ask", "--stdin", "publish", "ada", input: Self.secret, given: passphrase)
            #expect(stored.status == 0, "\(stored)")
            let other = try await lanyard("set", "--stdin", "other", input: "another secret")
            #expect(other.status == 0, "\(other)")

            // Programs that read all they can of the unlocked keychain.
            let scan = MemoryScan(words: ["secret": MemoryScan.forms(Self.secret)])
            for (arguments, status) in [
                (["get", "other"], 0), (["list", "--json"], 0), (["verify"], 0),
                (["get", "publish"], 36), (["exec", "--env", "TOKEN=publish", "--", "true"], 36),
            ] as [([String], Int32)] {
                let moments = try await scan.moments(of: ["lanyard"] + arguments, in: home) {
                    [home] arguments in
                    let outcome = try await home.command(
                        arguments[0], Array(arguments.dropFirst())
                    ).run()
                    #expect(outcome.status == status, "\(arguments): \(outcome)")
                    #expect(!outcome.outputText.contains("quokka"), "\(arguments)")
                }
                #expect(moments.filter(\.isEnd).count == 1, "\(arguments)")
                let copies = moments.filter { !$0.copies.isEmpty }
                #expect(copies.isEmpty, "\(arguments): \(copies)")
            }
            try await expectNotInKeyring()

            let answered = try await lanyard("get", "publish", given: passphrase)
            #expect(answered.status == 0 && answered.outputText == "\(Self.secret)\n")
            // And after that it takes the passphrase again.
            let again = try await lanyard("get", "publish")
            #expect(again.status == 36, "\(again)")
            #expect(
                again.errorText.contains("takes the passphrase at each use"), "\(again.errorText)")
        }
    }

    /// Of several accounts only the one that is meant is asked for, given and logged.
    @Test(arguments: ["stripe", "https://example.com/path"])
    func anotherAccountThatAsksIsNotAskedFor(name: String) async throws {
        let passphrase = try home.write("the passphrase\n", to: "given-passphrase")
        try await home.forgettingKeys {
            try await home.succeeds(
                "lanyard", "passphrase", "set", "--new-passphrase-file", passphrase)
            _ = try await lanyard("unlock", "--timeout", "10m", given: passphrase)
            try await home.succeeds("lanyard", "config", "set", "lanyard.log", "true")
            try await home.set(name, "ada", secret: "ada's")
            _ = try await lanyard(
                "set", "--ask", "--stdin", name, "bob", input: "b", given: passphrase)
            try await home.succeeds("lanyard", "edit", name, "ada", "--default")
            for given in [nil, passphrase] {
                let get = try await lanyard("get", name, given: given)
                expectAnswer(get, "ada's\n")
            }
            let log = try await home.json("log", "--json")
            let accounts = log.elements.filter { $0.members["use"] == "read" }
                .compactMap { $0.members["account"] }
            #expect(accounts.contains("ada") && !accounts.contains("bob"), "\(log)")
            let bob = try await lanyard("get", name, "bob")
            #expect(bob.status == 36, "\(bob)")
        }
    }

    private func expectNotInKeyring() async throws {
        // String(contentsOfFile:) takes the first page of such a file for all of it.
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/keys"))
        let keys = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        var own = 0
        for line in keys.split(separator: "\n") where line.contains("lanyard:") {
            let number = line.prefix { $0 != " " }
            let read = try await home.command("keyctl", ["pipe", "0x\(number)"]).run()
            own += read.status == 0 ? 1 : 0
            let content = Data(read.output)
            for form in MemoryScan.forms(Self.secret) {
                #expect(content.range(of: form) == nil)
            }
        }
        #expect(own > 0, "the keychain is not unlocked, so the search proves nothing")
    }
}
