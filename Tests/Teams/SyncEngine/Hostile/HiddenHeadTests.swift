import LanyardCryptography
import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// A head under a key that a device lacks, as its record says.
@Suite("Hostile server: hidden heads") struct HiddenHeadTests {
    let team: HostileTeam

    init() throws {
        team = try HostileTeam()
    }

    private func key(of device: TestDevice) throws -> TeamKey {
        try #require(try device.engine.replica.roster.keys(of: device.identity).last)
    }

    /// Olga gave Ada a wrong key once, and was removed. Later, rubbish in a record says that it is under that key.
    @Test func anOwnerGivesRolesBesideIt() throws {
        let olga = try team.ada.sponsor("olga", seed: 10, .owner, on: team.server)
        let eve = try team.ada.sponsor("eve", seed: 9, on: team.server)
        for device in [team.ada, team.grace, olga] {
            try device.exchange()
        }
        let roster = olga.engine.replica.roster
        let right = try TeamKeyRenewal(
            DeviceIdentity.makeSeed(), generation: roster.generation + 1,
            previous: key(of: olga).key.copy(),
            to: [team.ada, team.grace, olga].map(\.identity.card))
        var writer = ByteWriter()
        writer.number(right.generation)
        writer.raw(right.commitment)
        writer.counted(right.previous)
        writer.number(UInt32(right.boxes.count))
        for (device, box) in right.boxes.sorted(by: { $0.key < $1.key }) {
            writer.raw(device.bytes)
            writer.counted(
                device == team.ada.identity.id ? [UInt8](repeating: 7, count: 32) : box)
        }
        var reader = ByteReader(writer.bytes)
        team.server.roster.append(
            roster.entry(
                .remove(
                    last: [eve.identity.id: LastChanges.none], try TeamKeyRenewal(reading: &reader)),
                by: olga.identity, date: TestDevice.start
            ).bytes)
        try team.ada.exchange()
        try team.grace.exchange()
        try team.ada.engine.remove([olga.identity.id])
        let lee = try team.ada.sponsor("lee", seed: 5, on: team.server)
        for device in [team.grace, team.ada, lee, team.grace, team.ada] {
            try device.exchange()
        }
        // Grace is away. Whoever writes to the server, without any key:
        var claimed = [UInt8](repeating: 5, count: 200)
        claimed.replaceSubrange(0..<6, with: [1, 1] + right.generation.bigEndianBytes)
        team.inject(claimed, as: team.record)
        claimed[1] = 2
        team.inject(claimed, as: DeviceHead.record(of: team.grace.identity.id, team: team.team))
        try team.ada.exchange()
        try team.ada.add("ada's")
        try team.ada.engine.setRole(of: lee.identity.id, to: .reader)
        let kay = try TestDevice.identity("kay", 7)
        try team.ada.engine.add(kay.card, .member)
        for device in [team.grace, lee, team.ada] {
            try device.exchange()
            let devices = device.engine.replica.roster.devices
            #expect(devices[lee.identity.id]?.role == .reader)
            #expect(devices[kay.id]?.role == .member)
        }
    }
}
