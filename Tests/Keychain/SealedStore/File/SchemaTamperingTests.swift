import Foundation
import KeychainServices
import Testing

@testable import SQLiteFile
@testable import SealedStore

/// SQL that makes a file of a keychain that is another kind of file.
struct SchemaTampering: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sql: String
    let status: Status

    init(_ testDescription: String, _ sql: String, _ status: Status = .invalidKeychain) {
        self.testDescription = testDescription
        self.sql = sql
        self.status = status
    }

    private static let columns = """
        change, id, class, accessible, metadata_generation, secret_generation, identity, server, \
        service, account, access_group, attributes, secret
        """

    /// The table `item` made anew with another text.
    private static func rebuild(_ change: String) -> String {
        """
        CREATE TEMP TABLE kept AS SELECT \(columns) FROM item;
        CREATE TEMP TABLE texts AS SELECT sql FROM sqlite_schema WHERE name = 'item';
        PRAGMA writable_schema=ON;
        DELETE FROM item;
        UPDATE sqlite_schema SET sql = \(change) WHERE name = 'item';
        """
    }

    static let all: [SchemaTampering] = [
        .init(
            "trigger after insert",
            "CREATE TRIGGER t AFTER INSERT ON item BEGIN DELETE FROM item; END"),
        .init(
            "trigger before update",
            "CREATE TRIGGER t BEFORE UPDATE ON keychain BEGIN SELECT RAISE(IGNORE); END"),
        .init("view", "CREATE VIEW v AS SELECT * FROM item"),
        .init(
            "view in place of the table",
            "ALTER TABLE item RENAME TO other; CREATE VIEW item AS SELECT * FROM other"),
        .init("generated column", "ALTER TABLE item ADD COLUMN g BLOB AS (secret) VIRTUAL"),
        .init(
            "generated column in the table made anew",
            rebuild("replace(sql, 'service BLOB', 'service BLOB AS (server) VIRTUAL')")),
        .init(
            "default value", rebuild("replace(sql, 'server BLOB', 'server BLOB DEFAULT x''00''')")),
        .init("without STRICT", rebuild("replace(sql, ' STRICT', '')")),
        .init(
            "without UNIQUE",
            rebuild("replace(sql, 'identity BLOB NOT NULL UNIQUE', 'identity BLOB NOT NULL')")),
        .init("other letter case", rebuild("replace(sql, 'CREATE TABLE', 'create TABLE')")),
        .init("a space more", rebuild("replace(sql, 'CREATE TABLE', 'CREATE  TABLE')")),
        .init("a comment", rebuild("replace(sql, 'server BLOB', 'server /* */ BLOB')")),
        .init("extra table", "CREATE TABLE extra (a)"),
        .init("extra index", "CREATE INDEX extra ON item (class)"),
        .init("index on an expression", "CREATE INDEX extra ON item (hex(secret))"),
        .init("index missing", "DROP INDEX item_server"),
        .init(
            "index of another column",
            "DROP INDEX item_server; CREATE INDEX item_server ON item (id) WHERE server IS NOT NULL"
        ),
        .init("column more", "ALTER TABLE item ADD COLUMN extra BLOB"),
        .init("column less", "ALTER TABLE item DROP COLUMN metadata_generation"),
        .init("column renamed", "ALTER TABLE item RENAME COLUMN secret TO secrets"),
        .init("table missing", "DROP TABLE item"),
        .init("state missing", "DROP TABLE keychain"),
        .init("statistics", "ANALYZE"),
        .init(
            "sequence", "CREATE TABLE extra (a INTEGER PRIMARY KEY AUTOINCREMENT); DROP TABLE extra"
        ),
        .init("virtual table", "CREATE VIRTUAL TABLE extra USING fts4(a)"),
        .init("WAL mode", "PRAGMA journal_mode=WAL"),
        .init("version 1", "PRAGMA user_version=1", .wrongVersion),
        .init("version 3", "PRAGMA user_version=3", .wrongVersion),
        .init("version 2147483647", "PRAGMA user_version=2147483647", .wrongVersion),
        .init(
            "version 3 with another schema", "PRAGMA user_version=3; DROP TABLE item", .wrongVersion
        ),
        .init("version 0", "PRAGMA user_version=0"),
        .init("version -1", "PRAGMA user_version=-1"),
        .init("another application id", "PRAGMA application_id=1"),
        .init("no application id", "PRAGMA application_id=0"),
        .init(
            "another application id and version 3", "PRAGMA application_id=1; PRAGMA user_version=3"
        ),
        .init(
            "nonsense in the schema",
            "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = 'nonsense' WHERE name = 'item'"
        ),
        .init(
            "a row of the schema without a name",
            "PRAGMA writable_schema=ON; INSERT INTO sqlite_schema VALUES (NULL, NULL, NULL, NULL, NULL)"
        ),
        .init(
            "a row of the schema twice",
            "PRAGMA writable_schema=ON; INSERT INTO sqlite_schema SELECT * FROM sqlite_schema WHERE name = 'item_server'"
        ),
        .init(
            "a table at another's root page",
            "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage = 1000 WHERE name = 'item'"
        ),
    ]
}

@Suite("Schemas changed in the file") struct SchemaTamperingTests {
    private func adding(_ keychain: Keychain) -> KeychainError? {
        keychainError {
            try keychain.add(
                .internetPassword, internetPassword("b.example"), secret: Secret("two"))
        }
    }

    private func reading(_ keychain: Keychain) -> KeychainError? {
        keychainError { _ = try secret(keychain, internetPassword("a.example")) }
    }

    @Test(arguments: SchemaTampering.all)
    func isRefusedAndNothingChanges(_ tampering: SchemaTampering) throws {
        let scratch = try ScratchKeychain.withItem()
        let opened = try scratch.open()
        #expect(reading(opened) == nil)
        try RawDatabase(scratch.location.file).run(tampering.sql)
        let before = try scratch.files()
        for _ in 0..<2 {
            let read = scratch.reading()
            #expect(read?.status == tampering.status)
            #expect(read?.hint != nil)
            #expect(scratch.adding()?.status == tampering.status)
            #expect(
                keychainError { _ = try scratch.openStore().verify() }?.status
                    == tampering.status)
            #expect(
                keychainError {
                    let store = try SealedStore.openOrMake(at: scratch.location)
                    _ = try store.delete(Query(.internetPassword))
                }?.status == tampering.status)
        }
        #expect(try scratch.files() == before)
        // A store that was opened before does not trust what it knows of the file. It keeps where
        // the tables begin, which is no change of SQLite's making.
        if !tampering.testDescription.contains("root page") {
            #expect(reading(opened)?.status == tampering.status)
            #expect(adding(opened)?.status == tampering.status)
            #expect(try scratch.files() == before)
        }
    }

    /// Swift's strings are equal if they look alike; the schema has to be the same to the byte.
    @Test func alikeIsNotTheSame() throws {
        let statement = try Database(inMemory: ()).prepare("SELECT 'CREATE; K', NULL, '', 7")
        let isThere = try statement.step()
        try #require(isThere)
        let texts = [
            "CREATE; K", "CREATE\u{37E} K", "CREATE; \u{212A}", "CREATE; K\u{0}", "CREATE;", "",
            nil,
        ]
        let found = (0..<4).map { column in texts.filter { statement.hasText($0, Int32(column)) } }
        #expect(found == [["CREATE; K"], [nil], [""], []])
    }
}
