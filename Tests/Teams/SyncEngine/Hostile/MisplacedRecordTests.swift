import LanyardCryptography
import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// A member who stores what is right where something else belongs, or what takes long to read.
@Suite("Hostile member: records in other places") struct MisplacedRecordTests {
    let team: HostileTeam
    /// A second honest member.
    let kay: TestDevice

    init() throws {
        team = try HostileTeam()
        kay = try team.join(4) {}
        try team.grace.set(team.record, "grace's")
        try team.ada.exchange()
        try kay.exchange()
        try team.grace.exchange()
    }

    private var key: TeamKey {
        get throws { try team.grace.engine.replica.roster.keys(of: team.grace.identity).last! }
    }

    /// Stores an item of Grace's.
    private func inject(
        as record: Identifier, knowing context: VersionVector = VersionVector(), after count: UInt64
    ) throws {
        let version = try team.version(
            "x", of: record, by: team.grace.identity, team.grace.engine.counter + count,
            knowing: context, under: key)
        try team.inject(.item(SharedItem(version)), as: record, under: key)
    }

    /// The others become quiet, exchange changes, can remove Grace, and add a device.
    private func expectTheOthersGoOn() throws {
        for isMember in [true, false] {
            for device in [team.ada, kay, team.ada, kay] {
                try device.exchange()
            }
            #expect(try team.ada.exchange().sent == 0)
            #expect(try kay.exchange().sent == 0)
            let record = try team.ada.add("ada's \(isMember)")
            try kay.exchange()
            try kay.set(record, "kay's \(isMember)")
            try team.ada.exchange()
            #expect(try team.ada.texts()[record] == "kay's \(isMember)")
            if isMember {
                try team.ada.engine.remove([team.grace.identity.id])
            }
        }
        for device in [team.ada, kay] {
            #expect(try device.exchange().findings.isEmpty)
        }
        let lee = try team.ada.sponsor("lee", seed: 9, on: team.server)
        #expect(try lee.engine.replica.items == team.ada.engine.replica.items)
    }

    /// Each would be given instead of the other, at every exchange.
    @Test(arguments: [true, false]) func anItemInTheRecordOfAHead(_ isOwn: Bool) throws {
        let device = isOwn ? team.grace.identity.id : team.ada.identity.id
        let record = DeviceHead.record(of: device, team: team.team)
        try inject(as: record, after: 1)
        #expect(try team.ada.exchange().findings.contains(.recordIsForged(record)))
        try expectTheOthersGoOn()
    }

    /// Its id is known when it asks to be added. No one else is blamed, and no one is kept out.
    @Test func anItemInTheRecordOfAHeadToCome() throws {
        let (lee, max) = (try TestDevice.identity("lee", 8), try TestDevice.identity("max", 11))
        let record = DeviceHead.record(of: lee.id, team: team.team)
        _ = try team.grace.engine.exchange([LocalChange(record, Secret("x"), base: nil)])
        #expect(
            try kay.exchange().findings == [
                .recordIsForged(record), .changesAreMissing(team.grace.identity.card),
            ])
        try kay.add("kay's")
        #expect(throws: KeychainError(.decode)) { try team.ada.engine.add(max.card, .member) }
        try team.ada.engine.remove([team.grace.identity.id])
        for card in [max.card, lee.card] {
            try team.ada.engine.add(card, .member)
        }
        let joined = try [lee, max].map {
            try TestDevice($0, joining: team.server, team: team.team)
        }
        for device in joined {
            try device.add("new")
        }
        let devices = joined + [team.ada, kay]
        for device in devices + devices {
            try device.exchange()
        }
        for device in devices {
            #expect(try device.exchange().findings.isEmpty)
            #expect(try device.texts() == kay.texts())
        }
        try team.ada.engine.setRole(of: lee.id, to: .reader)
    }

    @Test func anItemInTheRecordOfARequest() throws {
        let lee = try TestDevice.identity("lee", 8)
        let record = RecordContent.requestRecord(of: lee.id)
        try inject(as: record, after: 1)
        #expect(try kay.exchange().findings.contains(.recordIsForged(record)))
        try team.server.requestToJoin(lee.card, wait: { _ in })
        try team.ada.exchange()
        #expect(team.ada.engine.replica.requests[lee.id] == lee.card)
        try expectTheOthersGoOn()
    }

    /// There is no room for more versions of records, but those of heads are needed.
    @Test func aHeadInALaterFormAmongVeryManyRecords() throws {
        for _ in 0..<(SyncLimits.forgeries + 10) {
            team.inject([1, 2, 3], as: try Identifier.random())
        }
        let ada = team.ada.identity.id
        let record = DeviceHead.record(of: ada, team: team.team)
        let prefix = try [2, 2] + key.generation.bigEndianBytes
        let box = try SealedBox.seal(
            [1, 2, 3].span, under: key.recordKey,
            associatedData: Array("lanyard team record".utf8) + prefix + team.team.bytes
                + record.bytes)
        team.inject(prefix + box, as: record)
        let added = try team.ada.add("ada's")
        try kay.exchange()
        #expect(try kay.texts()[added] == "ada's")
    }

    /// Versions that name changes of devices that never were: no server is asked for the heads of these.
    @Test func versionsThatNameUnknownDevices() throws {
        for number in 0..<20 {
            var context = VersionVector()
            context[try Identifier.random()] = 1
            try inject(as: Identifier.random(), knowing: context, after: UInt64(number + 1))
        }
        var asked = 0
        team.server.onRecord = { asked += 1 }
        #expect(
            try team.ada.exchange().findings.contains(.changeContradicts(team.grace.identity.card)))
        #expect(asked < 10)
        team.server.onRecord = {}
        try expectTheOthersGoOn()
    }

    /// Each of 200 that drops out lets another one count: it took minutes, before any signature was checked.
    @Test func versionsThatDropOutOneByOne() throws {
        let bytes = try record(count: 200)
        let time = ContinuousClock().measure {
            #expect(throws: KeychainError(.decode)) { try SharedItem(bytes) }
        }
        #expect(time < .seconds(10))
    }

    private func record(count: Int) throws -> [UInt8] {
        func device(_ name: String) throws -> DeviceIdentity {
            try DeviceIdentity(person: name, name: "laptop", seed: try DeviceIdentity.makeSeed())
        }
        func version(
            _ device: DeviceIdentity, clock: UInt64, knowing others: [Identifier]
        ) throws -> ItemVersion {
            var context = VersionVector()
            for other in others {
                context[other] = 1
            }
            return try ItemVersion(
                of: team.record, content: nil, context: context, counter: 1, clock: clock,
                date: TestDevice.start, by: device, team: team.team, under: key)
        }
        // The first one replaces each of the left ones, and these one of the right ones, which replaces the first one too
        // and is the only one to name what the next left one names.
        let first = try device("first")
        let left = try (0..<count).map { _ in try device("left") }
        let right = try (0..<count).map { _ in try device("right") }
        let named = try (0..<count).map { _ in try Identifier.random() }
        var versions = [try version(first, clock: 1000, knowing: (left + right).map(\.id))]
        for index in 0..<count {
            versions += [
                try version(right[index], clock: 500, knowing: [first.id, named[index]]),
                try version(
                    left[index], clock: 10,
                    knowing: [right[index].id] + (index > 0 ? [named[index - 1]] : [])),
            ]
        }
        var writer = ByteWriter()
        writer.number(UInt32(versions.count))
        for version in versions {
            version.append(to: &writer)
        }
        writer.number(UInt32(0))
        return writer.bytes
    }
}
