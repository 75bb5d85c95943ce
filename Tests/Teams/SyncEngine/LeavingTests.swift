import LanyardCryptography
import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

@Suite("Leaving a team") struct LeavingTests {
    private let server = MemoryServer()

    private func add(_ device: TestDevice, _ content: String) throws -> Identifier {
        let change = try LocalChange(adding: Secret(content))
        _ = try device.engine.exchange([change])
        return change.record
    }

    @Test(arguments: Role.allCases) func anyDeviceLeavesAndAnOwnerRenewsTheKey(
        _ role: Role
    ) throws {
        let ada = try TestDevice(creating: server)
        let grace = try ada.sponsor("grace", seed: 2, role, on: server)
        let lin = try ada.sponsor("lin", seed: 3, on: server)
        let record = try role == .reader ? add(ada, "one") : add(grace, "one")
        try grace.engine.leave()

        // What it changed stays, and it gets nothing any more.
        #expect(throws: KeychainError(.missingEntitlement)) { try grace.engine.exchange() }
        _ = try lin.engine.exchange()
        #expect(try lin.engine.replica.item(record) != nil)
        #expect(lin.engine.replica.roster.present.map(\.card.person) == ["ada", "lin"])
        // A member can't renew the key, and needs not.
        try lin.engine.removeLeavingDevices()
        #expect(lin.engine.replica.roster.generation == 1)
        _ = try add(lin, "two")
        _ = try ada.engine.exchange()
        try ada.engine.removeLeavingDevices()
        try ada.engine.removeLeavingDevices()
        #expect(ada.engine.replica.roster.generation == 2)
        _ = try lin.engine.exchange()
        #expect(lin.engine.replica.roster.generation == 2)
        _ = try add(lin, "three")
        #expect(try TestDevice.keys(lin).last?.generation == 2)
    }

    /// What it signs of its changes does not stop the others.
    @Test func aLeavingDeviceThatLiesIsRemoved() throws {
        let ada = try TestDevice(creating: server)
        let grace = try ada.sponsor("grace", seed: 2, on: server)
        let lin = try ada.sponsor("lin", seed: 3, on: server)
        _ = try add(ada, "zero")
        for device in [grace, lin] {
            try device.exchange()
        }
        let replica = try grace.engine.replica.copy()
        let head = DeviceHead(
            counter: 999, changes: DigestSum(), seen: VersionVector(), replica.roster,
            by: grace.identity)
        let record = DeviceHead.record(of: head.device, team: replica.roster.team)
        let key = try #require(try TestDevice.keys(grace).last)
        let content = try RecordContent.head(head).seal(
            as: record, team: replica.roster.team, under: key)
        _ = try server.put(
            [
                ServerRecord(
                    id: record, version: server.records[record]?.version ?? 0, content: content)
            ], rosterCount: UInt64(replica.roster.entries.count))
        try grace.engine.leave()

        _ = try add(lin, "one")
        _ = try ada.engine.exchange()
        try ada.engine.removeLeavingDevices()
        #expect(ada.engine.replica.roster.generation == 2)
        #expect(try lin.exchange().findings.isEmpty)
        _ = try ada.sponsor("kay", seed: 4, on: server)
    }

    /// What an owner sends first is not for it.
    @Test func anotherRemovalTakesTheLeavingDeviceAlong() throws {
        let ada = try TestDevice(creating: server)
        let grace = try ada.sponsor("grace", seed: 2, on: server)
        let lin = try ada.sponsor("lin", seed: 3, on: server)
        try grace.engine.leave()
        try ada.engine.remove([lin.identity.id])
        #expect(ada.engine.replica.roster.leaving.isEmpty)
        #expect(ada.engine.replica.roster.devices[grace.identity.id]?.role == nil)
        #expect(ada.engine.replica.roster.generation == 2)
    }

    @Test func theLastOwnerStays() throws {
        let ada = try TestDevice(creating: server)
        _ = try ada.sponsor("grace", seed: 2, on: server)
        #expect(throws: KeychainError(.param)) { try ada.engine.leave() }
        _ = try ada.engine.exchange()
    }

    /// It can take itself out, and no other device.
    @Test func aLeavingDeviceSignsForItselfAlone() throws {
        let ada = try TestDevice(creating: server)
        let grace = try ada.sponsor("grace", seed: 2, on: server)
        _ = try ada.engine.exchange()
        var roster = ada.engine.replica.roster
        let renewal = try TeamKeyRenewal(
            try DeviceIdentity.makeSeed(), generation: 2, previous: try DeviceIdentity.makeSeed(),
            to: [ada.identity.card])
        let removal = roster.entry(
            .remove(last: [grace.identity.id: .none], renewal), by: grace.identity,
            date: TestDevice.start)
        #expect(throws: KeychainError(.decode)) { try roster.append(removal) }
        let leaving = roster.entry(.leave, by: grace.identity, date: TestDevice.start)
        #expect(try RosterEntry(leaving.bytes).bytes == leaving.bytes)
        try roster.append(leaving)
        #expect(roster.leaving == [grace.identity.id])
        // Once.
        let again = roster.entry(.leave, by: grace.identity, date: TestDevice.start)
        #expect(throws: KeychainError(.decode)) { try roster.append(again) }
    }
}

extension TestDevice {
    fileprivate static func keys(_ device: TestDevice) throws -> [TeamKey] {
        try device.engine.replica.roster.keys(of: device.identity)
    }
}
