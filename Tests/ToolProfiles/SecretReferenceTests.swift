import KeychainServices
import Testing

@testable import ToolProfiles

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

    @Test(arguments: [
        "", "stripe", "lanyard", "lanyard:", "lanyard:/live", "lanyard:stripe/", "lanyard:a/b/c",
        "lanyard:stripe#", "lanyard:stripe#a b", "lanyard:stripe#a#b", "lanyard:a%2",
        "lanyard:a%zz",
        "lanyard:a%00", "lanyard:a%ff", "lanyard:a\nb", "LANYARD:stripe",
    ])
    func invalid(text: String) {
        #expect(throws: KeychainError(.param)) { try SecretReference(text) }
    }
}
