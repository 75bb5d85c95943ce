import SQLiteFile
import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

@Suite("Sync engine") struct SyncEngineTests {
    @Test func anItemReachesAnotherDevice() throws {
        let server = MemoryServer()
        let ada = try TestDevice(creating: server)
        let record = try ada.add("secret")
        let grace = try ada.sponsor("grace", seed: 2, on: server)
        #expect(try grace.texts() == [record: "secret"])
        try grace.set(record, "changed")
        try ada.exchange()
        #expect(try ada.texts() == [record: "changed"])
        #expect(try ada.engine.replica.item(record)?.versions.count == 2)
        let kay = grace.engine.replica.roster.present.map(\.card.person)
        #expect(kay == ["ada", "grace"])
    }

    @Test func joiningReadsTheRosterAlone() throws {
        let server = MemoryServer()
        let ada = try TestDevice(creating: server)
        _ = try ada.add("secret")
        var shown: [ServerChanges] = []
        server.show = { changes in
            shown.append(changes)
            return changes
        }
        let replica = try Replica(joining: ada.engine.replica.roster.team, from: server)
        #expect(replica.roster.entries.count == 1)
        #expect(shown.map(\.records.count) == [0])
    }

    @Test func theLaterChangeWinsAndTheOtherStaysReadable() throws {
        let server = MemoryServer()
        let ada = try TestDevice(creating: server)
        let record = try ada.add("first")
        let grace = try ada.sponsor("grace", seed: 2, on: server)
        let (mine, hers) = (try ada.change(record, "ada's"), try grace.change(record, "grace's"))
        _ = try grace.engine.exchange([hers])
        _ = try ada.engine.exchange([mine])
        try grace.exchange()
        let item = try #require(try ada.engine.replica.item(record))
        #expect(try item == grace.engine.replica.item(record))
        #expect(item.conflicts.count == 1)
        let both = try item.versions.prefix(2).map { try ada.text(of: $0, record) }
        #expect(Set(both) == ["ada's", "grace's"])
        // A change that knows both replaces both.
        try grace.set(record, "both")
        try ada.exchange()
        #expect(try ada.texts() == [record: "both"])
        #expect(try ada.engine.replica.item(record)?.conflicts.isEmpty == true)
    }

    /// A server's programs take records of 6 MiB.
    @Test func changesAtOnceNeverMakeARecordTooLarge() throws {
        let server = MemoryServer()
        let ada = try TestDevice(creating: server)
        let record = try ada.add("first")
        let devices = try (2..<6).map { try ada.sponsor("member\($0)", seed: $0, on: server) }
        let changes = try devices.enumerated().map { number, device in
            try device.change(record, String(repeating: "\(number)", count: 2 << 20))
        }
        for (device, change) in zip(devices, changes) {
            _ = try device.engine.exchange([change])
            let size = try #require(try server.record(record)).content.count
            #expect(size <= SyncLimits.givenSize)
        }
        try ada.exchange()
        // What has room stays.
        #expect(try ada.engine.replica.item(record)?.conflicts.count == 1)
        try ada.set(record, nil)
        #expect(try ada.texts().isEmpty)
    }

    @Test func aDeletionLosesAgainstAChangeItDidNotKnow() throws {
        let server = MemoryServer()
        let ada = try TestDevice(creating: server)
        let record = try ada.add("first")
        let grace = try ada.sponsor("grace", seed: 2, on: server)
        let (deletion, change) = (try ada.change(record, nil), try grace.change(record, "kept"))
        _ = try ada.engine.exchange([deletion])
        #expect(try ada.texts().isEmpty)
        _ = try grace.engine.exchange([change])
        try ada.exchange()
        #expect(try ada.texts() == [record: "kept"])
        try grace.set(record, nil)
        try ada.exchange()
        #expect(try ada.texts().isEmpty)
    }

    /// - Parameter seeds: Those of the devices' keys: the order of their ids decides nothing.
    @Test(arguments: [[1, 2], [2, 1], [3, 4], [4, 3]] as [[UInt8]])
    func anItemFromBeforeJoiningLosesAgainstTheTeams(seeds: [UInt8]) throws {
        let server = MemoryServer()
        let ada = try TestDevice(creating: server, seed: seeds[0])
        let record = try ada.add("ada's")
        let grace = try ada.sponsor("grace", seed: seeds[1], on: server)
        let new = try Identifier.random()
        _ = try grace.engine.exchange(
            [record, new].map { record throws(KeychainError) in
                LocalChange(record, Secret("grace's"), base: nil, isFromBefore: true)
            })
        try ada.exchange()
        for device in [ada, grace] {
            #expect(try device.texts() == [record: "ada's", new: "grace's"])
            let item = try #require(try device.engine.replica.item(record))
            #expect(try item.conflicts.map { try device.text(of: $0, record) } == ["grace's"])
            #expect(item.versions.map(\.clock) == [1, 0])
            #expect(try device.engine.replica.item(new)?.winner.clock == 1)
        }
        try grace.set(record, "newer")
        try ada.exchange()
        #expect(try ada.texts()[record] == "newer")
        #expect(try ada.engine.replica.item(record)?.conflicts.isEmpty == true)
    }

    @Test func aPutWhoseAnswerIsLostIsNotLost() throws {
        let server = MemoryServer()
        let ada = try TestDevice(creating: server)
        let change = try LocalChange(adding: Secret("once"))
        server.losesAnswer = true
        #expect(throws: KeychainError.self) { try ada.engine.exchange([change]) }
        // The device does not know whether it was stored, and gives it again.
        _ = try ada.engine.exchange([change])
        #expect(try ada.texts() == [change.record: "once"])
        #expect(try ada.engine.replica.item(change.record)?.conflicts.isEmpty == true)
        let grace = try ada.sponsor("grace", seed: 2, on: server)
        #expect(try grace.texts() == [change.record: "once"])
    }

    @Test func aRemovedDeviceGetsNothingNew() throws {
        let server = MemoryServer()
        let ada = try TestDevice(creating: server)
        let old = try ada.add("old")
        let grace = try ada.sponsor("grace", seed: 2, on: server)
        try grace.set(old, "grace's")
        try ada.engine.remove([grace.identity.id])
        let new = try ada.add("new")
        try ada.set(old, "newer")
        #expect(try ada.texts() == [old: "newer", new: "new"])
        #expect(throws: KeychainError.self) { try grace.exchange() }
        #expect(try grace.texts() == [old: "grace's"])
        // What she still knows opens nothing that was stored since.
        let keys = try grace.engine.replica.roster.keys(of: grace.identity)
        for record in server.records.values where record.id == new || record.id == old {
            #expect(throws: KeychainError.self) {
                try RecordContent(
                    record.content, of: record.id, team: ada.engine.replica.roster.team,
                    under: keys)
            }
        }
    }

    @Test func aReaderCanNotChangeAnything() throws {
        let server = MemoryServer()
        let ada = try TestDevice(creating: server)
        let record = try ada.add("first")
        let reader = try ada.sponsor("reader", seed: 3, .reader, on: server)
        #expect(try reader.texts() == [record: "first"])
        #expect(throws: KeychainError(.writePermissions)) { try reader.set(record, "no") }
        #expect(throws: KeychainError(.writePermissions)) {
            try reader.engine.remove([ada.identity.id])
        }
        try ada.engine.setRole(of: reader.identity.id, to: .member)
        try reader.exchange()
        try reader.set(record, "yes")
        try ada.exchange()
        #expect(try ada.texts() == [record: "yes"])
    }

    @Test func aTeamKeepsAnOwner() throws {
        let server = MemoryServer()
        let ada = try TestDevice(creating: server)
        #expect(throws: KeychainError(.param)) { try ada.engine.remove([ada.identity.id]) }
        #expect(throws: KeychainError(.param)) {
            try ada.engine.setRole(of: ada.identity.id, to: .member)
        }
    }

    @Test func requestsAreSeenWhenThereIsRoomAgain() throws {
        let server = MemoryServer()
        let ada = try TestDevice(creating: server)
        let cards = try (0..<SyncLimits.requests + 2).map { number in
            let identity = try DeviceIdentity(
                person: "p\(number)", name: "laptop", seed: DeviceIdentity.makeSeed())
            return identity.card
        }
        for card in cards.dropLast(2) {
            try server.requestToJoin(card) { _ in }
        }
        try ada.exchange()
        #expect(!ada.engine.replica.hasMoreRequests)
        for card in cards.suffix(2) {
            try server.requestToJoin(card) { _ in }
        }
        try ada.exchange()
        #expect(ada.engine.replica.hasMoreRequests)
        #expect(ada.engine.replica.requests.count == SyncLimits.requests)
        try ada.engine.refuse(cards[0].id)
        try ada.exchange()
        #expect(ada.engine.replica.hasMoreRequests)
        try ada.engine.add(cards[1], .member)
        #expect(try ada.exchange().findings.isEmpty)
        #expect(!ada.engine.replica.hasMoreRequests)
        #expect(Set(ada.engine.replica.requests.keys) == Set(cards.dropFirst(2).map(\.id)))
    }

    @Test func aCodeIsFoundAmongAllRequests() throws {
        let server = MemoryServer()
        let ada = try TestDevice(creating: server)
        var cards: [DeviceCard] = []
        for number in 0..<SyncLimits.requests + 20 {
            let card = try DeviceIdentity(
                person: "p\(number)", name: "laptop", seed: DeviceIdentity.makeSeed()
            ).card
            try server.requestToJoin(card) { _ in }
            cards.append(card)
        }
        try ada.exchange()
        let roster = ada.engine.replica.roster
        for card in [cards[0], cards[cards.count - 1]] {
            #expect(try server.request(withCode: card.code.lowercased(), roster) == card)
        }
        try server.withdrawRequest(of: cards[0].id) { _ in }
        #expect(try server.request(withCode: cards[0].code, roster) == nil)
        let last = try #require(try server.request(withCode: cards[cards.count - 1].code, roster))
        try ada.engine.add(last, .member)
        #expect(ada.engine.replica.roster.devices[last.id]?.role == .member)
    }

    @Test func aRequestToJoinWaitsWhileOthersWrite() throws {
        let server = MemoryServer()
        let ada = try TestDevice(creating: server)
        let card = try TestDevice.identity("grace", 2).card
        server.onPut = { _ in .conflict }
        var waits: [Int] = []
        #expect(throws: KeychainError(.databaseLocked)) {
            try server.requestToJoin(card) { waits.append($0) }
        }
        #expect(waits == Array(0..<SyncEngine.attemptLimit - 1))
        // Whoever else wrote has ended.
        waits = []
        server.onPut = { _ in
            server.onPut = nil
            return .conflict
        }
        try server.requestToJoin(card) { waits.append($0) }
        #expect(waits == [0])
        try ada.exchange()
        #expect(ada.engine.replica.requests[card.id] == card)
    }

    /// What did not fit is no forgery, and nothing of the exchange is stored.
    @Test(arguments: [true, false]) func aFullDiskEndsAnExchange(isFirst: Bool) throws {
        let server = MemoryServer()
        let ada = try TestDevice(creating: server)
        let grace = try ada.sponsor("grace", seed: 2, on: server)
        if !isFirst {
            try ada.add("first")
            try grace.exchange()
        }
        let known = try grace.texts()
        for number in 0..<20 {
            try ada.add(String(repeating: "\(number % 10)", count: 20_000))
        }
        let database = grace.engine.replica.rows.database
        let pages = try database.number("PRAGMA page_count")
        try database.execute("PRAGMA max_page_count=\(pages + 40)")
        #expect(throws: KeychainError(.diskFull)) { try grace.exchange() }
        #expect(try grace.texts() == known)
        try database.execute("PRAGMA max_page_count=100000")
        #expect(try grace.exchange().findings.isEmpty)
        #expect(try grace.texts() == ada.texts())
        try grace.engine.replica.rows.check()
    }
}
