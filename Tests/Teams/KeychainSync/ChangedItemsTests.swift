import KeychainServices
import LinuxSystem
import SQLiteFile
import SealedStore
import LanyardSecrets
import SyncEngine
import SyncConformance
import Testing

@testable import KeychainSync

/// An exchange costs what changed.
@Suite struct ChangedItemsTests {
    private static let count = 3000

    private func machine(_ server: MemoryServer) throws -> Machine {
        let machine = try Machine(server)
        try machine.create()
        try machine.store.transaction { () throws(KeychainError) in
            for number in 0..<ChangedItemsTests.count {
                try machine.add("s\(number)", "one")
            }
        }
        try machine.exchange()
        return machine
    }

    /// What an exchange read.
    private struct Cost {
        var items = 0
        var rows = 0
    }

    private func cost(_ machine: Machine) throws -> Cost {
        var cost = Cost()
        let shared = try machine.open()
        shared.progress = { phase, done, _ in
            if phase == .reading {
                cost.items = max(cost.items, done)
            }
        }
        _ = try shared.exchange()
        cost.rows = shared.state.replica.rows.checkedRows
        return cost
    }

    /// The device's own keys are one more item. Of the rows, there are more than four for each item, in 1024 parts.
    @Test func anExchangeReadsWhatChanged() throws {
        let server = MemoryServer()
        let ada = try machine(server)
        // What it gave, it sees again.
        try ada.exchange()
        let rows = try ada.open().state.replica.rows.count(.noted)
        #expect(rows < 1024)
        var cost = try cost(ada)
        #expect(cost.items <= 1)
        #expect(cost.rows < rows + 100)

        try ada.set("s7", "two")
        cost = try self.cost(ada)
        #expect(cost.items <= 2)
        #expect(cost.rows < rows + 300)

        try ada.remove("s8")
        cost = try self.cost(ada)
        #expect(cost.items <= 1)
        #expect(cost.rows < rows + 300)

        // Looking, too.
        try ada.set("s9", "two")
        let looking = try SharedKeychain(lookingAt: ada.place, ada.store)
        #expect(try looking.changes() == 1)
        #expect(looking.state.replica.rows.checkedRows < rows + 300)

        let grace = try Machine(server)
        try ada.exchange()
        try grace.join(ada, "grace")
        #expect(try grace.secrets() == ada.secrets())
        // What an exchange stored, the next one reads once.
        try grace.exchange()
        try ada.set("s10", "two")
        try ada.exchange()
        cost = try self.cost(grace)
        #expect(cost.items <= 1)
        #expect(cost.rows < rows + 300)
        #expect(try grace.secrets()["s10"] == "two")
        #expect(try grace.secrets() == ada.secrets())
    }

    /// Items that are not for the team are read once.
    @Test func whatStaysHereIsReadOnce() throws {
        let ada = try Machine(MemoryServer())
        try ada.create(isForSynchronizable: true)
        try ada.add("shared", "one", isSynchronizable: true)
        for number in 0..<50 {
            try ada.add("s\(number)", "own")
        }
        try ada.exchange()
        #expect(try cost(ada).items <= 1)
        try ada.set("s1", "other")
        #expect(try cost(ada).items <= 2)
        #expect(try cost(ada).items <= 1)
    }

    /// Renamed, deleted and added again, deleted and replaced: by one exchange each.
    @Test func everyKindOfChangeIsFound() throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.create()
        for name in ["a", "b", "c", "d"] {
            try ada.add(name, "one")
        }
        try grace.join(ada, "grace")
        try grace.exchange()

        var rename = ItemAttributes()
        rename.service = "e"
        var attributes = ItemAttributes()
        attributes.service = "a"
        #expect(try ada.store.update(Query(.genericPassword, attributes), rename, secret: nil) == 1)
        try ada.remove("b")
        try ada.add("b", "one")
        try ada.remove("c")
        // One takes the name of another one.
        try ada.remove("d")
        rename.service = "d"
        attributes.service = "e"
        #expect(try ada.store.update(Query(.genericPassword, attributes), rename, secret: nil) == 1)
        try ada.set("d", "two")
        try ada.exchange()
        try grace.exchange()
        #expect(try grace.secrets() == ["b": "one", "d": "two"])
        // The item that was added again is known by its new id.
        try ada.remove("b")
        #expect(try ada.exchange().sent > 0)
        try grace.exchange()
        #expect(try grace.secrets() == ["d": "two"])
        #expect(try ada.exchange().isQuiet)
        #expect(try grace.exchange().isQuiet)
    }

    /// A row of the item that changed, in each way that needs no key.
    @Test(arguments: [
        "DELETE FROM sealed_row WHERE kind = 7", "DELETE FROM sealed_row WHERE kind = 12",
        "DELETE FROM sealed_row WHERE kind = 4", "DELETE FROM sealed_row WHERE kind = 11",
        "UPDATE sealed_row SET box = zeroblob(length(box)) WHERE kind = 6",
    ])
    func aDamagedReplicaIsNoticedWhenItIsUsed(sql: String) throws {
        let ada = try Machine(MemoryServer())
        try ada.create()
        try ada.add("db", "one")
        try ada.exchange()
        try ada.exchange()
        try ada.set("db", "two")
        let file = try Database(
            path: ada.place.file,
            errors: Database.Errors("other", invalidFile: KeychainError(.decode)),
            access: .writing, busyTimeout: 0)
        try file.execute(sql)
        let error = #expect(throws: KeychainError(.decode)) { try ada.exchange() }
        #expect(error?.hint?.contains("leave --offline") == true)
        #expect(throws: KeychainError(.decode)) {
            try SharedKeychain(lookingAt: ada.place, ada.store).check()
        }
        #expect(try ada.secrets() == ["db": "two"])
    }

    // MARK: A time limit

    private func exchangeWithoutTime(_ machine: Machine) throws -> SyncReport {
        let shared = try machine.open()
        shared.deadline = Deadline(milliseconds: 0)
        return try shared.exchange()
    }

    /// Each exchange gives a piece, first the items that the team has.
    @Test func anExchangeWithoutTimeGivesAPiece() throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.create()
        for name in ["old", "gone"] {
            try ada.add(name, "one")
        }
        try grace.join(ada, "grace")
        try grace.exchange()
        let count = 2 * SyncPiece.count + 100
        try ada.store.transaction { () throws(KeychainError) in
            for number in 0..<count {
                try ada.add("s\(number)", "one")
            }
        }
        try ada.set("old", "two")
        try ada.remove("gone")
        let own = try ada.secrets()
        for rest in [count + 2 - SyncPiece.count, count + 2 - 2 * SyncPiece.count] {
            let report = try exchangeWithoutTime(ada)
            #expect(report.isOutOfTime)
            #expect(report.unsent == rest)
            #expect(try ada.open().waiting == rest)
            #expect(try ada.secrets() == own)
            try grace.exchange()
            #expect(try grace.secrets()["old"] == "two")
            #expect(try grace.secrets()["gone"] == nil)
            #expect(try grace.secrets().count == count + 1 - rest)
        }
        #expect(try !exchangeWithoutTime(ada).isOutOfTime)
        try grace.exchange()
        #expect(try grace.secrets() == own)
        #expect(try ada.open().waiting == 0)
        #expect(try ada.exchange().sent == 0)
    }

    /// A change and a deletion that wait are not undone, also if the team changed the item meanwhile.
    @Test func whatWaitsStays() throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.create()
        let count = SyncPiece.count + 50
        try ada.store.transaction { () throws(KeychainError) in
            for number in 0..<count {
                try ada.add("s\(number)", "one")
            }
        }
        try ada.exchange()
        try grace.join(ada, "grace")
        try ada.exchange()
        try ada.store.transaction { () throws(KeychainError) in
            var query = Query(.genericPassword)
            query.attributes.accessGroup = "login"
            #expect(
                try ada.store.update(query, ItemAttributes(), secret: Secret("two")) >= count)
        }
        try ada.remove("s0")
        try grace.set("s0", "three")
        try grace.set("s1", "three")
        try grace.exchange()
        for _ in 0..<2 {
            let own = try ada.secrets()
            if try exchangeWithoutTime(ada).isOutOfTime {
                #expect(try ada.secrets().count == own.count)
            }
        }
        try grace.exchange()
        try ada.exchange()
        #expect(try ada.secrets() == grace.secrets())
        #expect(try ada.secrets()["s2"] == "two")
        #expect(try ada.exchange().sent == 0)
    }

    /// The first exchange of many items: each one goes on where the last one ended.
    @Test func aFirstExchangeWithoutTimeEnds() throws {
        let server = MemoryServer()
        let ada = try Machine(server)
        try ada.store.transaction { () throws(KeychainError) in
            for number in 0..<(2 * SyncPiece.count + 100) {
                try ada.add("s\(number)", "one")
            }
        }
        _ = try SharedKeychain.create(
            ada.place, ada.store, team: "work", address: "memory", isForSynchronizable: false,
            person: "ada", device: "laptop", connect: ada.connect)
        for rest in [true, true, false] {
            #expect(try exchangeWithoutTime(ada).isOutOfTime == rest)
        }
        let grace = try Machine(server)
        try grace.join(ada, "grace")
        #expect(try grace.secrets() == ada.secrets())
    }
}
