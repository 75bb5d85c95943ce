import LanyardCryptography
import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// Different states shown to different devices, and devices that do what they may not.
@Suite("Hostile server: fork and rights") struct ForkTests {
    let team: HostileTeam

    init() throws {
        team = try HostileTeam()
    }

    /// All devices take the same one, and say whose changes do not count.
    @Test func twoRostersAreNoticed() throws {
        // Ada's copy adds another device at the same place: Grace saw the first one.
        let state = team.server.backup
        try team.ada.engine.add(try TestDevice.identity("kay", 4).card, .member)
        try team.grace.exchange()
        team.server.backup = state
        let copy = try SyncEngine(
            Replica(joining: team.team, from: team.server), team.ada.identity, team.server,
            now: { TestDevice.start }, wait: { _ in })
        try copy.add(try TestDevice.identity("lee", 5).card, .member)
        let ada = SyncReport.Finding.changeOfMembersIsOverruled(team.ada.identity.card)
        for device in [team.grace, team.ada] {
            #expect(try device.exchange().findings.contains(ada))
        }
        _ = try copy.exchange()
        let last = copy.replica.roster.lastDigest
        for device in [team.grace, team.ada] {
            #expect(try device.exchange().findings.isEmpty)
            #expect(device.engine.replica.roster.lastDigest == last)
        }
    }

    @Test func anEntryThatIsHiddenFromAMemberIsNoticed() throws {
        let kay = try team.ada.sponsor("kay", seed: 7, .member, on: team.server)
        try team.grace.exchange()
        let shown = team.server.roster
        try team.ada.engine.setRole(of: kay.identity.id, to: .reader)
        try team.ada.set(team.record, "ada's")
        team.server.roster = shown
        #expect(try team.isRefused(team.grace))
    }

    @Test func aForkShownToTwoMembersIsNoticedWhenTheyMeet() throws {
        // Ada and Grace each see only their own changes, then Ada sees a part of Grace's.
        let state = team.server.backup
        try team.ada.set(team.record, "ada's")
        let adas = team.server.backup
        team.server.backup = state
        try team.grace.set(team.unseen, "grace's")
        try team.grace.add("more")
        let graces = team.server.records
        team.server.backup = adas
        let head = DeviceHead.record(of: team.grace.identity.id, team: team.team)
        team.inject(graces[head]!.content, as: head)
        #expect(
            try team.ada.exchange().findings.contains(
                .changesAreMissing(team.grace.identity.card)))
        // All of hers is a merge and no fork.
        for record in graces.values where record.id != head {
            team.inject(record.content, as: record.id)
        }
        let report = try team.ada.exchange()
        #expect(report.findings.contains(.serverIsOlder))
        #expect(try team.ada.texts()[team.unseen] == "grace's")
    }

    @Test func anEntryOfAnotherTeamsRosterIsSkipped() throws {
        let other = MemoryServer()
        let copy = try TestDevice(creating: other, "ada", seed: 1)
        for _ in 0..<(team.server.roster.count - 1) {
            try copy.engine.remove([])
        }
        try copy.engine.add(try TestDevice.identity("eve", 66).card, .owner)
        #expect(
            try team.isSkipped(try #require(other.roster.last), by: [team.grace, team.ada]))
    }

    /// Ada is in another team, too, and changed or deleted a record of the same id there.
    @Test(arguments: ["other team's", nil]) func aChangeOfAnotherTeamIsForged(
        _ text: String?
    ) throws {
        let known = try #require(try team.ada.engine.replica.item(team.record))
        let other = try TestDevice(creating: MemoryServer(), "ada", seed: 1)
        let key = try #require(
            try team.ada.engine.replica.roster.keys(of: team.ada.identity).last)
        // The number of the change that she would make next in this team.
        let number = team.ada.engine.counter + 1
        let replayed = try ItemVersion(
            of: team.record, content: text.secret, context: known.context, counter: number,
            clock: 1000, date: TestDevice.start, by: team.ada.identity,
            team: other.engine.replica.roster.team, under: key)
        try team.inject(.item(SharedItem(replayed)), as: team.record, under: key)
        #expect(try team.graceFindsForgery(of: team.record))
    }

    /// As many changes as she made there would seem to be missing here.
    @Test func aHeadOfAnotherTeamIsForged() throws {
        let ada = team.ada.identity
        let other = try TestDevice(creating: MemoryServer(), "ada", seed: 1)
        let head = DeviceHead(
            counter: 99, changes: DigestSum(), seen: VersionVector(),
            team.ada.engine.replica.roster, by: ada, in: other.engine.replica.roster.team)
        let record = DeviceHead.record(of: ada.id, team: team.team)
        let key = try #require(try team.ada.engine.replica.roster.keys(of: ada).last)
        try team.inject(.head(head), as: record, under: key)
        #expect(try team.graceFindsForgery(of: record))
    }

    @Test func aReadersChangesDoNotCount() throws {
        // Also of one that never was a member.
        let reader = try team.ada.sponsor("reader", seed: 7, .reader, on: team.server)
        try team.grace.exchange()
        let key = try #require(
            try reader.engine.replica.roster.keys(of: reader.identity).last)
        let known = try #require(try reader.engine.replica.item(team.record))
        let forged = try team.version(
            "reader's", of: team.record, by: reader.identity, 1, knowing: known.context,
            under: key)
        try team.inject(.item(SharedItem(forged)), as: team.record, under: key)
        #expect(try team.graceFindsForgery(of: team.record))
        // Nor one that it signed as a reader and shows when it is a member.
        try team.ada.engine.setRole(of: reader.identity.id, to: .member)
        try reader.exchange()
        try reader.set(team.record, "allowed")
        try team.ada.engine.setRole(of: reader.identity.id, to: .reader)
        try team.grace.exchange()
        let item = try #require(try team.grace.engine.replica.item(team.record))
        let second = try team.version(
            "reader's", of: team.record, by: reader.identity, 1, knowing: item.context, under: key)
        try team.inject(.item(SharedItem(second)), as: team.record, under: key)
        let report = try team.grace.exchange()
        #expect(report.findings.contains(.recordIsForged(team.record)))
        #expect(try team.grace.texts()[team.record] == "allowed")
    }

    @Test func whoWasRemovedCanNotShowANewDeviceOtherItems() throws {
        // Mallory signs her change anew, as if she had known all others, and a head that fits. Kay knows only
        // the roster: it names the version that counts.
        let key = try team.keptKeys()[0]
        let known = try #require(try team.grace.engine.replica.item(team.record))
        let forged = try team.version(
            "mallory's", of: team.record, by: team.mallory.identity, 1, knowing: known.context,
            under: key)
        #expect(throws: KeychainError(.decode)) {
            try team.join(4) {
                try team.inject(.item(SharedItem(forged)), as: team.record, under: key)
            }
        }
        // Nor can she hide her own last change, with a head that does not have it.
        #expect(throws: KeychainError(.decode)) {
            try team.join(5) {
                let first = try #require(known.versions.last)
                try team.inject(.item(SharedItem(first)), as: team.record, under: key)
            }
        }
    }

    @Test func whoHasAKeyCanNotClaimThatItemsAreNewerThanTheyAre() throws {
        // A record with an old version alone, which says that it has all later ones in it.
        let known = try #require(try team.mallory.engine.replica.item(team.record))
        var writer = ByteWriter()
        known.append(to: &writer)
        var reader = ByteReader(writer.bytes)
        #expect(try SharedItem(reading: &reader) == known)
        let old = SharedItem(try #require(known.versions.last))
        #expect(old.context != known.context)
        #expect(throws: KeychainError(.decode)) {
            try team.join(4) {
                try team.inject(.item(old), as: team.record, under: try team.keptKeys()[0])
            }
        }
    }

    @Test func twoDevicesWithOneSeedLoseNothing() throws {
        // A copy of Grace's device writes at the same time.
        let copy = try SyncEngine(
            team.grace.engine.replica.copy(), team.grace.identity, team.server,
            now: { TestDevice.start }, wait: { _ in })
        let (mine, other) = (
            try LocalChange(adding: Secret("one")),
            try LocalChange(adding: Secret("two"))
        )
        _ = try team.grace.engine.exchange([mine])
        _ = try copy.exchange([other])
        try team.ada.exchange()
        #expect(
            try team.ada.texts()
                == team.truth.merging([mine.record: "one", other.record: "two"]) { $1 })
    }

    @Test func aChangeThatMeetsARemovalIsUnderTheNewKey() throws {
        // Grace is to be removed while Ada's other device makes a change under the old key.
        let copy = try SyncEngine(
            team.ada.engine.replica.copy(), team.ada.identity, team.server,
            now: { TestDevice.start }, wait: { _ in })
        let change = try LocalChange(team.record, Secret("after"), in: copy.replica)
        var isFirst = true
        team.server.onPut = { [server = team.server] puts in
            guard isFirst else {
                server.onPut = nil
                return (try? server.put(puts, rosterCount: UInt64(server.roster.count)))
                    ?? .conflict
            }
            isFirst = false
            let put = server.onPut
            server.onPut = nil
            try? self.team.ada.engine.remove([self.team.grace.identity.id])
            server.onPut = put
            return .conflict
        }
        _ = try copy.exchange([change])
        let winner = try #require(try copy.replica.item(team.record)).winner
        #expect(winner.generation == copy.replica.roster.generation)
        #expect(copy.replica.roster.devices[team.grace.identity.id]?.role == nil)
    }
}

extension String? {
    fileprivate var secret: Secret? {
        switch self {
        case .some(let text): Secret(text)
        case .none: nil
        }
    }
}
