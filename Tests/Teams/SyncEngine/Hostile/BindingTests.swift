import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// Cut and paste: an item is one ciphertext, bound to its team, its record, its place and its device.
@Suite("Hostile server: binding") struct BindingTests {
    let team: HostileTeam
    let original: [UInt8]

    init() throws {
        team = try HostileTeam()
        original = team.server.records[team.record]!.content
    }

    @Test("BW04 unprotected item metadata would be read and changed")
    func metadata() throws {
        // All that is in clear: format, kind and generation. Dates and orders are inside.
        for position in 0..<6 {
            var content = original
            content[position] ^= position == 0 ? 1 : 2
            team.inject(content, as: team.record)
            #expect(try team.graceFindsForgery(of: team.record), "\(position)")
        }
    }

    @Test("BW05 field swapping would show one item's secret as another's")
    func fieldSwapping() throws {
        let other = team.server.records[team.unseen]!.content
        team.inject(other, as: team.record)
        #expect(try team.graceFindsForgery(of: team.record))
        team.inject(original, as: team.unseen)
        #expect(try team.graceFindsForgery(of: team.unseen))
    }

    @Test("BW06 icon URL decryption would make the client send a secret in clear")
    func iconURL() throws {
        // Mallory puts a version of one item in another one; the client sends nothing that it decrypts.
        let keys = try team.keptKeys()
        let version = try #require(
            try team.mallory.engine.replica.item(team.record)
        ).winner
        let record = Identifier(digestOf: [1])
        try team.inject(.item(SharedItem(version)), as: record, under: keys[0])
        #expect(try team.graceFindsForgery(of: record))
        for text in ["present-secret", "mallory-secret", "unseen-secret", "ada", "grace"] {
            let found = team.server.records.values.contains {
                $0.content.firstRange(of: Array(text.utf8)) != nil
            }
            #expect(!found, "\(text)")
        }
    }

    @Test("BW07 removed KDF iterations would win secrets by guessing a password")
    func iterations() throws {
        // No key is derived from a password, and nothing of a derivation is taken from the server.
        var content = original
        content.replaceSubrange(2..<6, with: [0, 0, 0, 0])
        team.inject(content, as: team.record)
        #expect(try team.graceFindsForgery(of: team.record))
        content.replaceSubrange(2..<6, with: [255, 255, 255, 255])
        team.inject(content, as: team.record)
        #expect(try team.graceFindsForgery(of: team.record))
    }

    @Test("LP02 field swapping would mix parts of two states of an item")
    func partSwapping() throws {
        let older = team.before.records[team.record]!.content
        for cut in stride(from: 6, to: min(older.count, original.count), by: 97) {
            team.inject(Array(original[..<cut] + older[cut...]), as: team.record)
            #expect(try team.graceFindsForgery(of: team.record))
        }
    }

    @Test("LP03 icon URL decryption would make the client take a record for one of another kind")
    func kinds() throws {
        let head = DeviceHead.record(of: team.ada.identity.id, team: team.team)
        team.inject(team.server.records[head]!.content, as: team.record)
        #expect(try team.graceFindsForgery(of: team.record))
        // Also if who seals it has the key.
        let stored = try #require(team.grace.engine.replica.heads[team.ada.identity.id])
        try team.inject(.head(stored), as: team.unseen, under: try team.keptKeys()[0])
        #expect(try team.graceFindsForgery(of: team.unseen))
    }

    @Test("LP04 removed KDF iterations would win secrets by a weak key")
    func weakKey() throws {
        // A renewal that announces a key which the server knows, with Ada's entry as its frame.
        let weak = try TeamKeyRenewal(
            Secret(copying: [UInt8](repeating: 0, count: 32).span), generation: 3,
            previous: Secret(copying: [UInt8](repeating: 0, count: 32).span),
            to: [team.ada, team.grace].map(\.identity.card))
        let eve = try TestDevice.identity("eve", 66)
        let entry = team.entry(.remove(last: [:], weak), by: eve)
        #expect(try team.isSkipped(entry, by: [team.grace, team.ada]))
        #expect(team.grace.engine.replica.roster.generation == 2)
    }

    @Test("LP05 a malleable vault would be changed byte by byte")
    func malleability() throws {
        for position in stride(from: 0, to: original.count, by: 37) {
            var content = original
            content[position] ^= 0x80
            team.inject(content, as: team.record)
            #expect(try team.graceFindsForgery(of: team.record), "\(position)")
        }
    }

    @Test(
        "LP06 unprotected item metadata would let who has a key change dates, orders and contexts")
    func signedMetadata() throws {
        let item = try #require(try team.mallory.engine.replica.item(team.record))
        var writer = ByteWriter()
        item.append(to: &writer)
        // The number of versions, device, number, context, clock, date, generation: all are signed.
        let key = try team.keptKeys()[0]
        for position in stride(from: 4, to: 104, by: 7) {
            var bytes = writer.bytes
            bytes[position] ^= 1
            var reader = ByteReader(bytes)
            guard let forged = try? SharedItem(reading: &reader) else {
                continue
            }
            try team.inject(.item(forged), as: team.record, under: key)
            #expect(try team.graceFindsForgery(of: team.record), "\(position)")
        }
    }

    @Test("1P03 vault injection would add items of the server's")
    func vaultInjection() throws {
        // Items of another team, and of no team.
        let other = MemoryServer()
        let eve = try TestDevice(creating: other, "eve", seed: 66)
        let record = try eve.add("eve's")
        team.inject(other.records[record]!.content, as: record)
        #expect(try team.graceFindsForgery(of: record))
        // Also if the server knows the first key, from Mallory, and Eve signs.
        let keys = try team.keptKeys()
        for author in [eve.identity, team.mallory.identity] {
            let forged = try team.version(
                "eve's", of: record, by: author, 9, knowing: VersionVector(), under: keys[0])
            try team.inject(.item(SharedItem(forged)), as: record, under: keys[0])
            #expect(try team.graceFindsForgery(of: record))
        }
    }

    @Test("1P04 removed KDF iterations would weaken the protection of a device's key")
    func deviceKey() throws {
        // The seed never leaves the device: a box of a generation or for another device opens nothing.
        let box = try TeamKeyRenewal.box(
            try DeviceIdentity.makeSeed(), 1, to: team.grace.identity.card)
        #expect(throws: KeychainError(.decode)) {
            _ = try TeamKeyRenewal.open(box, 2, team.grace.identity)
        }
        #expect(throws: KeychainError(.decode)) {
            _ = try TeamKeyRenewal.open(box, 1, team.ada.identity)
        }
        for number: UInt8 in [1, 2, 3] {
            let seed = [UInt8](repeating: number, count: 32)
            #expect(team.everything.firstRange(of: seed) == nil)
        }
    }
}
