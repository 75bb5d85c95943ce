import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// Public keys that the server gives, and keys that arrive without a sender.
@Suite("Hostile server: unauthenticated sharing") struct SharingTests {
    let team: HostileTeam
    let eve: TestDevice
    let eves = MemoryServer()

    init() throws {
        team = try HostileTeam()
        eve = try TestDevice(creating: eves, "eve", seed: 66)
    }

    @Test("BW08 organisation injection would put a member in the server's team")
    func organisationInjection() throws {
        try eve.engine.add(team.grace.identity.card, .member)
        let state = team.server.backup
        team.server.backup = eves.backup
        #expect(try team.isRefused(team.grace))
        #expect(eves.records.count == 0)
        team.server.backup = state
        try team.grace.exchange()
        #expect(try team.grace.texts() == team.truth)
    }

    @Test("BW09 organisation overwrite would win what a joining member stores")
    func organisationOverwrite() throws {
        #expect(throws: KeychainError(.decode)) {
            try team.join(4) {
                try eve.engine.add(try TestDevice.identity("kay", 4).card, .member)
                team.server.backup = eves.backup
            }
        }
    }

    @Test("LP07 sharing key overwrite would win what is shared with a member")
    func sharingKeyInRequest() throws {
        // The server replaces the keys in Kay's request. The record no longer fits, or it is another card.
        let kay = try TestDevice.identity("kay", 4)
        let card = try DeviceCard(
            person: "kay", name: "laptop", signingKey: kay.card.signingKey,
            encryptionKey: eve.identity.card.encryptionKey)
        let record = RecordContent.requestRecord(of: kay.id)
        team.inject(RecordContent.request(card), as: record)
        #expect(try team.ada.exchange().findings == [.recordIsForged(record)])
        #expect(team.ada.engine.replica.requests.isEmpty)
        #expect(card.id != kay.id && !SpokenCode.isSame(card.code, kay.card.code))
    }

    @Test("DL02 sharing key overwrite would win what is shared, by another card in the roster")
    func sharingKeyInRoster() throws {
        #expect(throws: KeychainError(.decode)) {
            try team.join(4) {
                var entry = team.server.roster[team.server.roster.count - 1]
                let range = try #require(
                    entry.firstRange(of: try TestDevice.identity("kay", 4).card.encryptionKey))
                entry.replaceSubrange(range, with: eve.identity.card.encryptionKey)
                team.server.roster[team.server.roster.count - 1] = entry
            }
        }
        #expect(try team.grace.exchange().findings == [.rosterHasForgedEntries])
        #expect(team.grace.engine.replica.roster.present.count == 2)
    }

    @Test("1P05 sharing key overwrite would win what is shared, by another box for the member")
    func sharingBox() throws {
        // The server knows Kay's public key, and can make a box for her with a key of its own.
        let box = try TeamKeyRenewal.box(
            try DeviceIdentity.makeSeed(), 2, to: try TestDevice.identity("kay", 4).card)
        #expect(throws: KeychainError(.decode)) {
            try team.join(4) {
                let last = team.server.roster.count - 1
                guard
                    case .add(_, _, let key, _) = try RosterEntry(team.server.roster[last]).change
                else {
                    return
                }
                let range = try #require(team.server.roster[last].firstRange(of: key))
                team.server.roster[last].replaceSubrange(range, with: box)
            }
        }
    }

    @Test("1P06 vault substitution would win everything that is stored after it")
    func vaultSubstitution() throws {
        // A renewal with a key of the server's, wrapped to both members: nothing says that an owner made it.
        let seed = Secret(copying: [UInt8](repeating: 7, count: 32).span)
        let renewal = try TeamKeyRenewal(
            seed, generation: 3, previous: try DeviceIdentity.makeSeed(),
            to: [team.ada, team.grace].map(\.identity.card))
        for author in [eve.identity, team.mallory.identity, team.grace.identity] {
            team.server.roster.append(team.entry(.remove(last: [:], renewal), by: author))
            let change = try LocalChange(adding: Secret("new"))
            let report = try team.grace.engine.exchange([change])
            #expect(report.findings == [.rosterHasForgedEntries])
            // Under the key that the owner made last.
            let stored = try #require(team.server.records[change.record]).content
            #expect(stored[2..<6] == [0, 0, 0, 2])
            let item = try #require(try team.grace.engine.replica.item(change.record))
            #expect(item.winner.generation == 2)
        }
    }

    @Test func aKeyThatEveryoneCanOpenGetsNoBox() throws {
        // Points of low order: what is encrypted to them, anyone decrypts.
        for key in [[UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31)] {
            let card = try DeviceCard(
                person: "eve", name: "x", signingKey: eve.identity.card.signingKey,
                encryptionKey: key)
            #expect(throws: KeychainError(.decode)) { try team.ada.engine.add(card, .member) }
        }
        #expect(team.ada.engine.replica.roster.present.count == 2)
    }

    @Test func aNameThatWouldBeShownAsAnotherIsRefused() throws {
        let key = eve.identity.card
        for name in ["a\u{202E}b", "a\u{2066}b", "a\nb", "a\u{1B}[2J", "", "a\u{2028}b"] {
            #expect(throws: KeychainError(.param)) {
                try DeviceCard(
                    person: name, name: "x", signingKey: key.signingKey,
                    encryptionKey: key.encryptionKey)
            }
            #expect(throws: KeychainError(.param)) {
                try Roster.create(
                    name: name, by: eve.identity, key: try DeviceIdentity.makeSeed(),
                    date: TestDevice.start)
            }
        }
    }

    /// The end of a request names its device: it takes no other record's place.
    @Test func theEndOfARequestEndsNothingElse() throws {
        let kay = try TestDevice.identity("kay", 4)
        let end = RecordContent.withdrawal(of: kay.id)
        team.inject(end, as: team.record)
        let own = DeviceHead.record(of: team.grace.identity.id, team: team.team)
        team.inject(end, as: own)
        #expect(
            try team.ada.exchange().findings.isSuperset(
                of: [.recordIsForged(team.record), .recordIsForged(own)]))
        #expect(try team.ada.texts() == team.truth)
        try team.grace.exchange()
        #expect(try team.grace.texts() == team.truth)
    }

    @Test func veryManyRequestsDoNotFillTheMemory() throws {
        for number in 0..<300 {
            let card = try DeviceCard(
                person: "\(number)", name: "x",
                signingKey: Array("\(number)".utf8)
                    + [UInt8](repeating: 1, count: 32 - "\(number)".utf8.count),
                encryptionKey: eve.identity.card.encryptionKey)
            team.inject(
                RecordContent.request(card), as: RecordContent.requestRecord(of: card.id))
        }
        try team.ada.exchange()
        #expect(team.ada.engine.replica.requests.count == SyncLimits.requests)
        #expect(try team.ada.texts() == team.truth)
    }
}
