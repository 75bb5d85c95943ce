import Foundation
import KeychainServices
import TestSupport
import Testing

@testable import SealedStore

/// The differences between looks at a keychain lead from one state to the next.
@Suite("Snapshots of a keychain") struct KeychainSnapshotTests {
    /// The items that the differences so far leave.
    private struct Mirror {
        var items: [ItemID: ItemAttributes] = [:]

        mutating func apply(_ difference: KeychainSnapshot.Difference) {
            for change in difference.changes {
                #expect(items[change.reference.id] == change.before)
                items[change.reference.id] = change.after
            }
        }
    }

    private func present(_ keychain: Keychain) throws -> [ItemID: ItemAttributes] {
        var items: [ItemID: ItemAttributes] = [:]
        for itemClass in [ItemClass.genericPassword, .internetPassword] {
            var query = Query(itemClass, returns: [.attributes, .reference])
            query.match.limit = .all
            try keychain.forEachMatch(query) { item in
                if let reference = item.reference {
                    items[reference.id] = item.attributes
                }
                return .next
            }
        }
        return items
    }

    private func change(_ keychain: Keychain, _ random: inout SeededRandom) {
        let server = ByteString("s\(random.number(below: 30))")
        let query = Query(.internetPassword, internetPassword(server))
        switch random.number(below: 4) {
        case 0:
            _ = keychainError { try keychain.delete(query) }
        case 1:
            var changes = ItemAttributes()
            changes.comment = ByteString("\(random.next())")
            _ = keychainError { try keychain.update(query, changes) }
        default:
            _ = keychainError {
                try keychain.add(.internetPassword, internetPassword(server), secret: Secret("x"))
            }
        }
    }

    @Test("random changes with random looks in between")
    func random() throws {
        var random = SeededRandom()
        let scratch = try ScratchKeychain()
        let keychain = try scratch.open()
        var snapshot = KeychainSnapshot(of: scratch.location)
        var mirror = Mirror()
        for _ in 0..<60 {
            for _ in 0..<random.number(below: 12) {
                change(keychain, &random)
            }
            let difference = snapshot.update()
            #expect(difference.failure == nil && difference.isLocked == false)
            mirror.apply(difference)
            #expect(try mirror.items == present(keychain))
        }
        #expect(snapshot.update().changes.isEmpty)
    }

    @Test("older and other copies of the file in its place")
    func copies() throws {
        var random = SeededRandom()
        let scratch = try ScratchKeychain()
        var copies: [Data] = []
        var snapshot = KeychainSnapshot(of: scratch.location)
        var mirror = Mirror()
        for _ in 0..<25 {
            // Opened anew, because the file may be another one.
            let keychain = try scratch.open()
            for _ in 0..<random.number(below: 8) {
                change(keychain, &random)
            }
            copies.append(try scratch.bytes())
            if random.chance(40) {
                let file = "\(scratch.folder)/copy"
                makeFile(file, random.element(of: copies))
                #expect(rename(file, scratch.location.file) == 0)
                if random.chance(50) {
                    // Refused, and nothing is forgotten or made up.
                    mirror.apply(snapshot.update())
                }
                try SealedStore.acceptRestored(at: scratch.location)
            }
            let difference = snapshot.update()
            #expect(difference.failure == nil)
            mirror.apply(difference)
            #expect(try mirror.items == present(scratch.open()))
        }
    }

    @Test("rows that are missing or damaged are a failure that stays")
    func tampering() throws {
        let scratch = try ScratchKeychain()
        for server in ["a", "b", "c"] as [ByteString] {
            #expect(scratch.adding(server) == nil)
        }
        let database = try RawDatabase(scratch.location.file)
        try database.execute("UPDATE item SET attributes = zeroblob(128) WHERE change = 1")
        var snapshot = KeychainSnapshot(of: scratch.location)
        let found = snapshot.update()
        #expect(found.changes.map(\.after?.server) == ["b", "c"])
        #expect(found.failure?.status == .decode && found.isLocked == false)
        #expect(snapshot.update().failure?.status == .decode)
        try database.execute("DELETE FROM item WHERE change = 2")
        var anew = KeychainSnapshot(of: scratch.location)
        #expect(anew.update().changes.map(\.after?.server) == ["c"])
        #expect(anew.update().failure?.status == .decode)
        // What is sound still changes.
        #expect(scratch.adding("d") == nil)
        #expect(anew.update().changes.map(\.after?.server) == ["d"])
    }

    @Test("a keychain that another process keeps busy fails for the moment")
    func busy() throws {
        let scratch = try ScratchKeychain.withItem()
        let database = try RawDatabase(scratch.location.file)
        var snapshot = KeychainSnapshot(of: scratch.location)
        try database.execute("BEGIN EXCLUSIVE")
        #expect(snapshot.update().failure?.status == .databaseLocked)
        try database.execute("COMMIT")
        #expect(snapshot.update().changes.count == 1)
    }
}
