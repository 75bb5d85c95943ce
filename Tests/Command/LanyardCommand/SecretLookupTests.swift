import KeychainServices
import Testing
import ToolCatalog

@testable import LanyardCommand

@Suite struct SecretLookupTests {
    /// A part belongs to the default account of its item.
    @Test func partsOfTheDefault() throws {
        let keychain = Keychain(
            InMemoryStore { Timestamp(secondsSinceEpoch: 0) }, accessGroups: .all(addingTo: "login")
        )
        for (service, account) in [
            ("a", "x"), ("a", "y"), ("a/b", "x"), ("a/b", "y"), ("c/b", "x"),
        ] {
            var attributes = ItemAttributes()
            attributes.service = ByteString(service)
            attributes.account = ByteString(account)
            if service == "a", account == "y" {
                attributes.type = ItemAttributes.defaultType
            }
            try keychain.add(
                .genericPassword, attributes, secret: Secret("\(service) \(account)"))
        }
        func value(_ reference: String) throws -> String {
            let template = try SecretTemplate(FileBytes("{{\(reference)}}"))
            return try SecretLookup(in: keychain, group: "login").value(of: template).withBytes {
                ByteString(copying: $0).description
            }
        }
        #expect(try value("lanyard:a#b") == "a/b y")
        #expect(try value("lanyard:a/x#b") == "a/b x")
        #expect(try value("lanyard:c#b") == "c/b x")
    }

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
