import KeychainServices
import Testing

@testable import LanyardCommand

@Suite("Secret grants") struct SecretGrantsTests {
    private func grants(
        _ variables: [String] = [], files: [String] = [], netrcs: [String] = [],
        identities: [String] = [], privateKeys: [String] = [], accounts: [String] = []
    ) throws -> [String] {
        try SecretGrants(
            [
                ("--env", .variable, variables), ("--file", .file, files),
                ("--netrc", .netrc, netrcs), ("--identity", .identity, identities),
                ("--private-key", .privateKey, privateKeys),
            ], accounts: accounts
        ).grants.map { grant in
            let items = grant.items.map { item in
                "\(item.what)/\(item.name.attributes.account?.description ?? "-")"
            }
            let meant = grant.form.isOfCertificate ? [grant.certificate] : items
            return "\(grant.name) \(grant.form) \(meant.joined(separator: " "))"
        }
    }

    @Test func whatIsGiven() throws {
        #expect(
            try grants(
                ["A=backup", "B_2=https://ada@example.com/a=b"], files: ["_c=x=y"],
                netrcs: ["N=https://one.example", "N=https://two.example"],
                accounts: ["A=bob", "_c="])
                == [
                    "A variable backup/bob", "B_2 variable https://ada@example.com/a=b/ada",
                    "_c file x=y/", "N netrc https://one.example/- https://two.example/-",
                ])
        #expect(try grants() == [])
    }

    @Test(arguments: [
        ["A"], ["=x"], ["1A=x"], ["A B=x"], ["Ä=x"], ["A="], ["A=x", "A=y"], ["A-B=x"],
        ["A=https://a:b@example.com"],
    ])
    func whatIsRefused(variables: [String]) {
        #expect(throws: KeychainError(.param)) { try grants(variables) }
    }

    @Test func namesAreGivenOnce() {
        #expect(throws: KeychainError(.param)) { try grants(["A=x"], files: ["A=x"]) }
        #expect(throws: KeychainError(.param)) {
            try grants(["A=x"], netrcs: ["A=https://example.com"])
        }
        #expect(throws: KeychainError(.param)) {
            try grants(["A=x"], accounts: ["A=a", "A=b"])
        }
        #expect(throws: KeychainError(.param)) { try grants(["A=x"], accounts: ["B=a"]) }
    }

    @Test func certificatesHaveNamesOfTheirOwn() throws {
        #expect(
            try grants(identities: ["I=ada@example.com"], privateKeys: ["K=https://x"])
                == ["I identity ada@example.com", "K privateKey https://x"])
        for (identities, accounts) in [(["I=a", "I=b"], []), (["I=a"], ["I=x"])] {
            #expect(throws: KeychainError(.param)) {
                try grants(identities: identities, accounts: accounts)
            }
        }
        #expect(throws: KeychainError(.param)) { try grants(["A=x"], identities: ["A=x"]) }
    }

    @Test func netrcTakesServers() {
        #expect(throws: KeychainError(.param)) { try grants(netrcs: ["N=backup"]) }
    }
}
