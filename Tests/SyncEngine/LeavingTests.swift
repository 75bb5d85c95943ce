import Secrets
import SyncServer
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
        #expect(lin.engine.replica.items[record] != nil)
        #expect(lin.engine.replica.roster.present.map(\.card.person) == ["ada", "lin"])
        // A member can't renew the key, and needs not.
        try lin.engine.renewKeyIfNeeded()
        #expect(lin.engine.replica.roster.generation == 1)
        _ = try add(lin, "two")
        _ = try ada.engine.exchange()
        try ada.engine.renewKeyIfNeeded()
        try ada.engine.renewKeyIfNeeded()
        #expect(ada.engine.replica.roster.generation == 2)
        _ = try lin.engine.exchange()
        #expect(lin.engine.replica.roster.generation == 2)
        _ = try add(lin, "three")
        #expect(try TestDevice.keys(lin).last?.generation == 2)
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
        let leaving = roster.entry(
            .leave(last: .none), by: grace.identity, date: TestDevice.start)
        #expect(try RosterEntry(leaving.bytes).bytes == leaving.bytes)
        try roster.append(leaving)
        #expect(roster.needsRenewal)
        // Once.
        let again = roster.entry(.leave(last: .none), by: grace.identity, date: TestDevice.start)
        #expect(throws: KeychainError(.decode)) { try roster.append(again) }
    }
}

extension TestDevice {
    fileprivate static func keys(_ device: TestDevice) throws -> [TeamKey] {
        try device.engine.replica.roster.keys(of: device.identity)
    }
}
