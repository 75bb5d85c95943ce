import LanyardCryptography
import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// A present member whose device claims what is not so. It may change items, and no more.
@Suite("Hostile member: made-up heads") struct LyingMemberTests {
    let team: HostileTeam
    /// A second honest member.
    let kay: TestDevice

    init() throws {
        team = try HostileTeam()
        kay = try team.join(4) {}
        try team.grace.exchange()
    }

    enum Lie: CaseIterable {
        case ownChanges, changesOfOthers, numberOfTheRoster, digestOfTheRoster
    }

    /// Lets Grace's device sign and store a head.
    private func publish(_ lie: Lie) throws {
        let replica = try team.grace.engine.replica.copy()
        var seen = VersionVector()
        var roster = replica.roster
        let first = try Roster.create(
            name: "other", by: team.grace.identity, key: try DeviceIdentity.makeSeed(),
            date: TestDevice.start)
        var changes = DigestSum()
        switch lie {
        case .ownChanges:
            changes.add(DeviceHead.digest(team.record, team.grace.identity.id, 99))
        case .changesOfOthers: seen[team.ada.identity.id] = 1_000_000
        case .numberOfTheRoster:
            let entry = roster.entry(
                .add(try TestDevice.identity("eve", 66).card, .owner, key: [], seen: seen),
                by: team.ada.identity, date: TestDevice.start)
            try roster.append(entry)
        case .digestOfTheRoster: roster = try Roster(first)
        }
        let head = DeviceHead(
            counter: lie == .ownChanges ? 99 : 1, changes: changes, seen: seen, roster,
            by: team.grace.identity, in: team.team)
        let key = try #require(try replica.roster.keys(of: team.grace.identity).last)
        try team.inject(
            .head(head), as: DeviceHead.record(of: head.device, team: team.team), under: key)
    }

    @Test(arguments: Lie.allCases) func theOthersGoOnAndAreToldWhoLies(_ lie: Lie) throws {
        try publish(lie)
        let finding = SyncReport.Finding.changesAreMissing(team.grace.identity.card)
        for number in 0..<2 {
            let record = try LocalChange(adding: Secret("\(number)"))
            #expect(try team.ada.engine.exchange([record]).findings.contains(finding))
            #expect(try kay.exchange().findings.contains(finding))
            #expect(try kay.texts()[record.record] == "\(number)")
        }
        try kay.set(team.record, "kay's")
        _ = try team.ada.exchange()
        #expect(try team.ada.texts()[team.record] == "kay's")
    }

    @Test(arguments: Lie.allCases) func whoLiesCanBeRemoved(_ lie: Lie) throws {
        try publish(lie)
        // An entry would fix which changes count.
        let lee = try TestDevice.identity("lee", 5).card
        do {
            try team.ada.engine.add(lee, .member)
            Issue.record("an entry was made although changes are missing")
        } catch {
            #expect("\(error)".contains("'laptop' of grace"))
        }
        try team.ada.engine.remove([team.grace.identity.id])
        #expect(try team.ada.engine.exchange().findings.isEmpty)
        try kay.exchange()
        #expect(try kay.exchange().findings.isEmpty)
        #expect(try kay.texts() == team.truth)
        let sent = try (0..<2).map { _ in try kay.exchange().sent + team.ada.exchange().sent }
        #expect(sent == [0, 0])
        try team.ada.engine.add(lee, .member)
    }

    /// A new device knows too little to go on, and says whom to ask.
    @Test(arguments: Lie.allCases) func whoJoinsHearsWhoLies(_ lie: Lie) throws {
        do {
            _ = try team.join(5) { try publish(lie) }
            Issue.record("a device joined although changes are missing")
        } catch let error as KeychainError {
            #expect("\(error)".contains("'laptop' of grace"))
            #expect(error.hint?.contains("lanyard team remove") == true)
        }
    }

    @Test func aLieThatWasTakenBackIsForgotten() throws {
        try publish(.changesOfOthers)
        try team.ada.exchange()
        let before = try team.grace.engine.replica.copy()
        try team.grace.set(team.record, "grace's")
        #expect(before.roster.generation == 2)
        try team.ada.exchange()
        #expect(try team.ada.exchange().findings.isEmpty)
        #expect(try team.ada.texts()[team.record] == "grace's")
    }
}
