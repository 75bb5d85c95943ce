import KeychainServices
import Testing
import ToolProfiles

@testable import LanyardCommand

@Suite struct SecretLookupTests {
    @Test func looksUpEachNameOnce() throws {
        let keychain = Keychain(
            InMemoryStore { Timestamp(secondsSinceEpoch: 0) }, accessGroups: .all())
        func add(_ service: ByteString, _ account: ByteString, _ secret: String) throws {
            var attributes = ItemAttributes()
            attributes.service = service
            attributes.account = account
            try keychain.add(.genericPassword, attributes, secret: Secret(secret))
        }
        func value(_ lookup: SecretLookup) throws -> String {
            let template = try SecretTemplate(FileBytes("{{lanyard:a/b}}"))
            return try lookup.value(of: template).withBytes { ByteString(copying: $0).description }
        }
        try add("a", "b", "1")
        let lookup = SecretLookup(in: keychain, group: nil)
        #expect(try value(lookup) == "1")
        // The exact name comes first.
        try add("a/b", "", "2")
        #expect(try value(lookup) == "1")
        #expect(try value(SecretLookup(in: keychain, group: nil)) == "2")
    }
}
