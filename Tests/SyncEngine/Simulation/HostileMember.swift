import Cryptography
import RandomNumbers
import Secrets
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
        if random.chance(15) {
            let head = try head(&random)
            let record = DeviceHead.record(of: identity.id, team: team)
            return try put(
                try RecordContent.head(head).seal(as: record, team: team, under: key), record)
        }
        if random.chance(5), let other = replica.roster.devices.keys.sorted().first {
            return try put(random.bytes(100), DeviceHead.record(of: other, team: team))
        }
        let records = try replica.items.keys.sorted()
        let record =
            records.isEmpty || random.chance(5)
            ? try Identifier.random() : random.element(of: records)
        let present = try present(record)
        var item: SharedItem?
        // It keeps what is there, or some of it, or nothing.
        let kept = random.number(below: 3)
        for version in present?.versions ?? [] where kept == 0 || kept == 1 && random.chance(50) {
            item = item.map { adding(version, to: $0) } ?? SharedItem(version)
        }
        for _ in 0..<(random.chance(10) ? 40 : 1) {
            let version = try version(of: record, present, &random, under: key)
            item = item.map { adding(version, to: $0) } ?? SharedItem(version)
        }
        if let item {
            try put(try RecordContent.item(item).seal(as: record, team: team, under: key), record)
        }
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
        of record: Identifier, _ item: SharedItem?, _ random: inout SeededRandom, under key: TeamKey
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
        let size = random.chance(5) ? 300_000 : random.number(below: 100)
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
