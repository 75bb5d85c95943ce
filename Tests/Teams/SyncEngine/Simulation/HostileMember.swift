import LanyardCryptography
import TestSupport
import LanyardSecrets
import SyncConformance

@testable import SyncEngine

/// A member whose client signs whatever it likes, and stores it on an honest server. It has the keys that it got while it
/// was in the team.
struct HostileMember {
    let identity: DeviceIdentity
    /// What it knows of the team.
    let replica: Replica
    let server: any SyncTransport

    private var team: Identifier { replica.roster.team }

    /// Signs something, and stores it.
    func lie(_ random: inout SeededRandom) throws {
        guard let key = try replica.roster.keys(of: identity).last else {
            return
        }
        switch random.number(below: 100) {
        case ..<15:
            let head = try head(&random)
            let record = DeviceHead.record(of: identity.id, team: team)
            try put(try RecordContent.head(head).seal(as: record, team: team, under: key), record)
        case ..<20:
            let other = random.element(of: replica.roster.devices.keys.sorted())
            try put(random.bytes(100), DeviceHead.record(of: other, team: team))
        case ..<22:
            _ = try server.putRoster(entry(&random), at: server.head())
        case ..<25:
            // Records of one part of the rows: RowSets.
            for _ in 0..<10 {
                try storeItem([0, 1] + random.bytes(Identifier.size - 2), &random, under: key)
            }
        default: try storeItem(place(&random), &random, under: key)
        }
    }

    /// An entry of the roster that it may not sign, or that no program can read.
    private func entry(_ random: inout SeededRandom) throws -> [UInt8] {
        let shown = try server.changes(since: .start).roster
        let other = random.element(of: replica.roster.devices.keys.sorted())
        let entry = replica.roster.entry(
            random.chance(50)
                ? .setRole(identity.id, .owner, last: .none)
                : .setRole(other, .reader, last: .none),
            by: identity, date: Timestamp(secondsSinceEpoch: 0)
        ).bytes
        return switch random.number(below: 4) {
        case 0: random.bytes(random.number(below: 200))
        case 1: random.element(of: shown)
        case 2: [2] + random.element(of: shown).dropFirst()
        default: entry
        }
    }

    /// Where it stores an item: mostly where one is, else where none is, or where the head or the request of a device is or
    /// will be.
    private func place(_ random: inout SeededRandom) throws -> [UInt8] {
        let records = try replica.items.keys.sorted()
        let devices = replica.roster.devices.keys.sorted() + replica.requests.keys.sorted()
        return switch random.number(below: 20) {
        case 0: RecordContent.requestRecord(of: random.element(of: devices)).bytes
        case 1: DeviceHead.record(of: random.element(of: devices), team: team).bytes
        case 3... where !records.isEmpty: random.element(of: records).bytes
        default: random.bytes(Identifier.size)
        }
    }

    private func storeItem(
        _ record: [UInt8], _ random: inout SeededRandom, under key: TeamKey
    ) throws {
        let record = try Identifier(record)
        let present = try present(record)
        var item: SharedItem?
        // It keeps what is there, or some of it, or nothing.
        let kept = random.number(below: 3)
        for version in present?.versions ?? [] where kept == 0 || kept == 1 && random.chance(50) {
            item = item.map { adding(version, to: $0) } ?? SharedItem(version)
        }
        let count = random.chance(10) ? 40 : 1
        for _ in 0..<count {
            let size =
                count > 1 || random.chance(95)
                ? random.number(below: 100) : random.chance(50) ? 300_000 : 2 << 20
            let version = try version(of: record, size: size, present, &random, under: key)
            item = item.map { adding(version, to: $0) } ?? SharedItem(version)
        }
        guard let item else {
            return
        }
        var dropped = item.dropped
        if random.chance(15) {
            dropped += try self.dropped(from: record, present, &random)
            dropped.sort { ($0.device, $0.tag) < ($1.device, $1.tag) }
        }
        try put(
            seal(bytes(of: item, dropped), as: record, random.chance(5) ? 2 : 1, under: key), record
        )
    }

    /// Changes without their versions: one of its own that has none, that of another device whose version it hides, and that
    /// with another number.
    private func dropped(
        from record: Identifier, _ present: SharedItem?, _ random: inout SeededRandom
    ) throws -> [SignedChange] {
        let other = present?.versions.first { $0.device != identity.id }?.change
        switch (random.number(below: 3), other) {
        case (0, let other?): return [other]
        case (1, let other?):
            return [
                SignedChange(
                    device: other.device, counter: number(near: other.counter + 1, &random) + 1,
                    digest: random.bytes(KeyedDigest.size), signature: other.signature)
            ]
        default:
            let last = present?.context[identity.id] ?? replica.seen[identity.id]
            return [
                SignedChange(
                    of: record, max(1, number(near: last + 1, &random)),
                    digest: random.bytes(KeyedDigest.size), by: identity, team: team)
            ]
        }
    }

    /// The stored form of an item with these dropped changes, whether they belong there or not.
    private func bytes(of item: SharedItem, _ dropped: [SignedChange]) -> [UInt8] {
        var writer = ByteWriter()
        writer.number(UInt32(item.versions.count))
        for version in item.versions {
            version.append(to: &writer)
        }
        writer.number(UInt32(dropped.count))
        for change in dropped {
            change.append(to: &writer)
        }
        return writer.bytes
    }

    /// The stored form of an item's record, as a program of that form makes it.
    private func seal(
        _ item: [UInt8], as record: Identifier, _ format: UInt8, under key: TeamKey
    ) throws -> [UInt8] {
        let prefix = [format, 1] + key.generation.bigEndianBytes
        let box = try Padding.pad(item.span).withBytes { padded throws(KeychainError) in
            try SealedBox.seal(
                padded, under: key.recordKey,
                associatedData: Array("lanyard team record".utf8) + prefix + team.bytes
                    + record.bytes)
        }
        return prefix + box
    }

    private func adding(_ version: ItemVersion, to item: SharedItem) -> SharedItem {
        var item = item
        item.add(version)
        return item
    }

    /// What the server has of an item, as far as it can read it.
    private func present(_ record: Identifier) throws -> SharedItem? {
        if let stored = try server.record(record),
            case .item(let item) = try? RecordContent(
                stored.content, of: record, team: team, under: replica.roster.keys(of: identity))
        {
            return item
        }
        return try replica.item(record)
    }

    private func put(_ content: [UInt8], _ record: Identifier) throws {
        let version = try server.record(record)?.version ?? 0
        _ = try server.put(
            [ServerRecord(id: record, version: version, content: content)],
            rosterCount: try server.head().rosterCount)
    }

    private func number(near right: UInt64, _ random: inout SeededRandom) -> UInt64 {
        switch random.number(below: 8) {
        case 0: 0
        case 1: right + UInt64(random.number(below: 3))
        case 2: UInt64(random.number(below: 200))
        case 3: SyncLimits.number - 1
        case 4: 1 << 33
        default: right
        }
    }

    private func version(
        of record: Identifier, size: Int, _ item: SharedItem?, _ random: inout SeededRandom,
        under key: TeamKey
    ) throws -> ItemVersion {
        var context = VersionVector()
        for other in replica.roster.devices.keys.sorted()
        where other != identity.id && random.chance(60) {
            context[other] = number(near: item?.context[other] ?? 0, &random)
        }
        // Often a number that it used already, which others know.
        let last = item?.context[identity.id] ?? replica.seen[identity.id]
        let counter = max(
            1, random.chance(50) ? last : number(near: replica.seen[identity.id] + 1, &random))
        let clock =
            random.chance(50)
            ? (item?.clock ?? 0) + 1 : min(number(near: 1, &random), SyncLimits.number - 1)
        let date = Timestamp(secondsSinceEpoch: Int64(random.number(below: 1000)))
        let isDeletion = random.chance(10)
        return try ItemVersion(
            of: record,
            content: isDeletion
                ? nil : Secret(copying: [UInt8](repeating: 65, count: size).span),
            context: context, counter: counter, clock: clock, date: date, by: identity, team: team,
            under: key)
    }

    private func head(_ random: inout SeededRandom) throws -> DeviceHead {
        var seen = VersionVector()
        for other in replica.roster.devices.keys.sorted() {
            seen[other] = number(near: replica.seen[other], &random)
        }
        var sum = DigestSum()
        sum.add(DeviceHead.digest(team, identity.id, random.next()))
        return DeviceHead(
            counter: max(1, number(near: replica.seen[identity.id], &random)),
            changes: random.chance(50) ? sum : replica.summary.changes[identity.id] ?? DigestSum(),
            seen: seen, replica.roster, by: identity)
    }
}
