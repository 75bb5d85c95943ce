import LanyardSecrets
import SyncConformance
import TestSupport
import Testing

@testable import SyncEngine

/// Rosters that fork at random, because a server hides, refuses and shows entries as it likes, and owners lie.
@Suite("Hostile server: trees of rosters") struct RosterTreeTests {
    /// The entries that devices sign, and the rosters that they make.
    struct Tree {
        var random: SeededRandom
        let ada: DeviceIdentity
        /// The roster after each entry.
        private(set) var rosters: [Roster]
        private var identities: [Identifier: DeviceIdentity] = [:]
        /// The owners whose dates rise over all that they sign, with the last one; all others lie.
        private var dates: [Identifier: Int64] = [:]

        init(_ random: SeededRandom) throws {
            self.random = random
            ada = try Tree.identity(&self.random)
            let first = try Roster.create(
                name: "team", by: ada, key: try DeviceIdentity.makeSeed(), date: TestDevice.start)
            rosters = [try Roster(first)]
            identities[ada.id] = ada
            for role in [Role.owner, .owner, .owner, .member, .reader] {
                try add(role, to: rosters[rosters.count - 1], by: ada)
            }
            dates[ada.id] = try #require(rosters.last?.entries.last).date.secondsSinceEpoch
            for device in rosters[rosters.count - 1].devices.keys.sorted().prefix(4) {
                dates[device] = dates[device] ?? TestDevice.start.secondsSinceEpoch
            }
        }

        private static func identity(_ random: inout SeededRandom) throws -> DeviceIdentity {
            let seed = random.bytes(32)
            return try DeviceIdentity(
                person: "p\(seed[0])\(seed[1])", name: "laptop", seed: Secret(copying: seed.span))
        }

        /// The rosters that no entry follows.
        var last: [Roster] {
            rosters.filter { roster in
                !rosters.contains {
                    $0.entries.count > roster.entries.count && $0.begins(with: roster)
                }
            }
        }

        /// The entries of rosters, in any order, but for the first one.
        mutating func entries(of rosters: [Roster]) -> [[UInt8]] {
            let first = self.rosters[0].entries[0].bytes
            let others = Set(rosters.flatMap { $0.entries.dropFirst().map(\.bytes) })
            return [first]
                + others.sorted { $0.lexicographicallyPrecedes($1) }.shuffled(
                    using: &random)
        }

        /// Adds an entry, if it can follow a roster.
        @discardableResult
        mutating func append(
            _ change: RosterEntry.Change, to roster: Roster, by author: DeviceIdentity
        ) -> Roster? {
            var date = Int64(random.number(below: 100)) + TestDevice.start.secondsSinceEpoch
            if let last = dates[author.id] {
                date = last + 1
            }
            let entry = roster.entry(
                change, by: author, date: Timestamp(secondsSinceEpoch: date))
            var next = roster
            guard (try? next.append(entry)) != nil else {
                return nil
            }
            if dates[author.id] != nil {
                dates[author.id] = date
            }
            rosters.append(next)
            return next
        }

        @discardableResult
        mutating func add(
            _ role: Role, to roster: Roster, by author: DeviceIdentity
        ) throws -> (Roster?, DeviceIdentity) {
            let device = try Tree.identity(&random)
            identities[device.id] = device
            let change = RosterEntry.Change.add(
                device.card, role, key: [], seen: VersionVector())
            return (append(change, to: roster, by: author), device)
        }

        @discardableResult
        mutating func remove(
            _ devices: Set<Identifier>, from roster: Roster, by author: DeviceIdentity
        ) throws -> Roster? {
            let all = devices.union(roster.leaving)
            let staying = roster.devices.values.filter {
                $0.role != nil && !all.contains($0.card.id)
            }
            let renewal = try TeamKeyRenewal(
                try DeviceIdentity.makeSeed(), generation: roster.generation + 1,
                previous: try DeviceIdentity.makeSeed(), to: staying.map(\.card))
            return append(
                .remove(
                    last: Dictionary(uniqueKeysWithValues: all.map { ($0, LastChanges.none) }),
                    renewal), to: roster, by: author)
        }

        /// Adds an entry somewhere. Ada stays.
        mutating func grow(adaStays: Bool) throws {
            let roster = random.element(of: rosters)
            let present = roster.present.map(\.card.id).sorted()
            let owners = present.filter(roster.isOwner)
            let author = try #require(identities[random.element(of: owners)])
            let other = random.element(of: present)
            guard !adaStays || other != ada.id else {
                return
            }
            switch random.number(below: 10) {
            case ..<3: try add(random.element(of: [.owner, .member]), to: roster, by: author)
            case ..<7 where other != author.id: try remove([other], from: roster, by: author)
            case ..<9:
                append(
                    .setRole(other, random.element(of: [.owner, .member, .reader]), last: .none),
                    to: roster, by: author)
            default: append(.leave, to: roster, by: try #require(identities[other]))
            }
        }

        /// Makes whoever is no owner in a roster sign for the time when it was one: removals, friends, and these friends'.
        mutating func lie(about last: Roster) throws {
            for roster in rosters where roster.entries.count < last.entries.count {
                guard last.begins(with: roster), roster.present.count > 1 else {
                    continue
                }
                for device in roster.devices.keys.sorted()
                where roster.isOwner(device) && !last.isOwner(device) {
                    let author = try #require(identities[device])
                    dates[device] = nil
                    let others = Set(roster.present.map(\.card.id)).subtracting([device])
                    let left = try remove(
                        random.chance(50) ? others : [random.element(of: others.sorted())],
                        from: roster, by: author)
                    let (more, friend) = try add(.owner, to: left ?? roster, by: author)
                    if let more {
                        try add(.owner, to: more, by: friend)
                    }
                }
            }
        }
    }

    /// What a device makes of the entries that it is shown.
    private func read(
        _ entries: [[UInt8]], after known: Roster?, _ team: Identifier
    ) throws -> Roster {
        var reading = known.map { RosterReading($0) } ?? RosterReading(of: team)
        for entry in entries {
            reading.take(entry)
        }
        return try reading.finish().roster
    }

    /// Whoever saw the same entries has the same roster, whatever the order and what it knew before, unless it would follow
    /// owners that its own one removed.
    @Test(arguments: 0..<60) func theOrderDoesNotMatter(_ number: UInt64) throws {
        let seed = SeededRandom.seed &+ number
        let what: Comment = "LANYARD_TEST_SEED=\(SeededRandom.seed), tree \(number)"
        var tree = try Tree(SeededRandom(seed: seed))
        let adaStays = number % 2 == 0
        for _ in 0..<(4 + Int(number) % 16) {
            try tree.grow(adaStays: adaStays)
        }
        let team = tree.rosters[0].team
        let last = tree.last
        let best = Roster.best(of: last)
        for device in 0..<10 {
            var known: Roster?
            for _ in 0..<(device % 4) {
                let some = (0...tree.random.number(below: 3)).map { _ in
                    tree.random.element(of: tree.rosters)
                }
                known = try read(tree.entries(of: some), after: known, team)
            }
            var roster = try read(tree.entries(of: tree.rosters), after: known, team)
            if let known, !known.follows(best), roster.lastDigest != best.lastDigest {
                // Owners removed each other.
                #expect(roster.begins(with: known), what)
            } else {
                #expect(roster.lastDigest == best.lastDigest, what)
            }
            let digest = roster.lastDigest
            roster = try read(tree.entries(of: tree.rosters), after: roster, team)
            #expect(roster.lastDigest == digest, what)
        }
        // What a present owner signed last counts.
        if adaStays {
            let adas = last.flatMap(\.entries).filter { $0.author == tree.ada.id && !$0.isLeave }
            let latest = try #require(adas.max { $0.date < $1.date })
            #expect(best.entries.contains { $0.digest == latest.digest }, what)
        }
    }

    /// Owners who were removed sign what they like for the past: no device that knows it follows them.
    @Test(arguments: 0..<30) func aRemovedOwnerDoesNotComeBack(_ number: UInt64) throws {
        let what: Comment = "LANYARD_TEST_SEED=\(SeededRandom.seed), tree \(number)"
        var tree = try Tree(SeededRandom(seed: SeededRandom.seed &+ 1000 &+ number))
        for _ in 0..<12 {
            try tree.grow(adaStays: number % 2 == 0)
        }
        let team = tree.rosters[0].team
        let known = try read(tree.entries(of: tree.rosters), after: nil, team)
        try tree.lie(about: known)
        var roster = known
        for _ in 0..<3 {
            roster = try read(tree.entries(of: tree.rosters), after: roster, team)
            #expect(roster.lastDigest == known.lastDigest, what)
        }
        // Together with what is hidden of the truth, too.
        let beginning = tree.rosters.first { known.begins(with: $0) && $0.entries.count > 6 }
        if let beginning, known.entries.count > 7 {
            let forged = try read(tree.entries(of: [beginning]), after: nil, team)
            #expect(forged.lastDigest == beginning.lastDigest, what)
        }
    }
}
