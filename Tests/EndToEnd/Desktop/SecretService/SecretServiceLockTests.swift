#if SecretService
import Foundation
import Testing
@testable import EndToEndRig

/// Locks, prompts and signals of `lanyard-secret-service`.
@Suite(.timeLimit(.minutes(5)), .needs(.dbus, .python, .keyrings))
struct SecretServiceLockTests {
    let session: DesktopSession

    init() throws {
        session = try DesktopSession(nil)
    }

    /// Runs a case of the client beside a keychain with a passphrase and one item, which is locked.
    private func client(
        _ arguments: String..., variables: [String: String?] = [:]
    ) async throws -> String {
        let home = session.home
        try await session.expect("lanyard", "set", "S", "A", "--stdin", input: "geheim")
        try await home.setPassphrase()
        try await home.forgetKeys()
        var errors = ""
        try await home.forgettingKeys {
            errors = try await session.withOwnService(
                variables: variables,
                during: { [session] _ in
                    try await session.client("watching", arguments, variables: variables)
                })
        }
        return errors
    }

    @Test func changesHaveSignals() async throws {
        let errors = try await session.withOwnService(during: { [session] _ in
            try await session.client("watching", ["signals"])
        })
        #expect(errors == "")
    }

    @Test func noCallWaitsForOneBeforeIt() async throws {
        try await session.withOwnService { [session] in
            try await session.client("watching", ["held"])
        }
    }

    /// Such a keychain stays open over calls.
    @Test func noCallWaitsForOneBeforeItWithAGivenPassphrase() async throws {
        let file = "\(session.home.path)/passphrase"
        #expect(try await client("held", variables: ["LANYARD_PASSPHRASE_FILE": file]) == "")
    }

    @Test func promptsThatCanNotBeShownAreDismissed() async throws {
        #expect(try await client("unasked") == "")
    }

    @Test func passphraseIsAskedFor() async throws {
        let askpass = try AskpassProgram(
            session.home, answers: ["the passphrase", "the passphrase", "yes"])
        #expect(try await client("asked", variables: ["LANYARD_ASKPASS": askpass.path]) == "")
        let questions = try askpass.questions()
        try #require(questions.count == 3)
        #expect(questions[2].hasSuffix("create the keychain 'work'?"))
    }

    @Test func questionsEndWithTheirClient() async throws {
        let time = "300.\(Int.random(in: 1_000_000..<10_000_000))"
        let askpass = try AskpassProgram(
            session.home, answers: [nil], before: "exec sleep \(time)")
        let errors = try await client(
            "withdrawn", time, variables: ["LANYARD_ASKPASS": askpass.path])
        for line in errors.split(separator: "\n") {
            #expect(line.hasPrefix("lanyard: error: cancelled"))
        }
    }

    @Test func givenPassphraseOpensIt() async throws {
        let file = "\(session.home.path)/passphrase"
        #expect(try await client("given", variables: ["LANYARD_PASSPHRASE_FILE": file]) == "")
    }
}
#endif
