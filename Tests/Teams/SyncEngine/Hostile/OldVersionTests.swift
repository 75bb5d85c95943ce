import LanyardCryptography
import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// Old contents in place of new ones: what a device heard to be stored comes back, and no other device is blamed for long.
@Suite("Hostile server: old versions") struct OldVersionTests {
    let team: HostileTeam
    let kay: TestDevice
    let eve: TestDevice

    init() throws {
        team = try HostileTeam()
        kay = try team.join(4) {}
        try kay.add("kay's first")
        eve = try team.ada.sponsor("eve", seed: 9, on: team.server)
        for device in devices {
            try device.exchange()
        }
    }

    private var devices: [TestDevice] { [team.ada, team.grace, kay] }

    private func missing(_ device: TestDevice) -> SyncReport.Finding {
        .changesAreMissing(device.identity.card)
    }

    /// Puts a content where another one is, with that one's version and place.
    private func replace(_ record: Identifier, by content: [UInt8]) {
        let version = team.server.records[record]!.version
        team.server.records[record] = ServerRecord(id: record, version: version, content: content)
    }

    /// Exchanges a few times, with other changes between, and expects that all find each other's changes then.
    private func expectTheyAgree(on record: Identifier, _ text: String?) throws {
        for number in 0..<3 {
            for device in devices {
                try device.exchange()
                try device.add("other \(number)")
            }
        }
        for device in devices + devices {
            try device.exchange()
        }
        for device in devices {
            #expect(try device.exchange().findings.isEmpty)
            #expect(try device.texts()[record] == text)
        }
        let max = try team.ada.sponsor("max", seed: 6, on: team.server)
        #expect(try max.texts()[record] == text)
    }

    /// An old version with the signature of its device's newest change, as if that one had been dropped.
    @Test(arguments: ["new", nil], [false, true])
    func anOldVersionBehindANewSignature(_ text: String?, _ isInPlace: Bool) throws {
        let record = try team.grace.add("old")
        let old = try #require(try team.grace.engine.replica.item(record)).winner
        for device in devices {
            try device.exchange()
        }
        try team.grace.set(record, text)
        let key = try #require(team.ada.engine.replica.roster.keys(of: team.ada.identity).last)
        let change = try #require(try team.grace.engine.replica.item(record)).winner.change
        var writer = ByteWriter()
        writer.number(UInt32(1))
        old.append(to: &writer)
        writer.number(UInt32(1))
        change.append(to: &writer)
        let content = try RecordContent.item(SharedItem(writer.bytes)).seal(
            as: record, team: team.team, under: key)
        if isInPlace {
            try team.grace.add("noise")
            try team.ada.exchange()
            replace(record, by: content)
        } else {
            team.inject(content, as: record)
        }
        let device = isInPlace ? kay : team.ada
        #expect(try device.exchange().findings.contains(.recordIsForged(record)))
        try expectTheyAgree(on: record, text)
    }

    /// Devices that have the new one look at it no more: who was away, or joins, asks for it.
    @Test(arguments: [false, true]) func anOldRecordInPlace(_ joins: Bool) throws {
        let record = try team.grace.add("old")
        let old = team.server.records[record]!.content
        for device in devices {
            try device.exchange()
        }
        try team.grace.set(record, "new")
        for device in joins ? devices : [team.ada] {
            try device.add("noise")
        }
        try team.grace.add("noise")
        for device in joins ? devices : [team.ada, team.grace] {
            try device.exchange()
        }
        replace(record, by: old)
        if joins {
            let lee = try TestDevice.identity("lee", 5)
            try team.ada.engine.add(lee.card, .member)
            #expect(throws: KeychainError(.decode)) {
                try TestDevice(lee, joining: team.server, team: team.team)
            }
            #expect(try team.grace.exchange().findings.contains(.serverIsOlder))
            _ = try TestDevice(lee, joining: team.server, team: team.team)
        } else {
            #expect(try kay.exchange().findings.contains(missing(team.grace)))
            // Once.
            #expect(try kay.exchange().sent == 0)
        }
        try expectTheyAgree(on: record, "new")
    }

    /// Eve writes often over what Grace stored, which is hidden from Ada, who removes her: none of it counts.
    @Test func whatWasWrittenOverOftenIsNotLost() throws {
        let before = team.server.backup
        let record = try team.grace.add(String(repeating: "g", count: 70_000))
        try eve.exchange()
        for number in 0..<12 {
            try eve.set(record, "eve \(number)")
        }
        for device in [team.grace, kay] {
            try device.exchange()
        }
        let after = team.server.backup
        team.server.backup = before
        try team.ada.engine.remove([eve.identity.id])
        let removal = team.server.roster.last!
        team.server.backup = after
        team.server.roster.append(removal)
        for device in devices + devices {
            #expect(try !device.exchange().findings.contains(missing(team.grace)))
        }
        try expectTheyAgree(on: record, String(repeating: "g", count: 70_000))
    }

    /// Grace's head names a change of Eve that Ada did not know when Eve became a reader for a while.
    @Test func aHeadThatNamesAChangeBeforeARoleWasGivenBack() throws {
        let record = try eve.add("eve's")
        try team.grace.add("grace's first")
        for device in devices {
            try device.exchange()
        }
        let before = team.server.backup
        try eve.set(record, "hidden")
        try team.grace.add("grace's other")
        let after = team.server.backup
        team.server.backup = before
        try team.ada.engine.setRole(of: eve.identity.id, to: .reader)
        try team.ada.engine.setRole(of: eve.identity.id, to: .member)
        let entries = team.server.roster.suffix(2)
        team.server.backup = after
        team.server.roster += entries
        for id in [record, DeviceHead.record(of: eve.identity.id, team: team.team)] {
            team.inject(before.records[id]!.content, as: id)
        }
        for device in [team.ada, kay] {
            #expect(try !device.exchange().findings.contains(missing(team.grace)))
        }
        try team.ada.engine.add(try TestDevice.identity("lee", 5).card, .member)
    }

    /// Whoever can write to the server overwrites a device's head all the time.
    @Test func aHeadThatIsAlwaysOverwritten() throws {
        let head = DeviceHead.record(of: kay.identity.id, team: team.team)
        for number in 0..<3 {
            let record = try kay.add("kay's \(number)")
            team.inject([1, 2, 3], as: head)
            for device in [team.ada, team.grace] {
                let findings = try device.exchange().findings
                #expect(findings.contains(.headIsOlder(kay.identity.card)), "\(findings)")
                #expect(!findings.contains(missing(kay)))
                #expect(try device.texts()[record] == "kay's \(number)")
                team.inject([1, 2, 3], as: head)
            }
            try team.grace.add("grace's \(number)")
        }
        let max = try team.ada.sponsor("max", seed: 6, on: team.server)
        #expect(try max.texts() == team.ada.texts())
        try kay.exchange()
        for device in devices + [max] + devices {
            try device.exchange()
        }
        #expect(try max.exchange().findings.isEmpty)
    }
}
