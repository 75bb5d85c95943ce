import LanyardCryptography
import TestSupport
import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// What devices make of the changes of an item, whatever its devices sign.
@Suite("Merging of an item") struct MergingTests {
    private let devices: [DeviceIdentity]
    private let key: TeamKey
    private let team = Identifier(digestOf: [1])
    private let record = Identifier(digestOf: [2])

    init() throws {
        devices = try (1...4).map { try TestDevice.identity("p\($0)", UInt8($0)) }
        let first = try Roster.create(
            name: "team", by: devices[0], key: try DeviceIdentity.makeSeed(), date: TestDevice.start
        )
        key = try Roster(first).keys(of: devices[0])[0]
    }

    /// Signs a version at random: numbers that were used, circles, what others did not do.
    private func version(
        _ random: inout SeededRandom, size: Int? = nil
    ) throws -> ItemVersion {
        let device = random.element(of: devices)
        var context = VersionVector()
        for other in devices where random.chance(50) {
            context[other.id] = UInt64(random.number(below: 5))
        }
        let size = size ?? (random.chance(10) ? 40_000 : 10)
        return try ItemVersion(
            of: record,
            content: random.chance(20)
                ? nil : Secret(copying: [UInt8](repeating: 1, count: size).span),
            context: context, counter: UInt64(1 + random.number(below: 4)),
            clock: UInt64(random.number(below: 5)), date: TestDevice.start, by: device, team: team,
            under: key)
    }

    private func merged(_ versions: [ItemVersion]) -> SharedItem {
        var item = SharedItem(versions[0])
        for version in versions.dropFirst() {
            item.add(version)
        }
        return item
    }

    @Test func anItemIsReadAsItIsWritten() throws {
        var random = SeededRandom()
        for _ in 0..<1000 {
            let count = random.chance(10) ? 30 : 1 + random.number(below: 8)
            let item = merged(try (0..<count).map { _ in try version(&random) })
            var writer = ByteWriter()
            item.append(to: &writer)
            let read = try? SharedItem(writer.bytes)
            #expect(read == item, "LANYARD_TEST_SEED=\(SeededRandom.seed)")
            var again = item
            again.merge(item)
            #expect(again == item)
        }
    }

    /// Versions that do not fit in one record, whatever devices sign.
    @Test func largeVersionsLeaveNoItemTooLarge() throws {
        var random = SeededRandom()
        let sizes = [10, 100_000, 1_500_000, 3_000_000, 4 << 20]
        let pool = try (0..<12).map { _ in try version(&random, size: random.element(of: sizes)) }
        for _ in 0..<50 {
            let versions = Array(pool.shuffled(using: &random).prefix(2 + random.number(below: 8)))
            let item = merged(versions)
            let isSmall = item.size <= SyncLimits.givenItemSize
            let isRead = try SharedItem(item.bytes) == item
            #expect(
                isSmall && isRead && !item.versions.isEmpty,
                "LANYARD_TEST_SEED=\(SeededRandom.seed)")
        }
    }

    /// Signs versions as devices do that know what some others did.
    private func honestVersions(
        _ count: Int, _ random: inout SeededRandom, sizes: [Int]
    ) throws -> [ItemVersion] {
        var items: [Identifier: SharedItem] = [:]
        var counters: [Identifier: UInt64] = [:]
        return try (0..<count).map { _ in
            let device = random.element(of: devices)
            var known = items[device.id]
            if random.chance(40), let other = items[random.element(of: devices).id] {
                known?.merge(other)
                known = known ?? other
            }
            counters[device.id, default: 0] += 1
            let content = [UInt8](repeating: 1, count: random.element(of: sizes))
            let version = try ItemVersion(
                of: record,
                content: random.chance(10) ? nil : Secret(copying: content.span),
                context: known?.context ?? VersionVector(), counter: counters[device.id]!,
                clock: (known?.clock ?? 0) + 1, date: TestDevice.start, by: device, team: team,
                under: key)
            known?.add(version)
            items[device.id] = known ?? SharedItem(version)
            return version
        }
    }

    /// Replicas that exchange become the same and quiet, whatever each of them had to drop: which older versions stay may
    /// depend on the order, but not for long, and never what everybody sees.
    @Test(arguments: [true, false]) func replicasThatExchangeBecomeQuiet(
        _ isHonest: Bool
    ) throws {
        var random = SeededRandom()
        for size in [100, 40_000, 2 << 20] {
            let sizes = [10, size / 20, size / 2, size * 9 / 10, size]
            let pool =
                isHonest
                ? try honestVersions(12, &random, sizes: sizes)
                : try (0..<12).map { _ in
                    try version(&random, size: random.element(of: sizes))
                }
            for _ in 0..<20 {
                let own = (0..<4).map { _ in
                    Array(pool.shuffled(using: &random).prefix(1 + random.number(below: 6)))
                }
                var replicas = own.map(merged)
                var server = replicas[0]
                var rounds = 0
                while Set(replicas + [server]).count > 1, rounds < 20 {
                    for index in replicas.indices.shuffled(using: &random) {
                        replicas[index].merge(server)
                        server = replicas[index]
                    }
                    rounds += 1
                }
                let seed = "LANYARD_TEST_SEED=\(SeededRandom.seed), \(size)"
                #expect(rounds < 10, "\(seed)")
                #expect(try SharedItem(server.bytes) == server, "\(seed)")
                let all = merged(own.flatMap(\.self))
                #expect(!isHonest || server.winner == all.winner, "\(seed)")
            }
        }
    }

    /// Whatever devices sign, and however large it is: both sides get the same, and never nothing.
    @Test(arguments: [true, false]) func bothSidesOfAnExchangeGetTheSame(_ isHonest: Bool) throws {
        var random = SeededRandom()
        let sizes = [10, 1000, 40_000, 1_500_000, 3_000_000]
        let pool =
            isHonest
            ? try honestVersions(14, &random, sizes: sizes)
            : try (0..<14).map { _ in try version(&random, size: random.element(of: sizes)) }
        for _ in 0..<200 {
            let (one, other) = (part(of: pool, &random), part(of: pool, &random))
            var (left, right) = (one, other)
            left.merge(other)
            right.merge(one)
            #expect(
                left == right && !left.versions.isEmpty, "LANYARD_TEST_SEED=\(SeededRandom.seed)")
            var again = left
            again.merge(one)
            again.merge(other)
            #expect(
                !isHonest || again.winner == left.winner, "LANYARD_TEST_SEED=\(SeededRandom.seed)")
        }
    }

    private func part(of pool: [ItemVersion], _ random: inout SeededRandom) -> SharedItem {
        merged(Array(pool.shuffled(using: &random).prefix(1 + random.number(below: 5))))
    }

    /// The last change of each device, the winning version and its conflicts are the same whoever exchanges first. Older
    /// versions for the history are so only as long as there is room for all: each device drops those that it can't store.
    @Test func whoExchangesFirstDoesNotMatter() throws {
        var random = SeededRandom()
        for sizes in [[10, 1000], [10, 40_000, 64 << 10], [10, 1000, 300_000, 900_000]] {
            for _ in 0..<10 {
                let pool = try honestVersions(10, &random, sizes: sizes)
                for _ in 0..<20 {
                    let parts = (0..<3).map { _ in part(of: pool, &random) }
                    var (left, right, rest) = (parts[0], parts[0], parts[1])
                    left.merge(parts[1])
                    left.merge(parts[2])
                    rest.merge(parts[2])
                    right.merge(rest)
                    let isSame =
                        left.context == right.context && left.winner == right.winner
                        && left.conflicts == right.conflicts
                    #expect(isSame, "LANYARD_TEST_SEED=\(SeededRandom.seed), \(sizes)")
                }
            }
        }
    }

    /// As long as nothing is dropped: no device has to know what another one dropped.
    @Test func theOrderOfChangesDoesNotMatter() throws {
        var random = SeededRandom()
        for _ in 0..<500 {
            let versions = try (0..<(2 + random.number(below: 6))).map { _ in try version(&random) }
                .filter { $0.content?.count ?? 0 < 1000 }
            guard versions.count > 1 else {
                continue
            }
            let item = merged(versions)
            #expect(merged(versions.shuffled(using: &random)) == item)
            let middle = 1 + random.number(below: versions.count - 1)
            let (left, right) = (
                merged(Array(versions[..<middle])), merged(Array(versions[middle...]))
            )
            var (one, other) = (left, right)
            one.merge(right)
            other.merge(left)
            #expect(one == other && one == item, "LANYARD_TEST_SEED=\(SeededRandom.seed)")
            #expect(!item.versions.isEmpty)
        }
    }

    /// Whatever both sides have of it: too many versions, too many devices that they name, or both.
    @Test func whatMergingMakesIsReadable() throws {
        var random = SeededRandom()
        let many = try (0..<1200).map { number in
            try DeviceIdentity(
                person: "p\(number)", name: "laptop",
                seed: Secret(copying: random.bytes(32).span))
        }
        func version(
            by device: DeviceIdentity, knowing context: VersionVector, _ counter: UInt64 = 1
        ) throws -> ItemVersion {
            try ItemVersion(
                of: record, content: nil, context: context, counter: counter,
                clock: UInt64(random.number(below: 5)), date: TestDevice.start, by: device,
                team: team, under: key)
        }
        var pool = try many.map { try version(by: $0, knowing: VersionVector()) }
        for (number, count) in [9_999, 6_000, 3_000, 1_500].enumerated() {
            var context = VersionVector()
            for other in 0..<count {
                context[Identifier(digestOf: Array("\(number) \(other)".utf8))] = 1
            }
            pool.append(try version(by: many[number], knowing: context, 2))
        }
        /// What a device that is sent these versions reads.
        func item(_ versions: some Sequence<ItemVersion>) throws -> SharedItem {
            var merging = ItemMerging(Set(versions), [])
            merging.run()
            let first = SharedItem(merging.versions[0])
            return try merging.versions.count == 1 ? first : SharedItem(merging.bytes)
        }
        for round in 0..<8 {
            let (large, small) = (pool.suffix(4), pool.dropLast(4).shuffled(using: &random))
            let count = [1000, 1024, 600, 10][round % 4]
            var one = try item(small.prefix(count) + large.prefix(round % 3).suffix(1))
            let other = try item(small.suffix(count) + large.suffix(2).prefix(round % 2 + 1))
            let contexts = [one.context, other.context]
            one.merge(other)
            let isReadable = try SharedItem(one.bytes) == one
            #expect(isReadable, "LANYARD_TEST_SEED=\(SeededRandom.seed), round \(round)")
            #expect(contexts.allSatisfy(one.context.covers))
        }
    }
}

extension SharedItem {
    fileprivate var bytes: [UInt8] {
        var writer = ByteWriter()
        append(to: &writer)
        return writer.bytes
    }
}

extension ItemMerging {
    fileprivate var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.number(UInt32(versions.count))
        for version in versions {
            version.append(to: &writer)
        }
        writer.number(UInt32(dropped.count))
        for change in dropped {
            change.append(to: &writer)
        }
        return writer.bytes
    }
}
