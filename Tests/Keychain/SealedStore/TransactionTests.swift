import KeychainServices
import Testing

@testable import SQLiteFile
@testable import SealedStore

@Suite("Transactions") struct TransactionTests {
    private func add(_ store: SealedStore, _ server: ByteString) throws(KeychainError) {
        try Keychain(store, accessGroups: .all()).add(
            .internetPassword, internetPassword(server), secret: Secret("one"))
    }

    /// The servers of all items, those added last first.
    private func servers(_ store: SealedStore) throws(KeychainError) -> [String] {
        var servers: [String] = []
        var query = Query(.internetPassword, returns: .attributes)
        query.match.limit = .all
        try store.forEachMatch(query) { item throws(KeychainError) in
            servers.append(item.attributes?.server?.description ?? "")
            return .next
        }
        return servers
    }

    @Test func whatSucceedsStays() throws {
        let scratch = try ScratchKeychain()
        let store = try scratch.openStore()
        let result = try store.transaction { () throws(KeychainError) in
            try add(store, "a")
            try add(store, "b")
            #expect(try servers(store) == ["b", "a"])
            return 7
        }
        #expect(result == 7)
        #expect(try servers(try scratch.openStore()) == ["b", "a"])
        #expect(scratch.verified() == 2)
    }

    @Test func nothingOfWhatThrowsStays() throws {
        let scratch = try ScratchKeychain.withItem()
        let before = try scratch.bytes()
        let store = try scratch.openStore()
        #expect(throws: KeychainError(.userCanceled)) {
            try store.transaction { () throws(KeychainError) in
                try add(store, "b")
                _ = try store.delete(Query(.internetPassword, internetPassword("a.example")))
                throw KeychainError(.userCanceled)
            }
        }
        #expect(try scratch.bytes() == before)
        #expect(try servers(store) == ["a.example"])
        try add(store, "c")
        #expect(scratch.verified() == 2)
    }

    @Test func anEmptyOneWritesNothing() throws {
        let scratch = try ScratchKeychain.withItem()
        let before = try scratch.bytes()
        let store = try scratch.openStore()
        try store.transaction { () throws(KeychainError) in
            #expect(try servers(store) == ["a.example"])
            try store.transaction { () throws(KeychainError) in }
        }
        #expect(throws: KeychainError(.itemNotFound)) {
            try Keychain(store, accessGroups: .all()).delete(
                Query(.internetPassword, internetPassword("none")))
        }
        #expect(try scratch.bytes() == before)
    }

    @Test func theyStandInsideOneAnother() throws {
        let scratch = try ScratchKeychain()
        let store = try scratch.openStore()
        try store.transaction { () throws(KeychainError) in
            try add(store, "a")
            do throws(KeychainError) {
                try store.transaction { () throws(KeychainError) in
                    try add(store, "b")
                    try store.transaction { () throws(KeychainError) in try add(store, "c") }
                    throw KeychainError(.userCanceled)
                }
            } catch {
                #expect(error.status == .userCanceled)
            }
            #expect(try servers(store) == ["a"])
            try store.transaction { () throws(KeychainError) in try add(store, "d") }
        }
        #expect(try servers(store) == ["d", "a"])
        #expect(scratch.verified() == 2)
    }

    /// A failed call in a transaction undoes itself alone.
    @Test func anErrorThatIsCaughtUndoesItsCallAlone() throws {
        let scratch = try ScratchKeychain()
        let store = try scratch.openStore()
        try store.transaction { () throws(KeychainError) in
            try add(store, "a")
            do throws(KeychainError) {
                try add(store, "a")
            } catch {
                #expect(error.status == .duplicateItem)
            }
            try add(store, "b")
        }
        #expect(try servers(store) == ["b", "a"])
        #expect(scratch.verified() == 2)
    }

    /// An update of several items of which the second fails changes none.
    @Test func anUpdateChangesAllOrNone() throws {
        let scratch = try ScratchKeychain()
        let store = try scratch.openStore()
        for account in ["a", "b", "c"] as [ByteString] {
            try Keychain(store, accessGroups: .all()).add(
                .internetPassword, internetPassword("s", account: account), secret: Secret("one"))
        }
        let before = try scratch.bytes()
        var changes = ItemAttributes()
        changes.account = "d"
        #expect(throws: KeychainError(.duplicateItem)) {
            try Keychain(store, accessGroups: .all()).update(
                Query(.internetPassword, internetPassword("s")), changes, secret: Secret("two"))
        }
        #expect(try scratch.bytes() == before)
        #expect(scratch.verified() == 3)
    }

    /// A full disk can end the whole transaction inside SQLite. Who catches that error and goes on
    /// must not get half of it stored.
    @Test func oneThatSQLiteEndedStoresNothing() throws {
        let scratch = try ScratchKeychain.withItem()
        let before = try scratch.bytes()
        let store = try scratch.openStore()
        var going: [KeychainError?] = []
        let error = keychainError {
            try store.transaction { () throws(KeychainError) in
                try add(store, "b")
                try? store.transaction { () throws(KeychainError) in
                    try add(store, "c")
                    // As SQLite does after an I/O error.
                    try store.file.database.execute("ROLLBACK")
                    throw KeychainError(.diskFull)
                }
                going.append(keychainError { try add(store, "d") })
                going.append(keychainError { _ = try servers(store) })
            }
        }
        #expect(error != nil)
        #expect(going.allSatisfy { $0 != nil })
        #expect(try scratch.bytes() == before)
        #expect(scratch.verified() == 1)
        #expect(try servers(store) == ["a.example"])
        try add(store, "e")
        #expect(scratch.verified() == 2)
    }

    /// A walk may look up other items.
    @Test func readingInsideReading() throws {
        let scratch = try ScratchKeychain()
        let store = try scratch.openStore()
        for server in ["a", "b", "c"] as [ByteString] {
            try add(store, server)
        }
        for isInTransaction in [false, true] {
            var seen: [String] = []
            func walk() throws(KeychainError) {
                var query = Query(.internetPassword, returns: .attributes)
                query.match.limit = .all
                try store.forEachMatch(query) { item throws(KeychainError) in
                    seen.append(item.attributes?.server?.description ?? "")
                    #expect(try servers(store) == ["c", "b", "a"])
                    return .next
                }
            }
            if isInTransaction {
                try store.transaction { () throws(KeychainError) in try walk() }
            } else {
                try walk()
            }
            #expect(seen == ["c", "b", "a"])
        }
        try add(store, "d")
        #expect(scratch.verified() == 4)
    }

    /// What a walk may not do is an error that leaves everything as it was.
    @Test func changingInsideReadingIsAnErrorAndNoDamage() throws {
        let scratch = try ScratchKeychain()
        for opened in 0...1 {
            let store = try scratch.openStore(busyTimeout: 50)
            for server in ["a", "b"] as [ByteString] where opened == 0 {
                try add(try scratch.openStore(), server)
            }
            if opened == 1 {
                // A store that was opened for writing already.
                try store.transaction { () throws(KeychainError) in }
            }
            var errors: [KeychainError?] = []
            _ = keychainError {
                var query = Query(.internetPassword, returns: .attributes)
                query.match.limit = .all
                try store.forEachMatch(query) { _ throws(KeychainError) in
                    errors.append(keychainError { try add(store, "c") })
                    return .next
                }
            }
            #expect(errors.first != .some(nil))
            #expect(scratch.verified() == 2)
        }
    }
}
