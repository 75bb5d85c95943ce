import KeychainServices
import TestSupport
import Testing

@testable import ToolCatalog

@Suite("references")
struct SecretReferenceTests {
    @Test(
        arguments: [
            ("lanyard:stripe", "stripe", nil, false),
            ("lanyard:stripe/live", "stripe", "live", false),
            ("lanyard:a b/c@d.example", "a b", "c@d.example", false),
            ("lanyard:a%2Fb/c%2Fd", "a/b", "c/d", false), ("lanyard:a%23b", "a#b", nil, false),
            ("lanyard:datadog#app-key", "datadog/app-key", nil, false),
            ("lanyard:datadog/work#app-key", "datadog/app-key", "work", false),
            ("lanyard:aws#account", "aws", nil, true), ("lanyard:aws#secret", "aws", nil, false),
            ("lanyard:aws/AKIA#account", "aws", "AKIA", true),
            ("lanyard:https://ada@example.com/x", "https://ada@example.com/x", nil, false),
            ("lanyard:https://example.com#account", "https://example.com", nil, true),
        ] as [(String, String, String?, Bool)])
    func valid(text: String, name: String, account: String?, isAccount: Bool) throws {
        let reference = try SecretReference(text)
        #expect(reference.name == name && reference.account == account)
        #expect(reference.isAccount == isAccount)
    }

    @Test func aReferenceMayNameAnItemWithASlash() throws {
        #expect(try SecretReference("lanyard:stripe/live").exactName == "stripe/live")
        #expect(try SecretReference("lanyard:a%2Fb/c#account").exactName == "a/b/c")
        for text in ["lanyard:stripe", "lanyard:stripe/live#key", "lanyard:https://a.example/b"] {
            #expect(try SecretReference(text).exactName == nil)
        }
    }

    @Test(arguments: [
        "", "stripe", "lanyard", "lanyard:", "lanyard:/live", "lanyard:stripe/", "lanyard:a/b/c",
        "lanyard:stripe#", "lanyard:stripe#a b", "lanyard:stripe#a#b", "lanyard:a%2",
        "lanyard:a%zz",
        "lanyard:a%00", "lanyard:a%ff", "lanyard:a\nb", "LANYARD:stripe",
        "lanyard:a/b/\u{301}c", "lanyard:a%00\u{301}", "lanyard:a/\u{301}b",
    ])
    func invalid(text: String) {
        #expect(throws: KeychainError(.param)) { try SecretReference(text) }
    }

    /// Any name and account reads back, however much of it is percent-encoded.
    @Test func randomReferences() throws {
        var random = SeededRandom()
        func text(_ random: inout SeededRandom) -> String {
            (0...random.number(below: 6)).map { _ in
                random.element(of: ["a", "b c", "/", "#", "%", "é", ":", "@", "{{", "account"])
            }.joined()
        }
        func encoded(_ text: String, _ random: inout SeededRandom) -> String {
            text.utf8.map { byte in
                let isSpecial = "/#%".utf8.contains(byte) || byte >= 0x80
                return isSpecial || random.chance(30)
                    ? "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
                    : String(UnicodeScalar(byte))
            }.joined()
        }
        for _ in 0..<1_000 {
            let name = text(&random)
            let account = random.chance(50) ? text(&random) : nil
            let isAccount = random.chance(30)
            let written =
                "lanyard:" + encoded(name, &random)
                + (account.map { "/" + encoded($0, &random) } ?? "")
                + (isAccount ? "#account" : "")
            let reference = try SecretReference(written)
            #expect(reference.name == name && reference.account == account, "\(written)")
            #expect(reference.isAccount == isAccount, "\(written)")
        }
    }
}
