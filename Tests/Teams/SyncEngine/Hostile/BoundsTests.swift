import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// Numbers and sizes that no honest server has.
@Suite("Hostile server: numbers and sizes") struct BoundsTests {
    let team: HostileTeam

    init() throws {
        team = try HostileTeam()
    }

    @Test func aRecordWithAStrangeVersionIsReplaced() throws {
        for version in [0, UInt64.max, 1 << 62] {
            let content = team.server.records[team.record]!.content
            team.server.sequence += 1
            team.server.sequences[team.record] = team.server.sequence
            team.server.records[team.record] = ServerRecord(
                id: team.record, version: version, content: content)
            #expect(try team.graceFindsForgery(of: team.record))
            #expect(team.server.records[team.record]!.version == 1)
        }
    }

    /// The roster says how many changes of it count, but not what it knew: others would keep any number of devices.
    @Test func aRemovedDevicesHeadNamesNoUnknownDevices() throws {
        let mallory = team.mallory.identity
        let roster = team.ada.engine.replica.roster
        let last = try #require(roster.devices[mallory.id]?.last)
        var seen = VersionVector()
        seen[try Identifier.random()] = 1
        let head = DeviceHead(
            counter: last.counter, changes: last.changes, seen: seen, roster, by: mallory)
        let record = DeviceHead.record(of: mallory.id, team: team.team)
        try team.inject(.head(head), as: record, under: team.keptKeys().last!)
        #expect(try team.graceFindsForgery(of: record))
        #expect(team.grace.engine.replica.heads[mallory.id] != head)
    }

    @Test func sequencesMayBeAnything() throws {
        let sequence = team.server.sequence
        for number in [UInt64.max, 0, 1, UInt64.max - 1, sequence] {
            team.server.sequence = number
            try team.grace.exchange()
            #expect(try team.grace.texts() == team.truth)
        }
        team.server.sequence = sequence
        try team.grace.set(team.record, "newer")
        try team.ada.exchange()
        #expect(try team.ada.texts()[team.record] == "newer")
    }

    @Test func theNumberOfEntriesCanNotOverflow() throws {
        for count in [UInt64.max, 1 << 63, UInt64(team.server.roster.count) + 1, 0] {
            team.server.show = { changes in
                ServerChanges(
                    head: ServerHead(
                        sequence: changes.head.sequence + 1, rosterCount: count),
                    roster: changes.roster, records: changes.records)
            }
            #expect(try team.isRefused(team.grace))
        }
    }

    @Test func aLamportTimeOfTheFarFutureLeavesRoomForLaterChanges() throws {
        let key = try #require(
            try team.grace.engine.replica.roster.keys(of: team.grace.identity).last)
        let change = try LocalChange(team.record, Secret("far"), in: team.grace.engine.replica)
        _ = try team.grace.engine.exchange([change])
        // Grace's next change has the last time that there is.
        let item = try #require(try team.grace.engine.replica.item(team.record))
        let far = try team.version(
            "far", of: team.record, by: team.grace.identity, 2, knowing: item.context,
            clock: SyncLimits.number - 1, under: key)
        let replica = try team.grace.engine.replica.copy()
        var changed = item
        changed.add(far)
        try replica.change { () throws(KeychainError) in
            try replica.set(changed, as: team.record, insteadOf: item)
        }
        let head = replica.head(of: team.grace.identity)
        try team.inject(.item(changed), as: team.record, under: key)
        try team.inject(
            .head(head), as: DeviceHead.record(of: head.device, team: team.team), under: key)
        #expect(try team.ada.exchange().findings.isEmpty)
        try team.ada.set(team.record, "later")
        #expect(try team.grace.exchange().findings.contains(.recordIsForged(team.record)) == false)
        #expect(try team.grace.texts()[team.record] == "later")
    }

    @Test func hugeCountsAreRefusedBeforeAnythingIsMade() throws {
        var writer = ByteWriter()
        writer.number(UInt32.max)
        var vector = ByteReader(writer.bytes)
        #expect(throws: KeychainError(.decode)) { try VersionVector(reading: &vector) }
        var item = ByteReader(writer.bytes)
        #expect(throws: KeychainError(.decode)) { try SharedItem(reading: &item) }
        var card = ByteReader(writer.bytes)
        #expect(throws: KeychainError(.decode)) { try DeviceCard(reading: &card) }
        var last = ByteReader([UInt8](repeating: 0, count: 40) + writer.bytes)
        #expect(throws: KeychainError(.decode)) { try LastChanges(reading: &last) }
        var renewal = ByteReader([UInt8](repeating: 0, count: 40) + writer.bytes)
        #expect(throws: KeychainError(.decode)) { try TeamKeyRenewal(reading: &renewal) }
    }

    @Test func aHugeRecordIsNotDecrypted() throws {
        // Of the size alone: the transport has its own bound, in front of this one.
        let content = [UInt8](
            unsafeUninitializedCapacity: SyncLimits.recordSize + 1
        ) { buffer, count in
            unsafe buffer.initialize(repeating: 1)
            count = SyncLimits.recordSize + 1
        }
        team.inject(content, as: team.record)
        #expect(try team.graceFindsForgery(of: team.record))
        #expect(throws: KeychainError(.decode)) { try RosterEntry(content) }
    }

    @Test func recordsThatNoDeviceMadeFillNothing() throws {
        let count = 2 * SyncLimits.forgeries
        team.server.show = { changes in
            let number = changes.head.sequence
            let forged = (0..<count).map { index in
                ServerRecord(
                    id: Identifier(digestOf: Array("\(number) \(index)".utf8)), version: 1,
                    content: [1])
            }
            return ServerChanges(
                head: changes.head, roster: changes.roster, records: forged + changes.records)
        }
        let items = try team.grace.engine.replica.items.count
        for _ in 0..<3 {
            team.server.sequence += 1
            let report = try team.grace.exchange()
            #expect(report.findings.count <= SyncLimits.forgeries + items)
            #expect(try team.grace.engine.replica.serverVersionCount() <= SyncLimits.forgeries + 10)
        }
        // A new record and a present one go both ways.
        try team.ada.set(team.record, "newer")
        let new = try team.ada.add("new")
        try team.grace.exchange()
        try team.grace.set(team.record, "newest")
        try team.grace.set(new, "changed")
        try team.ada.exchange()
        #expect(try team.ada.texts()[team.record] == "newest")
        #expect(try team.ada.texts()[new] == "changed")
    }

    @Test func requestsThatNoDeviceMadeFillNothing() throws {
        for number in 0..<300 {
            let device = Identifier(digestOf: Array("\(number)".utf8))
            team.inject(
                RecordContent.withdrawal(of: device), as: RecordContent.requestRecord(of: device))
        }
        let count = try team.grace.engine.replica.serverVersionCount()
        try team.grace.exchange()
        #expect(try team.grace.engine.replica.serverVersionCount() == count)
    }

    @Test func aHugeItemIsRefusedHere() throws {
        let content = Secret(copying: [UInt8](repeating: 1, count: (4 << 20) + 1).span)
        let change = try LocalChange(team.record, content, in: team.grace.engine.replica)
        #expect(throws: KeychainError(.param)) { try team.grace.engine.exchange([change]) }
        #expect(try team.grace.texts() == team.truth)
    }

    /// Neither the item here nor the server's is too large, but both together are.
    @Test func versionsThatDoNotFitInOneRecordGiveWay() throws {
        let key = try #require(
            try team.grace.engine.replica.roster.keys(of: team.grace.identity).last)
        let text = String(repeating: "x", count: 3 << 20)
        try team.ada.set(team.record, text)
        let ada = try #require(try team.ada.engine.replica.item(team.record))
        let version = try team.version(
            "grace's" + text, of: team.record, by: team.grace.identity, 1,
            knowing: VersionVector(), under: key)
        var both = ada
        both.add(version)
        let isDropped = both.winner == version && !both.versions.contains(ada.winner)
        #expect(isDropped && both.context[team.ada.identity.id] == ada.winner.counter)
        try team.inject(.item(SharedItem(version)), as: team.record, under: key)
        for device in [team.ada, team.grace, team.ada, team.grace] {
            try device.exchange()
        }
        for device in [team.ada, team.grace] {
            let isWinner = try device.texts()[team.record] == "grace's" + text
            #expect(isWinner)
            let report = try device.exchange()
            #expect(report.sent == 0 && !report.findings.contains(.recordIsForged(team.record)))
        }
        #expect(team.server.records[team.record]!.content.count <= SyncLimits.givenSize)
    }

    /// No way to a server takes it, but a folder does.
    @Test func aVersionThatIsTooLargeIsItsDevicesLie() throws {
        let key = try #require(
            try team.grace.engine.replica.roster.keys(of: team.grace.identity).last)
        let version = try team.version(
            String(repeating: "x", count: SyncLimits.givenItemSize), of: team.record,
            by: team.grace.identity, 1, knowing: VersionVector(), under: key)
        try team.inject(.item(SharedItem(version)), as: team.record, under: key)
        #expect(
            try team.ada.exchange().findings.contains(.changeContradicts(team.grace.identity.card)))
        #expect(try team.ada.texts() == team.truth)
        #expect(try team.ada.exchange().isQuiet)
    }

    @Test func veryManyVersionsTakeNoQuadraticTime() throws {
        // Mallory seals a record of very many unsigned versions: they are sorted before a signature is checked.
        let key = try team.keptKeys()[0]
        var versions: [ItemVersion] = []
        let one = try team.version(
            "x", of: team.record, by: team.mallory.identity, 1, knowing: VersionVector(),
            under: key)
        var writer = ByteWriter()
        one.append(to: &writer)
        for number in 0..<2000 {
            var bytes = writer.bytes
            let id = Identifier(digestOf: Array("\(number)".utf8)).bytes
            bytes.replaceSubrange(0..<16, with: id)
            bytes.replaceSubrange(28..<44, with: id)
            var reader = ByteReader(bytes)
            versions.append(try ItemVersion(reading: &reader))
        }
        var item = SharedItem(versions[0])
        for version in versions.dropFirst(1990) {
            item.add(version)
        }
        try team.inject(.item(item), as: team.record, under: key)
        #expect(try team.graceFindsForgery(of: team.record))
    }

    /// Each names other devices than the others do, which never were.
    @Test func contextsWithNothingInCommonAreRefused() throws {
        let key = try #require(try team.keptKeys().last)
        var writer = ByteWriter()
        writer.number(UInt32(100))
        for number in 0..<100 {
            var context = VersionVector()
            for other in 0..<200 {
                context[
                    try Identifier(
                        UInt64(other).bigEndianBytes + UInt64(number).bigEndianBytes)] = 1
            }
            try team.version(
                "x", of: team.record, by: TestDevice.identity("d", UInt8(number)), 1,
                knowing: context, clock: UInt64(100 - number), under: key
            ).append(to: &writer)
        }
        writer.number(UInt32(0))
        #expect(throws: KeychainError(.decode)) { try SharedItem(writer.bytes) }
    }
}
