import Foundation
import Testing
@testable import EndToEndRig

/// `lanyard generate`.
@Suite(.timeLimit(.minutes(5)))
struct GenerateEndToEndTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    @Test func storesAndPrintsNothing() async throws {
        let outcome = try await home.lanyard("generate", "https://example.com", "ada")
        #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome)")
        #expect(
            outcome.errorText
                == "lanyard: stored a password of 24 characters for 'https://example.com'\n")
        let stored = try await home.lanyard("get", "https://example.com", "ada")
        #expect(stored.outputText.wholeMatch(of: /[A-Za-z0-9]{24}\n/) != nil)
    }

    @Test func printsWhatItStores() async throws {
        let outcome = try await home.lanyard(
            "generate", "x", "--print", "--length", "40", "--symbols", "--label", "a label",
            "--group", "other", "--yes", "--accessible", "ck")
        #expect(outcome.status == 0 && outcome.errorText == "", "\(outcome)")
        #expect(outcome.outputText.utf8.count == 41)
        #expect(outcome.outputText.contains { "!#$%&()*+,-./:;<=>?@[]^_{|}~".contains($0) })
        expectAnswer(try await home.lanyard("get", "x"), outcome.outputText)
        let item = try #require(try await home.json("list", "--json").elements.first)
        #expect(item.members["label"] == "a label" && item.members["group"] == "other")
        #expect(item.members["accessible"] == "ck")
    }

    @Test func replacesOnlyWhenTold() async throws {
        try await home.set("x", secret: "of before")
        let refused = try await home.lanyard("generate", "x")
        #expect(refused.status == 45 && refused.output.isEmpty, "\(refused)")
        #expect(
            refused.errorText == """
                lanyard: error: the item 'x' already exists
                lanyard: hint: --replace gives it a new secret

                """)
        expectAnswer(try await home.lanyard("get", "x"), "of before\n")
        let replaced = try await home.lanyard(
            "generate", "x", "--replace", "--print", "--characters", "digits", "--length", "4")
        #expect(replaced.outputText.wholeMatch(of: /[0-9]{4}\n/) != nil, "\(replaced)")
        expectAnswer(try await home.lanyard("get", "x"), replaced.outputText)
    }

    @Test(
        arguments: [
            (["--length", "3"], 64), (["--length", "1025"], 64), (["--length", "x"], 64),
            (["--characters", "words"], 64), (["--characters", ""], 64), (["--group", ""], 64),
            (["--accessible", "zz"], 64), (["--port", "1"], 64),
        ] as [([String], Int32)])
    func refused(options: [String], status: Int32) async throws {
        let outcome = try await home.command("lanyard", ["generate", "x"] + options).run()
        #expect(outcome.status == status, "\(outcome)")
        #expect(outcome.errorText.hasPrefix("lanyard: error: "), "\(outcome)")
        let list = try await home.lanyard("list")
        #expect(list.output.isEmpty, "\(list)")
    }

    @Test func lockedKeychain() async throws {
        try await home.set("y", secret: "y")
        try await home.setPassphrase()
        expectLocked(try await home.lanyard("generate", "x"))
    }
}
