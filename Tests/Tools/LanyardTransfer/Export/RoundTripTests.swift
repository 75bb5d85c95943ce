import TestSupport
import Foundation
import LanyardTransfer
import KeychainServices
import SealedStore
import Testing

/// What is exported and then imported into an empty keychain is what was there.
@Suite("Round trip") struct RoundTripTests {
    /// A keychain in which each change happens a minute after the one before.
    private static func inMemory(from start: Int64 = 1_600_000_000) -> Keychain {
        var now = start
        return Keychain(
            InMemoryStore(now: {
                now += 60
                return Timestamp(secondsSinceEpoch: now)
            }), accessGroups: .all())
    }

    private func filled(_ keychain: Keychain, _ count: Int, seed: UInt64) throws -> [Item] {
        var random = SeededRandom(seed: seed)
        for number in 0..<count {
            try keychain.add(Item.random(&random, number: number))
        }
        return try keychain.items()
    }

    @Test(arguments: 0..<2 as Range<UInt64>)
    func documentOfAnyItems(round: UInt64) throws {
        let source = RoundTripTests.inMemory()
        let items = try filled(source, 60, seed: SeededRandom.seed &+ round)
        let (text, counts) = try source.document()
        #expect(counts.exported == items.count)
        let target = RoundTripTests.inMemory(from: 1_900_000_000)
        try target.add(document: secret(text))
        // The order, too.
        #expect(try target.items() == items)
    }

    @Test func encryptedFromOneSealedKeychainToAnother() throws {
        let folder = "\(NSTemporaryDirectory())/lanyard-export-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func keychain(_ name: String) throws -> Keychain {
            let location = KeychainLocation(
                file: "\(folder)/\(name)/login.keychain", stateFolder: "\(folder)/\(name)-state")
            return Keychain(
                try SealedStore.openOrMake(at: location, provider: nil), accessGroups: .all())
        }
        let source = try keychain("source")
        let items = try filled(source, 40, seed: SeededRandom.seed)

        let passphrase = secret(Array("a päss phrase".utf8))
        let sealed = Pieces()
        let sealer = try ExportSealer(passphrase: passphrase) {
            piece throws(KeychainError) in sealed.append(piece)
        }
        let counts = try ItemExport(of: source).write(
            created: Timestamp(secondsSinceEpoch: 0)
        ) { piece throws(KeychainError) in try sealer.append(piece) }
        try sealer.finish()
        #expect(counts.exported == items.count)
        for item in items where item.secret.count > 16 {
            #expect(!Data(sealed.bytes).contains(Data(item.secret.prefix(64))))
        }

        let target = try keychain("target")
        let file = secret(sealed.bytes)
        let isSealed = SealedExport.isSealed(file)
        #expect(isSealed)
        try target.add(document: try SealedExport.unseal(file, passphrase: passphrase))
        #expect(try target.items() == items)
    }

    @Test func whatIsForThisMachineOnlyStaysHere() throws {
        let keychain = RoundTripTests.inMemory()
        for accessible in Accessibility.allCases where accessible != .whenPasscodeSetThisDeviceOnly
        {
            var attributes = ItemAttributes()
            attributes.service = ByteString(accessible.code)
            attributes.accessible = accessible
            try keychain.add(
                .genericPassword, attributes,
                secret: secret(Array("secret of \(accessible.code).".utf8)))
        }
        // A file that a setup moved into the keychain.
        var attributes = ItemAttributes()
        attributes.service = "file"
        attributes.accessGroup = "setup"
        try keychain.add(.genericPassword, attributes, secret: Secret("secret of aku."))
        let (text, counts) = try keychain.document()
        #expect(counts.exported == 3)
        #expect(counts.thisDeviceOnly.count == 4)
        for code in ["aku", "cku", "dku"] {
            #expect(!Data(text).contains(Data("secret of \(code).".utf8)))
        }
        #expect(Data(text).contains(Data("secret of ak.".utf8)))
    }

    @Test func aGroupAlone() throws {
        let keychain = RoundTripTests.inMemory()
        for group in ["git", "login"] as [ByteString] {
            var attributes = ItemAttributes()
            attributes.service = "x"
            attributes.accessGroup = group
            try keychain.add(.genericPassword, attributes, secret: secret(group.bytes))
        }
        let (text, counts) = try keychain.document(group: "git")
        #expect(counts.exported == 1)
        let target = RoundTripTests.inMemory()
        try target.add(document: secret(text))
        #expect(try target.items().map(\.secret) == [Array("git".utf8)])
    }

    /// This program can't read certificates: its store gets one as another program has read it.
    @Test func certificates() throws {
        let store = InMemoryStore(now: { Timestamp(secondsSinceEpoch: 1_700_000_000) })
        var attributes = ItemAttributes()
        attributes.accessGroup = "login"
        attributes.accessible = .always
        attributes.label = "Ada"
        attributes.certificateType = 3
        attributes.issuer = ByteString(Array(0...255))
        attributes.serialNumber = "\0"
        attributes.notValidAfter = Timestamp(secondsSinceEpoch: 4_102_444_800)
        attributes.subjectValues = ["Ada", "Lovelace"]
        _ = try store.add(.certificate, attributes, secret: secret([0x30, 0]), context: nil)
        let (text, counts) = try Keychain(store, accessGroups: .all()).document()
        #expect(counts.exported == 1)
        var found: [Item] = []
        try ExportDocument().read(secret(text)) { record throws(KeychainError) in
            switch record.content {
            case .item(let item):
                found.append(
                    Item(
                        itemClass: item.itemClass, attributes: item.attributes.withoutDates,
                        secret: bytes(item.secret)))
            case .skipped, .failed, .shadowed, .without: throw KeychainError(.param)
            }
        }
        let item = Item(itemClass: .certificate, attributes: attributes, secret: [0x30, 0])
        #expect(found == [item])
    }

    @Test func theDatesStandInTheDocument() throws {
        let keychain = Keychain(
            InMemoryStore(now: { Timestamp(secondsSinceEpoch: 1_700_000_000) }),
            accessGroups: .all())
        try keychain.add(.genericPassword, ItemAttributes(), secret: secret([0xFF]))
        let (text, _) = try keychain.document()
        #expect(
            String(decoding: text, as: UTF8.self) == """
                {"format":"lanyard-export","version":1,"created":7,"items":[{"class":"generic-password",\
                "attributes":{"accessible":"ak","accessGroup":"login","creationDate":1700000000,\
                "modificationDate":1700000000},"secret":{"base64":"/w=="}}]}

                """)
        let isDocument = ExportDocument.isDocument(secret(text))
        #expect(isDocument)
    }
}

extension Data {
    /// Whether some bytes stand in it.
    fileprivate func contains(_ bytes: Data) -> Bool {
        firstRange(of: bytes) != nil
    }
}
