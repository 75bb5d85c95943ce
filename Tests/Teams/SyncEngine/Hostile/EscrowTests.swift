import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// Keys that are wrapped for recovery. Here the only wrapping is to devices of the signed roster.
@Suite("Hostile server: escrow") struct EscrowTests {
    let team: HostileTeam
    let eve: DeviceIdentity

    init() throws {
        team = try HostileTeam()
        eve = try TestDevice.identity("eve", 66)
    }

    @Test("BW01 malicious auto-enrolment would win the whole vault when a member joins")
    func autoEnrolment() throws {
        // The server enrols its own device while Kay joins: no owner signed that.
        let box = try TeamKeyRenewal.box(try DeviceIdentity.makeSeed(), 2, to: eve.card)
        let add = RosterEntry.Change.add(eve.card, .owner, key: box, seen: VersionVector())
        let kay = try team.join(4) { team.server.roster.append(team.entry(add, by: eve)) }
        let devices = [kay, team.grace, team.ada]
        for device in devices {
            try device.exchange()
        }
        #expect(try team.isSkipped(team.entry(add, by: eve), by: devices))
        for device in devices {
            #expect(device.engine.replica.roster.devices[eve.id] == nil)
        }
    }

    @Test("BW02 malicious key rotation would win the whole vault when the key is renewed")
    func keyRotation() throws {
        // While Ada renews the key, the server shows Grace's card with Eve's keys.
        let honest = team.server.show
        team.server.show = { changes in
            ServerChanges(
                head: changes.head,
                roster: changes.roster.map { swap(team.grace.identity.card, eve.card, in: $0) },
                records: changes.records)
        }
        let fresh = try SyncEngine(
            Replica(try Roster(try RosterEntry(team.server.roster[0]))), team.ada.identity,
            team.server, now: { TestDevice.start }, wait: { _ in })
        #expect(throws: KeychainError(.decode)) { try fresh.remove([]) }
        team.server.show = honest
        try team.ada.engine.remove([])
        guard
            case .remove(_, let renewal) = try RosterEntry(try #require(team.server.roster.last))
                .change
        else {
            Issue.record("the key was not renewed")
            return
        }
        #expect(
            Set(renewal.boxes.keys) == [team.ada.identity.id, team.grace.identity.id])
        for box in renewal.boxes.values {
            #expect(throws: KeychainError.self) { _ = try eve.open(box) }
        }
    }

    @Test("BW03 malicious key connector conversion would win the vault by one dialog")
    func keyConnectorConversion() throws {
        // The server invents a request in Grace's name. It gives no right, and its code tells it apart.
        let card = try DeviceCard(
            person: "grace", name: "laptop", signingKey: eve.card.signingKey,
            encryptionKey: eve.card.encryptionKey)
        team.inject(
            RecordContent.request(card), as: RecordContent.requestRecord(of: card.id))
        let report = try team.ada.exchange()
        #expect(report.findings.isEmpty && report.sent == 0)
        #expect(Array(team.ada.engine.replica.requests.values) == [card])
        #expect(!SpokenCode.isSame(card.code, team.grace.identity.card.code))
        #expect(team.ada.engine.replica.roster.devices[card.id] == nil)
    }

    @Test("LP01 malicious password reset would win the vault by an administrator of the server's")
    func passwordReset() throws {
        // Mallory, who was removed, and Grace, who is no owner, make Mallory an owner.
        for author in [team.mallory.identity, team.grace.identity] {
            let entry = team.entry(
                .setRole(team.mallory.identity.id, .owner, last: .none), by: author)
            #expect(try team.isSkipped(entry, by: [team.ada, team.grace]))
        }
    }

    @Test("1P01 malicious recovery group would win every new vault")
    func recoveryGroup() throws {
        // A renewal that also has a box for the server's device, signed by who is no owner.
        let cards = [team.ada, team.grace].map(\.identity.card) + [eve.card]
        let renewal = try TeamKeyRenewal(
            try DeviceIdentity.makeSeed(), generation: 3,
            previous: try DeviceIdentity.makeSeed(), to: cards)
        for author in [eve, team.mallory.identity, team.grace.identity] {
            let entry = team.entry(.remove(last: [:], renewal), by: author)
            #expect(try team.isSkipped(entry, by: [team.ada]))
        }
        // Nor does an owner's own signature make a device a member that is not in the roster.
        var roster = team.ada.engine.replica.roster
        let entry = roster.entry(
            .remove(last: [:], renewal), by: team.ada.identity, date: TestDevice.start)
        #expect(throws: KeychainError(.decode)) { try roster.append(entry) }
    }

    /// Replaces a card's keys wherever they are.
    private func swap(_ card: DeviceCard, _ other: DeviceCard, in bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for (key, foreign) in [
            (card.signingKey, other.signingKey), (card.encryptionKey, other.encryptionKey),
        ] {
            if let range = bytes.firstRange(of: key) {
                bytes.replaceSubrange(range, with: foreign)
            }
        }
        return bytes
    }
}
