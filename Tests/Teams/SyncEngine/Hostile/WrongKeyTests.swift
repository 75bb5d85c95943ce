import LanyardCryptography
import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// Olga, an owner, removes Eve and makes the team's next key, with something wrong in it.
@Suite("Hostile member: a wrong key") struct WrongKeyTests {
    /// What is wrong.
    enum Wrong: CaseIterable {
        case previous, adasBox, gracesBox, commitment
    }

    let team: HostileTeam
    let olga: TestDevice
    let eve: TestDevice

    init() throws {
        team = try HostileTeam()
        olga = try team.ada.sponsor("olga", seed: 10, .owner, on: team.server)
        eve = try team.ada.sponsor("eve", seed: 9, on: team.server)
        for device in devices + [olga] {
            try device.exchange()
        }
    }

    private var devices: [TestDevice] { [team.ada, team.grace] }

    /// Stores the removal.
    private func renew(_ wrong: Wrong) throws {
        let roster = olga.engine.replica.roster
        let key = try #require(try roster.keys(of: olga.identity).last)
        let staying = [team.ada, team.grace, olga].map { $0.identity.card }
        let right = try TeamKeyRenewal(
            DeviceIdentity.makeSeed(), generation: roster.generation + 1, previous: key.key.copy(),
            to: staying)
        var writer = ByteWriter()
        writer.number(right.generation)
        let rubbish = [UInt8](repeating: 7, count: KeyedDigest.size)
        writer.raw(wrong == .commitment ? rubbish : right.commitment)
        writer.counted(wrong == .previous ? rubbish : right.previous)
        writer.number(UInt32(right.boxes.count))
        for (device, box) in right.boxes.sorted(by: { $0.key < $1.key }) {
            let isWrong =
                wrong == .adasBox && device == team.ada.identity.id
                || wrong == .gracesBox && device == team.grace.identity.id
            writer.raw(device.bytes)
            writer.counted(isWrong ? rubbish : box)
        }
        var reader = ByteReader(writer.bytes)
        let entry = roster.entry(
            .remove(
                last: [eve.identity.id: LastChanges.none], try TeamKeyRenewal(reading: &reader)),
            by: olga.identity, date: TestDevice.start)
        team.server.roster.append(entry.bytes)
    }

    /// Exchanges until all have what the others have.
    private func settle() throws {
        for device in devices + devices + devices {
            try device.exchange()
        }
    }

    /// All go on as far as they have the key, Ada removes Olga, and nothing is lost.
    @Test(arguments: Wrong.allCases) func stopsNeitherTheTeamNorARemoval(_ wrong: Wrong) throws {
        try renew(wrong)
        let card = olga.identity.card
        for device in devices + devices {
            let lacksKey =
                [.adasBox, .gracesBox, .commitment].contains(wrong)
                && !(wrong == .adasBox && device === team.grace)
                && !(wrong == .gracesBox && device === team.ada)
            let finding: SyncReport.Finding? =
                lacksKey
                ? .keyIsMissing(card) : wrong == .previous ? .keysAreHidden(card) : nil
            #expect(try device.exchange().findings == Set([finding].compactMap { $0 }))
            #expect(try device.texts() == team.truth)
        }
        var truth = team.truth
        for device in devices {
            let record = try device.add("new")
            // It waits where the key is missing.
            truth[record] = try device.texts()[record]
        }
        try settle()
        try team.ada.engine.remove([olga.identity.id])
        try settle()
        for device in devices {
            #expect(try device.texts() == truth)
            #expect(try device.exchange().findings.isEmpty)
        }
        for device in devices {
            truth[try device.add("last")] = "last"
        }
        try settle()
        let kay = try team.join(7) {}
        for device in devices + [kay] {
            try device.exchange()
            #expect(try device.texts() == truth)
            #expect(try device.exchange().isQuiet)
        }
        #expect(throws: KeychainError(.missingEntitlement)) { try olga.exchange() }
    }

    /// Also if she stays: items from before come to a device that joins.
    @Test func hidesNothingFromWhoJoins() throws {
        try renew(.previous)
        try settle()
        let kay = try team.join(7) {}
        #expect(try kay.texts() == team.truth)
        for device in devices + [kay] {
            #expect(try device.exchange().findings == [.keysAreHidden(olga.identity.card)])
        }
    }

    /// Olga adds a device with a wrong key.
    @Test func isNamedWhereADeviceJoins() throws {
        try olga.exchange()
        let kay = try TestDevice.identity("kay", 7)
        let change = RosterEntry.Change.add(kay.card, .member, key: [1, 2], seen: VersionVector())
        team.server.roster.append(
            olga.engine.replica.roster.entry(change, by: olga.identity, date: TestDevice.start)
                .bytes)
        let error = #expect(throws: KeychainError.self) {
            try TestDevice(kay, joining: team.server, team: team.team)
        }
        #expect(error?.reason.contains("'laptop' of olga") == true)
        try team.ada.engine.remove([olga.identity.id])
        let device = try TestDevice(kay, joining: team.server, team: team.team)
        #expect(try device.texts() == team.truth)
        #expect(try device.exchange().isQuiet)
    }

    /// What Grace stores under the key that Ada lacks, stays until Grace stores it again under the next one.
    @Test func losesNoChangeUnderIt() throws {
        try renew(.adasBox)
        try team.grace.set(team.record, "newer")
        let stored = try #require(team.server.records[team.record])
        try team.ada.engine.remove([olga.identity.id])
        for _ in 0..<3 {
            #expect(try team.ada.exchange().findings.isEmpty)
            #expect(team.server.records[team.record] == stored)
        }
        try settle()
        for device in devices {
            #expect(try device.texts()[team.record] == "newer")
            #expect(try device.exchange().isQuiet)
        }
        // Rubbish that names this key is replaced.
        let rubbish = [1, 1] + stored.content[2..<6] + [UInt8](repeating: 1, count: 100)
        for record in [team.record, team.unseen] {
            team.inject(rubbish, as: record)
        }
        try settle()
        for record in [team.record, team.unseen] {
            #expect(team.server.records[record]?.content != rubbish)
        }
        #expect(try team.join(7) {}.texts()[team.record] == "newer")
    }
}
