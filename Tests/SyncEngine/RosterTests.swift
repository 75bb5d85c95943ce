import Cryptography
import Secrets
import SyncConformance
import SyncServer
import Testing

@testable import SyncEngine

@Suite("Roster") struct RosterTests {
    private let server = MemoryServer()

    /// What counts of a reader's changes was decided when it became one. Later it has no right to make another, and who
    /// removes it may know less, or claim more.
    @Test func aReaderKeepsItsLastChangesWhenItIsRemoved() throws {
        let ada = try TestDevice(creating: server)
        let grace = try ada.sponsor("grace", seed: 2, on: server)
        let record = try grace.add("grace's")
        try ada.engine.setRole(of: grace.identity.id, to: .reader)
        let reader = grace.identity.id
        let tag = try #require(try ada.engine.replica.item(record)).winner.tag
        let later = Identifier(digestOf: [1])
        let before = ada.engine.replica.roster
        let last = try #require(before.devices[reader]?.last)
        #expect(last.tags == [tag])
        for claimed in [
            LastChanges.none, LastChanges(counter: 2, changes: DigestSum(), tags: [tag, later]),
        ] {
            var roster = before
            let renewal = try TeamKeyRenewal(
                try DeviceIdentity.makeSeed(), generation: 2,
                previous: try DeviceIdentity.makeSeed(), to: [ada.identity.card])
            try roster.append(
                roster.entry(
                    .remove(last: [reader: claimed], renewal), by: ada.identity,
                    date: TestDevice.start))
            #expect(roster.devices[reader]?.role == nil)
            #expect(roster.devices[reader]?.last == last)
            #expect(roster.allows(reader, tag))
            #expect(!roster.allows(reader, later))
        }
        try ada.engine.remove([reader])
        #expect(try ada.texts() == [record: "grace's"])
    }

    /// Of one that could make changes until then, the removal says which ones count.
    @Test func aMembersLastChangesAreThoseThatItsRemovalNames() throws {
        let ada = try TestDevice(creating: server)
        let grace = try ada.sponsor("grace", seed: 2, on: server)
        let record = try grace.add("grace's")
        try ada.exchange()
        let tag = try #require(try ada.engine.replica.item(record)).winner.tag
        try ada.engine.remove([grace.identity.id])
        let roster = ada.engine.replica.roster
        #expect(roster.devices[grace.identity.id]?.last?.tags == [tag])
        #expect(roster.allows(grace.identity.id, tag))
        #expect(!roster.allows(grace.identity.id, Identifier(digestOf: [1])))
    }

    /// Also by an entry that its own program would not make.
    @Test func anOwnerStays() throws {
        let ada = try TestDevice(creating: server)
        let grace = try ada.sponsor("grace", seed: 2, on: server)
        let before = ada.engine.replica.roster
        let none: [RosterEntry.Change] = [
            .leave, .setRole(ada.identity.id, .member, last: .none),
            .remove(
                last: [ada.identity.id: .none],
                try TeamKeyRenewal(
                    try DeviceIdentity.makeSeed(), generation: 2,
                    previous: try DeviceIdentity.makeSeed(), to: [grace.identity.card])),
        ]
        for change in none {
            var roster = before
            let entry = roster.entry(change, by: ada.identity, date: TestDevice.start)
            #expect(throws: KeychainError(.decode)) { try roster.append(entry) }
        }
    }
}
