import TestSupport
import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// What is read is what would be written, and nothing else; and merging gives the same in any order.
@Suite("Stored forms of a team") struct StoredFormTests {
    private func written(_ body: (inout ByteWriter) -> Void) -> [UInt8] {
        var writer = ByteWriter()
        body(&writer)
        return writer.bytes
    }

    /// Changes bytes at random: what is still accepted has to be written as it was read.
    private func mutate(
        _ bytes: [UInt8], _ read: (inout ByteReader) throws -> [UInt8]
    ) throws {
        var random = SeededRandom()
        for _ in 0..<300 {
            var changed = random.mutated(bytes)
            if random.chance(30) {
                changed = random.mutated(changed)
            }
            var reader = ByteReader(changed)
            guard let again = try? read(&reader) else {
                continue
            }
            #expect(
                again == Array(changed.prefix(reader.position)),
                "LANYARD_TEST_SEED=\(SeededRandom.seed)")
        }
    }

    @Test func whatIsAcceptedIsWhatIsWritten() throws {
        let team = try HostileTeam()
        let replica = try team.ada.engine.replica.copy()
        for bytes in team.server.roster {
            #expect(try RosterEntry(bytes).bytes == bytes)
            var random = SeededRandom()
            for _ in 0..<300 {
                let changed = random.mutated(bytes)
                guard let entry = try? RosterEntry(changed) else {
                    continue
                }
                // In front of the change: format, team, position, previous, author and date.
                #expect(
                    changed[81...].dropLast(64) == written { entry.change.append(to: &$0) }[...])
            }
        }
        try mutate(written { team.ada.identity.card.append(to: &$0) }) { reader in
            let card = try DeviceCard(reading: &reader)
            return written { card.append(to: &$0) }
        }
        for item in try replica.items.values {
            try mutate(written { item.append(to: &$0) }) { reader in
                let item = try SharedItem(reading: &reader)
                return written { item.append(to: &$0) }
            }
        }
        for head in replica.heads.values {
            try mutate(written { head.append(to: &$0) }) { reader in
                let head = try DeviceHead(reading: &reader)
                return written { head.append(to: &$0) }
            }
        }
        let last = try replica.lastChanges(of: team.ada.identity.id)
        try mutate(written { last.append(to: &$0) }) { reader in
            let last = try LastChanges(reading: &reader)
            return written { last.append(to: &$0) }
        }
        let keys = try replica.roster.keys(of: team.ada.identity)
        var random = SeededRandom()
        for record in team.server.records.values {
            for _ in 0..<50 {
                let changed = random.mutated(record.content)
                if changed != record.content {
                    #expect(throws: KeychainError.self) {
                        try RecordContent(
                            changed, of: record.id, team: team.team, under: keys)
                    }
                }
            }
        }
    }

    @Test(arguments: [([1, 2], true), ([2, 1], false), ([1, 1], false)] as [([UInt8], Bool)])
    func aVectorHasEachDeviceOnceInOrder(devices: [UInt8], isRead: Bool) throws {
        let bytes = written { writer in
            writer.number(UInt32(devices.count))
            for device in devices {
                writer.raw([UInt8](repeating: device, count: Identifier.size))
                writer.number(UInt64(7))
            }
        }
        var reader = ByteReader(bytes)
        let vector = try? VersionVector(reading: &reader)
        #expect((vector != nil) == isRead)
    }

    @Test func mergingGivesTheSameInAnyOrder() throws {
        var random = SeededRandom()
        for _ in 0..<8 {
            // States of one item on three devices, which merge now and then; many versions are dropped.
            let devices = try (1...3).map { try TestDevice.identity("d", $0) }
            let team = try Identifier.random()
            let record = try Identifier.random()
            let roster = try Roster(
                try Roster.create(
                    name: "t", by: devices[0], key: try DeviceIdentity.makeSeed(),
                    date: TestDevice.start))
            let key = try roster.keys(of: devices[0])[0]
            var states: [SharedItem?] = [nil, nil, nil]
            var counters: [UInt64] = [0, 0, 0]
            var all: [SharedItem] = []
            for _ in 0..<60 {
                let index = random.number(below: 3)
                if let other = states[random.number(below: 3)], random.chance(40) {
                    states[index]?.merge(other)
                    states[index] = states[index] ?? other
                } else {
                    counters[index] += 1
                    let version = try ItemVersion(
                        of: record,
                        content: random.chance(20) ? nil : Secret("\(random.next())"),
                        context: states[index]?.context ?? VersionVector(),
                        counter: counters[index], clock: (states[index]?.clock ?? 0) + 1,
                        date: TestDevice.start, by: devices[index], team: team, under: key)
                    states[index]?.add(version)
                    states[index] = states[index] ?? SharedItem(version)
                }
                all.append(try #require(states[index]))
            }
            func merged(_ items: [SharedItem]) -> SharedItem {
                items.dropFirst().reduce(into: items[0]) { $0.merge($1) }
            }
            let whole = merged(all)
            for _ in 0..<10 {
                let (a, b, c) = (
                    random.element(of: all), random.element(of: all), random.element(of: all)
                )
                #expect(
                    merged([a, b]) == merged([b, a]) && merged([a, a]) == a
                        && merged([merged([a, b]), c]) == merged([a, merged([b, c])]),
                    "LANYARD_TEST_SEED=\(SeededRandom.seed)")
                #expect(merged(all.shuffled(using: &random)) == whole)
            }
            #expect(whole.versions.count <= SharedItem.olderLimit + 2 * 3)
        }
    }
}
