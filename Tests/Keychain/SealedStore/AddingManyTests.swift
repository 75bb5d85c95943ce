import KeychainServices
import Testing

@testable import SQLiteFile
@testable import SealedStore

/// Many items in one transaction, as an import adds them.
@Suite("Adding many") struct AddingManyTests {
    private let scratch: ScratchKeychain
    private let store: SealedStore
    private static let many = 2000

    init() throws {
        scratch = try ScratchKeychain()
        store = try scratch.openStore()
    }

    private func add(_ numbers: some Sequence<Int>) throws(KeychainError) {
        let keychain = Keychain(store, accessGroups: .all(addingTo: "test"))
        try keychain.transaction { () throws(KeychainError) in
            for number in numbers {
                try keychain.add(
                    .internetPassword, internetPassword(ByteString("\(number).example")),
                    secret: Secret("secret \(number)"))
            }
        }
    }

    /// The servers of all items in the order in which they were added, each with its secret.
    private func contents() throws -> [(server: String, secret: String?)] {
        var contents: [(server: String, secret: String?)] = []
        var query = Query(.internetPassword, returns: [.attributes, .data])
        query.match.limit = .all
        try scratch.openStore().forEachMatch(query) { item throws(KeychainError) in
            contents.append((item.attributes?.server?.description ?? "", secretText(item)))
            return .next
        }
        return contents.reversed()
    }

    /// Finds nothing where each index has each row.
    private func expectWholeIndexes() throws {
        let database = try RawDatabase(scratch.location.file)
        #expect(try database.rows("PRAGMA integrity_check") == [[.text("ok")]])
        #expect(try database.number("SELECT count(*) FROM pragma_index_list('item')") == 6)
    }

    @Test("all are there, in their order, and authenticated", arguments: [0, 1, Self.many])
    func all(_ count: Int) throws {
        try add(0..<count)
        #expect(scratch.verified() == count)
        try expectWholeIndexes()
        let contents = try contents()
        #expect(contents.map(\.server) == (0..<count).map { "\($0).example" })
        #expect(contents.map(\.secret) == (0..<count).map { "secret \($0)" })
    }

    @Test("each has another id")
    func ids() throws {
        try add(0..<200)
        let database = try RawDatabase(scratch.location.file)
        #expect(try database.number("SELECT count(DISTINCT id) FROM item") == 200)
    }

    @Test("those around one whose identity is there")
    func existing() throws {
        try add(500..<501)
        try store.transaction { () throws(KeychainError) in
            let error = keychainError { try add(0..<1000) }
            #expect(error?.status == .duplicateItem)
            try add((0..<1000).lazy.filter { $0 != 500 })
        }
        #expect(scratch.verified() == 1000)
        try expectWholeIndexes()
    }

    @Test("a failing transaction changes nothing")
    func failing() throws {
        #expect(throws: KeychainError(.userCanceled)) {
            try store.transaction { () throws(KeychainError) in
                try add(0..<Self.many)
                throw KeychainError(.userCanceled)
            }
        }
        #expect(scratch.verified() == 0)
        try add(0..<100)
        #expect(scratch.verified() == 100)
    }

    @Test("nothing stays where there is no room for all", arguments: [50, 90, 97])
    func noRoom(_ percent: Int64) throws {
        try add(0..<Self.many)
        let pages = try #require(
            try RawDatabase(scratch.location.file).number("PRAGMA page_count"))
        let small = try AddingManyTests()
        // What a full disk is to SQLite, at a page of our choice.
        try small.store.file.reopenForWriting()
        try small.store.file.database.execute("PRAGMA max_page_count=\(pages * percent / 100)")
        let error = keychainError { try small.add(0..<Self.many) }
        #expect(error?.status == .diskFull)
        #expect(small.scratch.verified() == 0)
        #expect(small.scratch.adding() == nil)
        #expect(small.scratch.verified() == 1)
    }
}
