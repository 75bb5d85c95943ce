import Foundation
import KeychainServices
import Testing

@testable import SealedStore

@Suite("Nothing readable on disk") struct NothingReadableTests {
    /// Texts that are found if they stand anywhere.
    private static let texts = [
        "correct-horse-battery", "Server.Distinctive.Example", "account-of-no-one",
        "/path/to/the/Repository", "Label in plain sight", "service-quite-unique",
        "comment about nothing", "description of much", "realm-distinctive", "group-distinctive",
        "generic-data-unique",
    ]

    private static func internet() -> ItemAttributes {
        var attributes = internetPassword(
            ByteString(texts[1]), account: ByteString(texts[2]), path: ByteString(texts[3]))
        attributes.label = ByteString(texts[4])
        attributes.comment = ByteString(texts[6])
        attributes.itemDescription = ByteString(texts[7])
        attributes.securityDomain = ByteString(texts[8])
        attributes.accessGroup = ByteString(texts[9])
        return attributes
    }

    private static func generic() -> ItemAttributes {
        var attributes = genericPassword(ByteString(texts[5]), account: ByteString(texts[2]))
        attributes.label = ByteString(texts[4])
        attributes.generic = ByteString(texts[10])
        return attributes
    }

    /// A text as it might stand in a file.
    private static func forms(_ text: String) -> [Data] {
        var forms: [Data] = []
        for text in [text, text.lowercased(), text.uppercased()] {
            forms.append(Data(text.utf8))
            forms.append(Data(text.utf8.reversed()))
            forms.append(Data(text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }))
            forms.append(Data(text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }))
            forms.append(Data(Hexadecimal.encode(Array(text.utf8)).utf8))
            // Wherever in the groups of three it begins.
            for offset in 0..<3 {
                let bytes = Data(text.utf8.dropFirst(offset))
                let whole = bytes.prefix(bytes.count / 3 * 3)
                forms.append(Data(whole.base64EncodedString().utf8))
            }
        }
        return forms
    }

    private static func expectNothing(in files: [String: Data]) {
        for (name, content) in files {
            for text in texts {
                for (number, form) in forms(text).enumerated() where content.range(of: form) != nil
                {
                    Issue.record("\(name) contains '\(text)' in form \(number)")
                }
            }
        }
    }

    @Test func theSearchFindsWhatIsThere() {
        for text in NothingReadableTests.texts {
            let bytes = Data(("x" + text + "y").utf8)
            let file = Data([0]) + Data(bytes.base64EncodedString().utf8)
            #expect(
                NothingReadableTests.forms(text).contains { file.range(of: $0) != nil })
        }
    }

    @Test func inNoFileAtRest() throws {
        let scratch = try ScratchKeychain()
        let keychain = try scratch.open()
        let secret = Secret(NothingReadableTests.texts[0])
        try keychain.add(.internetPassword, NothingReadableTests.internet(), secret: secret)
        try keychain.add(.genericPassword, NothingReadableTests.generic(), secret: secret)
        var changes = ItemAttributes()
        changes.comment = ByteString(NothingReadableTests.texts[6])
        try keychain.update(
            Query(.genericPassword, NothingReadableTests.generic()), changes, secret: secret.copy())
        let files = try scratch.files()
        #expect(files.count >= 3)
        NothingReadableTests.expectNothing(in: files)
        try keychain.delete(Query(.internetPassword, NothingReadableTests.internet()))
        NothingReadableTests.expectNothing(in: try scratch.files())
    }

    /// In the middle of a change, in file and journal.
    @Test func inNoFileWhileATransactionIsOpen() throws {
        let scratch = try ScratchKeychain()
        let store = try scratch.openStore()
        let keychain = Keychain(store, accessGroups: .all())
        let secret = Secret(NothingReadableTests.texts[0])
        try keychain.add(.genericPassword, NothingReadableTests.generic(), secret: secret)
        let error = keychainError {
            try store.transaction { () throws(KeychainError) in
                try keychain.add(
                    .internetPassword, NothingReadableTests.internet(), secret: secret)
                try keychain.update(
                    Query(.genericPassword, NothingReadableTests.generic()), secret: secret.copy())
                InterruptedChange.flush(store.file.database)
                let files = try? scratch.files()
                #expect(files?.keys.contains("data/login.keychain-journal") == true)
                NothingReadableTests.expectNothing(in: files ?? [:])
                throw KeychainError(.userCanceled)
            }
        }
        #expect(error?.status == .userCanceled)
    }

    /// What the lengths tell: secrets of different lengths in one bucket look alike.
    @Test func lengthsOfSecretsAreHidden() throws {
        let scratch = try ScratchKeychain()
        for (number, length) in [0, 1, 20, 40, 60].enumerated() {
            try scratch.open().add(
                .internetPassword, internetPassword(ByteString("\(number).example")),
                secret: Secret(String(repeating: "x", count: length)))
        }
        let lengths = try RawDatabase(scratch.location.file).rows(
            "SELECT DISTINCT length(secret), length(attributes) FROM item")
        #expect(lengths.count == 1)
    }
}
