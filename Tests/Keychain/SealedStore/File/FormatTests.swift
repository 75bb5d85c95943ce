import CSQLite
import Foundation
import KeychainServices
import Testing

@testable import SQLiteFile
@testable import SealedStore

/// Version 2 of the file format, to the letter: what fails here can't be read by the programs that
/// are out there.
@Suite("Format version 2") struct FormatTests {
    @Test func header() throws {
        let scratch = try ScratchKeychain.withItem()
        let header = Array(try scratch.bytes().prefix(100))
        #expect(header.starts(with: Array("SQLite format 3\0".utf8)))
        #expect(header[16...17] == [0x10, 0x00], "page size 4096")
        #expect(header[18...19] == [1, 1], "rollback journal")
        #expect(header[20] == 0, "no reserved bytes")
        #expect(header[52...55] == [0, 0, 0, 0], "no auto-vacuum")
        #expect(header[56...59] == [0, 0, 0, 1], "UTF-8")
        #expect(header[60...63] == [0, 0, 0, 2], "user version 2")
        #expect(header[68...71] == [0x4C, 0x4E, 0x59, 0x44], "application id LNYD")
    }

    @Test func schema() throws {
        let scratch = try ScratchKeychain()
        let rows = try RawDatabase(scratch.location.file).rows(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid")
        let expected: [[RawDatabase.Value]] = [
            [
                .text("table"), .text("keychain"), .text("keychain"),
                .text(
                    "CREATE TABLE keychain (\n  only INTEGER PRIMARY KEY CHECK (only = 1),\n"
                        + "  keybag BLOB NOT NULL,\n  row_set BLOB NOT NULL\n) STRICT"),
            ],
            [
                .text("table"), .text("item"), .text("item"),
                .text(
                    "CREATE TABLE item (\n  change INTEGER PRIMARY KEY,\n"
                        + "  id BLOB NOT NULL UNIQUE,\n  class INTEGER NOT NULL,\n"
                        + "  accessible INTEGER NOT NULL,\n"
                        + "  metadata_generation INTEGER NOT NULL,\n"
                        + "  secret_generation INTEGER NOT NULL,\n"
                        + "  identity BLOB NOT NULL UNIQUE,\n  server BLOB,\n  service BLOB,\n"
                        + "  account BLOB NOT NULL,\n  access_group BLOB NOT NULL,\n"
                        + "  attributes BLOB NOT NULL,\n  secret BLOB NOT NULL\n) STRICT"),
            ],
            [.text("index"), .text("sqlite_autoindex_item_1"), .text("item"), .null],
            [.text("index"), .text("sqlite_autoindex_item_2"), .text("item"), .null],
            [
                .text("index"), .text("item_server"), .text("item"),
                .text("CREATE INDEX item_server ON item (server) WHERE server IS NOT NULL"),
            ],
            [
                .text("index"), .text("item_service"), .text("item"),
                .text("CREATE INDEX item_service ON item (service) WHERE service IS NOT NULL"),
            ],
            [
                .text("index"), .text("item_account"), .text("item"),
                .text("CREATE INDEX item_account ON item (account)"),
            ],
            [
                .text("index"), .text("item_access_group"), .text("item"),
                .text("CREATE INDEX item_access_group ON item (access_group)"),
            ],
        ]
        #expect(rows == expected)
    }

    @Test func versions() {
        #expect(FormatVersion.all.map(\.number) == [2])
        #expect(FormatVersion.applicationID == 0x4C4E_5944)
    }

    private func pragma(_ name: String, _ database: Database) throws -> Int64 {
        let statement = try database.prepare("PRAGMA \(name)")
        #expect(try statement.step())
        return statement.number(0) ?? -1
    }

    @Test func connectionForWriting() throws {
        let scratch = try ScratchKeychain.withItem()
        let store = try scratch.openStore()
        try store.transaction { () throws(KeychainError) in }
        let database = store.file.database
        #expect(database.access == .writing)
        #expect(try pragma("synchronous", database) == 3, "EXTRA")
        #expect(try pragma("secure_delete", database) == 1)
        #expect(try pragma("cell_size_check", database) == 1)
        #expect(try pragma("mmap_size", database) == 0)
        #expect(try pragma("trusted_schema", database) == 0)
        let statement = try database.prepare("PRAGMA journal_mode")
        #expect(try statement.step())
        let mode = statement.text(0)
        #expect(mode == "delete")
        // Defensive: the schema can't be written.
        try database.execute("PRAGMA writable_schema=ON")
        #expect(throws: KeychainError.self) {
            try database.execute("UPDATE sqlite_schema SET sql = sql")
        }
    }

    @Test func connectionForReading() throws {
        let scratch = try ScratchKeychain.withItem()
        let store = try scratch.openStore()
        let database = store.file.database
        #expect(database.access == .reading)
        #expect(try pragma("cell_size_check", database) == 1)
        #expect(try pragma("mmap_size", database) == 0)
        #expect(try pragma("trusted_schema", database) == 0)
        #expect(throws: KeychainError(.readOnly)) { try database.execute("DELETE FROM item") }
    }

    /// A deleted item's sealed bytes are overwritten.
    @Test func deletedBytesAreGoneFromTheFile() throws {
        let scratch = try ScratchKeychain.withItem()
        let sealed = try RawDatabase(scratch.location.file).blob("SELECT secret FROM item")
        #expect(try scratch.bytes().range(of: Data(sealed)) != nil)
        try scratch.open().delete(Query(.internetPassword, internetPassword("a.example")))
        #expect(try scratch.bytes().range(of: Data(sealed)) == nil)
    }

    /// The columns of a row and the sizes of their values.
    @Test func rowOfAnItem() throws {
        let scratch = try ScratchKeychain.withItem()
        let rows = try RawDatabase(scratch.location.file).rows(
            """
            SELECT change, length(id), class, accessible, metadata_generation, secret_generation,
            length(identity), length(server), service, length(account), length(access_group),
            length(attributes), length(secret) FROM item
            """)
        let expected: [Int64?] = [
            1, 16, 0x696E_6574, 1, 1, 1, 16, 16, nil, 16, 16, 64 + 40, 64 + 40,
        ]
        #expect(rows == [expected.map { $0.map(RawDatabase.Value.number) ?? .null }])
    }

    /// What a query of each kind looks for is found by an index, never by going through all rows.
    @Test(arguments: ["server", "service", "account", "accessGroup", "id"])
    func lookupsUseAnIndex(_ attribute: String) throws {
        let scratch = try ScratchKeychain.withItem()
        let store = try scratch.openStore()
        _ = scratch.reading()
        var query = Query(attribute == "service" ? .genericPassword : .internetPassword)
        switch attribute {
        case "server": query.attributes.server = "s"
        case "service": query.attributes.service = "s"
        case "account": query.attributes.account = "s"
        case "accessGroup": query.attributes.accessGroup = "s"
        default: query.reference = ItemReference(itemClass: .internetPassword, id: .random())
        }
        try store.forEachMatch(query) { _ in .next }
        let keys = try store.withoutUnlocking { $0.keys }
        var candidates = try Candidates(query, keys).select(store.file.database)
        let handle = sqlite3_next_stmt(store.file.database.connection, nil)
        let sql = try #require(sqlite3_sql(handle).map { String(cString: $0) })
        _ = try candidates.next()
        let plan = try store.file.database.prepare("EXPLAIN QUERY PLAN \(sql)")
        #expect(try plan.step())
        let step = plan.text(3)
        #expect(step?.contains("USING INDEX") == true, "\(step ?? "")")
        #expect(try !plan.step(), "there is a sorting step")
    }
}
