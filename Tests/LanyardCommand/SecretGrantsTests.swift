import KeychainServices
import Testing

@testable import LanyardCommand

@Suite("Secret grants") struct SecretGrantsTests {
    private func grants(
        _ variables: [String] = [], files: [String] = [], netrcs: [String] = [],
        accounts: [String] = []
    ) throws -> [String] {
        try SecretGrants(variables: variables, files: files, netrcs: netrcs, accounts: accounts)
            .grants.map { grant in
                let items = grant.items.map { item in
                    "\(item.what)/\(item.name.attributes.account?.description ?? "-")"
                }
                return "\(grant.name) \(grant.form) \(items.joined(separator: " "))"
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

    @Test func netrcTakesServers() {
        #expect(throws: KeychainError(.param)) { try grants(netrcs: ["N=backup"]) }
    }
}
