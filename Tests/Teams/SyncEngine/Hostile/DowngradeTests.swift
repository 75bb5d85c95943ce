import LanyardCryptography
import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// Older forms and older keys. There is one form; an older generation of the key reads, and never writes.
@Suite("Hostile server: downgrade") struct DowngradeTests {
    let team: HostileTeam
    let original: [UInt8]

    init() throws {
        team = try HostileTeam()
        original = team.server.records[team.record]!.content
    }

    @Test("BW10 disabled per-item keys would replace the hierarchy of keys by a flatter one")
    func flatKeys() throws {
        // The content's own box, without the record around it.
        let item = try #require(try team.grace.engine.replica.item(team.record))
        let box = try #require(item.winner.content)
        for kind: UInt8 in 0...3 {
            team.inject([1, kind, 0, 0, 0, 2] + box, as: team.record)
            #expect(try team.graceFindsForgery(of: team.record))
        }
        team.inject(box, as: team.record)
        #expect(throws: KeychainError.self) {
            _ = try RecordContent(
                box, of: team.record, team: team.team, under: try team.keptKeys())
        }
    }

    @Test("BW11 user key overwriting would make the client write under an older key")
    func olderKey() throws {
        // The server forgets the removal of Mallory. Grace knows it, and gives it back; Mallory reads nothing.
        team.server.backup = team.before
        let sequence = team.server.sequence
        let report = try team.grace.exchange()
        #expect(report.findings.contains(.serverIsOlder))
        try team.grace.set(team.record, "newer-secret")
        #expect(team.server.roster.count == team.grace.engine.replica.roster.entries.count)
        #expect(team.readsNothing(try team.keptKeys(), since: sequence))
    }

    @Test("BW12 downgrade to legacy would win the whole vault by an older form")
    func olderForm() throws {
        var content = original
        content[0] = 0
        team.inject(content, as: team.record)
        #expect(try team.graceFindsForgery(of: team.record))
        // Of the roster too.
        team.server.show = { changes in
            ServerChanges(
                head: changes.head, roster: changes.roster.map { [0] + $0.dropFirst() },
                records: changes.records)
        }
        #expect(throws: KeychainError(.decode)) {
            try Replica(joining: team.team, from: team.server)
        }
    }

    @Test("DL03 item injection would add items by an older key")
    func itemInjection() throws {
        // Mallory signs with a number that she had, under the key that she had: a new item, and one of hers.
        let key = try team.keptKeys()[0]
        let known = try #require(try team.grace.engine.replica.item(team.record))
        let forged = try team.version(
            "mallory's", of: team.record, by: team.mallory.identity, 1, knowing: known.context,
            under: key)
        try team.inject(.item(SharedItem(forged)), as: team.record, under: key)
        #expect(try team.graceFindsForgery(of: team.record))
        let other = Identifier(digestOf: [2])
        let another = try team.version(
            "mallory's", of: other, by: team.mallory.identity, 1, knowing: VersionVector(),
            under: key)
        try team.inject(.item(SharedItem(another)), as: other, under: key)
        #expect(try team.graceFindsForgery(of: other))
    }

    /// A single byte of a server is no newer program: the record is forged, and the others are exchanged.
    @Test(arguments: [2, 255] as [UInt8]) func aClaimedNewerFormIsForged(_ format: UInt8) throws {
        for position in [nil, 1] {
            var content = original
            content[0] = format
            if let position {
                content[position] = 3
            }
            team.inject(content, as: team.record)
            #expect(try team.graceFindsForgery(of: team.record))
        }
        // Made with the key that Mallory kept.
        try inject(format, under: team.keptKeys()[0])
        #expect(try team.graceFindsForgery(of: team.record))
    }

    /// Other kinds of keys, a post-quantum hybrid among them, come with the next format.
    ///
    /// Whoever may changes the roster first: before that, a later form is a way to hide what others stored.
    @Test(arguments: [2, 255] as [UInt8]) func aNewerFormIsNotMisread(_ format: UInt8) throws {
        let keys = try team.grace.engine.replica.roster.keys(of: team.grace.identity)
        try inject(format, under: #require(keys.last))
        #expect(try team.graceFindsForgery(of: team.record))
        let other = try team.ada.add("next-secret")
        try team.grace.exchange()
        let truth = team.truth.merging([other: "next-secret"]) { $1 }
        #expect(try team.grace.texts() == truth)

        team.server.roster.append(laterEntry(format, by: team.ada.identity))
        try inject(format, under: #require(keys.last))
        let content = team.server.records[team.record]?.content
        for device in [team.grace, team.ada] {
            let error = #expect(throws: KeychainError.self) { try device.exchange() }
            #expect(error?.status == .wrongVersion)
            #expect(error?.hint?.contains("newer Lanyard") == true)
            #expect(try device.texts() == truth)
        }
        #expect(team.server.records[team.record]?.content == content)
    }

    /// Stores a record as a later program would: its envelope is the present one.
    private func inject(_ format: UInt8, under key: TeamKey) throws {
        let prefix = [format, 1] + key.generation.bigEndianBytes
        let box = try SealedBox.seal(
            [1, 2, 3].span, under: key.recordKey,
            associatedData: Array("lanyard team record".utf8) + prefix + team.team.bytes
                + team.record.bytes)
        team.inject(prefix + box, as: team.record)
    }

    /// Returns the next entry of the roster in a later form: what it begins and ends with is the same.
    private func laterEntry(_ format: UInt8, by author: DeviceIdentity) -> [UInt8] {
        let entry = team.entry(.leave, by: author)
        let signed = [format] + entry.dropFirst().dropLast(SigningKey.signatureSize) + [1, 2, 3]
        return signed + author.sign(RosterEnvelope.label + signed)
    }

    @Test func aNewerFormOfTheRosterIsNotBelievedUnlessAnOwnerSignedIt() throws {
        let devices = [team.grace, team.ada]
        for format: UInt8 in [2, 255] {
            let changed = [format] + team.server.roster[1].dropFirst()
            #expect(try team.isSkipped(changed, by: devices))
            for author in [team.grace, team.mallory].map(\.identity) {
                #expect(try team.isSkipped(laterEntry(format, by: author), by: devices))
            }
            #expect(
                try Replica(joining: team.team, from: team.server).roster.devices
                    == team.ada.engine.replica.roster.devices)
        }
        for entry in [[], [0], [1, 2]] as [[UInt8]] {
            #expect(try team.isSkipped(entry, by: devices))
        }
        team.server.roster.append(laterEntry(2, by: team.ada.identity))
        let error = #expect(throws: KeychainError.self) {
            try Replica(joining: team.team, from: team.server)
        }
        #expect(error?.status == .wrongVersion)
        #expect(throws: KeychainError(.wrongVersion)) {
            try team.ada.engine.remove([team.grace.identity.id])
        }
    }

    /// Who signs rubbish with a later number is removed, whatever it says. No other change is made beside it.
    @Test func anOwnerWhoClaimsANewerFormIsRemoved() throws {
        let olga = try team.ada.sponsor("olga", seed: 10, .owner, on: team.server)
        try team.grace.exchange()
        team.server.roster.append(laterEntry(2, by: olga.identity))
        for device in [team.ada, team.grace] {
            let error = #expect(throws: KeychainError.self) { try device.exchange() }
            #expect(error?.status == .wrongVersion)
            #expect(error?.reason.contains("olga") == true)
            #expect(error?.hint?.contains("newer Lanyard") == true)
            #expect(error?.hint?.contains("team remove 'olga/laptop'") == true)
        }
        #expect(throws: KeychainError(.wrongVersion)) {
            try team.ada.engine.remove([team.grace.identity.id])
        }
        #expect(throws: KeychainError(.wrongVersion)) {
            try team.ada.engine.add(try TestDevice.identity("max", 6).card, .member)
        }
        try team.ada.engine.remove([olga.identity.id])
        for device in [team.ada, team.grace] {
            try device.exchange()
            #expect(try device.exchange().isQuiet)
            #expect(try device.texts() == team.truth)
        }
        #expect(try team.join(7) {}.texts() == team.truth)
        try team.ada.engine.remove([team.grace.identity.id])
    }

    @Test("DL04 removed KDF iterations would win secrets by a roster with weaker parameters")
    func weakerRoster() throws {
        // Each byte of the entry that renewed the key, changed: what follows it shows that it is missing.
        try team.ada.engine.add(try TestDevice.identity("kay", 4).card, .member)
        let position = try #require(
            team.server.roster.firstIndex {
                if case .remove = try? RosterEntry($0).change { true } else { false }
            })
        let entry = team.server.roster[position]
        for byte in stride(from: 1, to: entry.count, by: 11) {
            team.server.roster[position] = entry
            team.server.roster[position][byte] ^= 4
            #expect(throws: KeychainError(.decode)) {
                try Replica(joining: team.team, from: team.server)
            }
        }
    }

    @Test("DL05 a CBC-only downgrade would win secrets bit by bit")
    func otherForms() throws {
        for kind: UInt8 in [0, 2, 3, 4, 255] {
            var content = original
            content[1] = kind
            team.inject(content, as: team.record)
            #expect(try team.graceFindsForgery(of: team.record))
        }
    }

    @Test("DL06 Lucky 64 would win a key by what the client answers to wrong paddings")
    func paddings() throws {
        // Whatever is wrong, the client does the same: it gives back the right content.
        var sizes: Set<Int> = []
        for count in [7, 8, 40, original.count / 2, original.count - 1, original.count + 1] {
            var content = Array(original.prefix(count))
            if count > content.count {
                content.append(0)
            }
            team.inject(content, as: team.record)
            #expect(try team.graceFindsForgery(of: team.record))
            sizes.insert(team.server.records[team.record]!.content.count)
        }
        #expect(sizes.count == 1)
    }
}
