import LanyardCryptography
import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// An owner lets changes not count that others know.
@Suite("Hostile owner: changes that do not count") struct DroppedChangeTests {
    let team: HostileTeam

    init() throws {
        team = try HostileTeam()
    }

    private func key(of device: TestDevice) throws -> TeamKey {
        try #require(try device.engine.replica.roster.keys(of: device.identity).last)
    }

    /// Olga removes a device that is not in use any more, and says that none of its changes counts.
    @Test func whoDropsChangesOfARemovedDeviceIsKnown() throws {
        let olga = try team.ada.sponsor("olga", seed: 10, .owner, on: team.server)
        let lee = try team.ada.sponsor("lee", seed: 5, on: team.server)
        let record = try lee.add("lee's")
        for device in [team.ada, team.grace, olga] {
            try device.exchange()
        }
        let roster = olga.engine.replica.roster
        let renewal = try TeamKeyRenewal(
            DeviceIdentity.makeSeed(), generation: roster.generation + 1,
            previous: key(of: olga).key.copy(),
            to: [team.ada, team.grace, olga].map(\.identity.card))
        team.server.roster.append(
            roster.entry(
                .remove(last: [lee.identity.id: .none], renewal), by: olga.identity,
                date: TestDevice.start
            ).bytes)
        let finding = SyncReport.Finding.changesAreDropped(
            lee.identity.card, by: olga.identity.card)
        for device in [team.ada, team.grace] {
            #expect(try device.exchange().findings == [finding])
            #expect(try device.texts()[record] == nil)
            #expect(try device.exchange().findings.isEmpty)
        }
    }

    /// Olga makes a device a reader, and says that none of its changes counts: that device hears it, too.
    @Test func whoDropsChangesOfAReaderIsKnown() throws {
        let olga = try team.ada.sponsor("olga", seed: 10, .owner, on: team.server)
        let lee = try team.ada.sponsor("lee", seed: 5, on: team.server)
        let record = try lee.add("lee's")
        for device in [team.ada, team.grace, olga] {
            try device.exchange()
        }
        let roster = olga.engine.replica.roster
        team.server.roster.append(
            roster.entry(
                .setRole(lee.identity.id, .reader, last: .none), by: olga.identity,
                date: TestDevice.start
            ).bytes)
        // Later changes of its role are not to blame.
        try team.ada.engine.setRole(of: lee.identity.id, to: .reader)
        let finding = SyncReport.Finding.changesAreDropped(
            lee.identity.card, by: olga.identity.card)
        for device in [team.grace, lee] {
            #expect(try device.exchange().findings.contains(finding))
            #expect(try device.texts()[record] == nil)
            #expect(try device.exchange().findings.isEmpty)
        }
    }
}
