import Foundation
import KeychainServices
import Testing

@testable import LinuxSystem
@testable import SQLiteFile
@testable import SealedStore

@Suite("Migration") struct MigrationTests {
    /// The schema of a version with columns put at the end of the table `item`, as SQLite writes it.
    private static func schema(_ columns: String...) -> [FormatVersion.SchemaEntry] {
        FormatVersion.version2.schema.map { entry in
            var entry = entry
            if entry.name == "item", let sql = entry.sql {
                let added = columns.map { ", \($0) BLOB" }.joined()
                entry.sql = sql.replacing("\n) STRICT", with: "\(added)\n) STRICT")
            }
            return entry
        }
    }

    /// Versions that were made up: each has a column more.
    static let version3 = FormatVersion(
        number: 3, schema: schema("second"),
        migrateFromPrevious: { database throws(KeychainError) in
            try alterTable(database, to: schema("second"))
            try database.execute("UPDATE item SET second = x'02'")
        })
    static let version4 = FormatVersion(
        number: 4, schema: schema("second", "third"),
        migrateFromPrevious: { database throws(KeychainError) in
            try alterTable(database, to: schema("second", "third"), keeping: ", second")
        })

    /// The way that SQLite's manual gives for changes that ALTER TABLE does not know: a new table,
    /// the rows, the old one's name.
    private static func alterTable(
        _ database: Database, to schema: [FormatVersion.SchemaEntry], keeping added: String = ""
    ) throws(KeychainError) {
        let item = schema.first { $0.name == "item" }
        try database.execute("ALTER TABLE item RENAME TO old")
        for index in ["server", "service", "account", "access_group"] {
            try database.execute("DROP INDEX item_\(index)")
        }
        try database.execute(item?.sql ?? "")
        let columns = ItemRow.columns + added
        try database.execute("INSERT INTO item (\(columns)) SELECT \(columns) FROM old")
        try database.execute("DROP TABLE old")
        for entry in schema where entry.type == "index" {
            if let sql = entry.sql {
                try database.execute(sql)
            }
        }
    }

    private static func store(
        _ scratch: ScratchKeychain, _ formats: [FormatVersion], busyTimeout: Int64 = 10_000
    ) throws -> SealedStore {
        try SealedStore(
            at: scratch.location, now: SystemCalls.now, busyTimeout: busyTimeout, formats: formats)
    }

    private static let all3 = [FormatVersion.version2, version3]
    private static let all4 = [FormatVersion.version2, version3, version4]

    private func version(_ scratch: ScratchKeychain) throws -> Int64? {
        try RawDatabase(scratch.location.file).number("PRAGMA user_version")
    }

    @Test(arguments: ["reading", "adding", "verifying", "transaction"])
    func theFirstOperationConverts(_ operation: String) throws {
        let scratch = try ScratchKeychain.withItem()
        let before = try scratch.bytes()
        let store = try MigrationTests.store(scratch, MigrationTests.all4)
        #expect(try scratch.bytes() == before, "opening alone changes nothing")
        switch operation {
        case "reading": #expect(reading(store) == nil)
        case "adding":
            try Keychain(store, accessGroups: .all()).add(
                .internetPassword, internetPassword("b.example"), secret: Secret("two"))
        case "verifying": #expect(try store.verify() == 1)
        default: try store.transaction { () throws(KeychainError) in }
        }
        #expect(try version(scratch) == 4)
        #expect(
            try RawDatabase(scratch.location.file).blob(
                "SELECT second FROM item WHERE change = 1") == [2])
        let after = try scratch.bytes()
        let again = try MigrationTests.store(scratch, MigrationTests.all4)
        #expect(reading(again) == nil)
        #expect(try again.verify() == (operation == "adding" ? 2 : 1))
        #expect(try scratch.bytes() == after, "once is enough")
        #expect(try scratch.names() == ScratchKeychain.namesAtRest)
    }

    @Test func oneStepAfterTheOther() throws {
        let scratch = try ScratchKeychain.withItem()
        #expect(reading(try MigrationTests.store(scratch, MigrationTests.all3)) == nil)
        #expect(try version(scratch) == 3)
        #expect(reading(try MigrationTests.store(scratch, MigrationTests.all4)) == nil)
        #expect(try version(scratch) == 4)
    }

    /// A program of before says what to do, also where it had the keychain open.
    @Test func anOlderProgramRefusesTheNewFormat() throws {
        let scratch = try ScratchKeychain.withItem()
        let open = try scratch.openStore()
        #expect(reading(open) == nil)
        #expect(reading(try MigrationTests.store(scratch, MigrationTests.all3)) == nil)
        let before = try scratch.bytes()
        for store in [open, try scratch.openStore()] {
            let error = reading(store)
            #expect(error?.status == .wrongVersion)
            #expect(error?.hint == "install a newer lanyard")
            #expect(throws: KeychainError(.wrongVersion)) {
                try Keychain(store, accessGroups: .all()).add(
                    .internetPassword, internetPassword("b.example"), secret: Secret("two"))
            }
        }
        #expect(try scratch.bytes() == before)
    }

    @Test func anErrorInAStepLeavesTheOldFormat() throws {
        let scratch = try ScratchKeychain.withItem()
        let before = try scratch.bytes()
        let failing = FormatVersion(
            number: 4, schema: MigrationTests.version4.schema,
            migrateFromPrevious: { database throws(KeychainError) in
                try database.execute("DELETE FROM item")
                throw KeychainError(.diskFull)
            })
        let store = try MigrationTests.store(scratch, MigrationTests.all3 + [failing])
        #expect(reading(store)?.status == .diskFull)
        #expect(reading(store)?.status == .diskFull)
        #expect(try scratch.bytes() == before)
        #expect(scratch.reading() == nil)
    }

    /// A step that does not lead where it should.
    @Test func aStepToAnotherSchemaIsUndone() throws {
        let scratch = try ScratchKeychain.withItem()
        let before = try scratch.bytes()
        let wrong = FormatVersion(
            number: 3, schema: MigrationTests.version3.schema,
            migrateFromPrevious: { database throws(KeychainError) in
                try database.execute("ALTER TABLE item ADD COLUMN other BLOB")
            })
        let store = try MigrationTests.store(scratch, [.version2, wrong])
        #expect(reading(store)?.status == .invalidKeychain)
        #expect(try scratch.bytes() == before)
        let none = FormatVersion(
            number: 3, schema: MigrationTests.version3.schema, migrateFromPrevious: nil)
        #expect(
            reading(try MigrationTests.store(scratch, [.version2, none]))?.status
                == .invalidKeychain)
        #expect(try scratch.bytes() == before)
    }

    /// An older file is held to its own schema, and to its keys, before a step runs.
    @Test func aFileThatIsNotOursIsNotConverted() throws {
        let tampered = try ScratchKeychain.withItem()
        try RawDatabase(tampered.location.file).run(
            "CREATE TRIGGER t AFTER DELETE ON item BEGIN SELECT 1; END")
        let foreign = try ScratchKeychain.withItem()
        let other = try ScratchKeychain()
        try FileManager.default.removeItem(atPath: foreign.machineKeyFile)
        try FileManager.default.copyItem(
            atPath: other.machineKeyFile, toPath: foreign.machineKeyFile)
        for (scratch, status) in [(tampered, Status.invalidKeychain), (foreign, .authFailed)] {
            let before = try scratch.bytes()
            let store = try MigrationTests.store(scratch, MigrationTests.all3)
            #expect(reading(store)?.status == status)
            #expect(try scratch.bytes() == before)
        }
    }

    @Test func aCrashInAStepLeavesTheOldFormat() async throws {
        let scratch = try ScratchKeychain.withItem()
        let before = try scratch.bytes()
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [folder = scratch.folder as String] in
            let deadly = FormatVersion(
                number: 4, schema: MigrationTests.version4.schema,
                migrateFromPrevious: { database throws(KeychainError) in
                    try MigrationTests.version4.migrateFromPrevious?(database)
                    InterruptedChange.flush(database)
                    kill(getpid(), SIGKILL)
                })
            let store = try MigrationTests.store(
                ScratchKeychain(adopting: folder), MigrationTests.all3 + [deadly])
            _ = try store.verify()
        }
        #expect(FileManager.default.fileExists(atPath: "\(scratch.location.file)-journal"))
        #expect(scratch.reading() == nil)
        #expect(try scratch.bytes() == before)
        #expect(reading(try MigrationTests.store(scratch, MigrationTests.all4)) == nil)
        #expect(try version(scratch) == 4)
    }

    @Test(.enabled(if: MountNamespace.isPermitted, MountNamespace.reason))
    func aReadOnlyPlaceIsAClearError() async throws {
        let scratch = try ScratchKeychain.withItem()
        await #expect(processExitsWith: .success) { [folder = scratch.folder as String] in
            let scratch = ScratchKeychain(adopting: folder)
            MountNamespace.enter()
            MountNamespace.makeReadOnly(folder)
            let store = try MigrationTests.store(scratch, MigrationTests.all3)
            let error = keychainError { _ = try store.verify() }
            #expect(error?.status == .readOnly)
            #expect(error?.reason.contains("older format") == true)
            #expect(error?.hint != nil)
        }
        #expect(try version(scratch) == 2)
    }

    /// Whoever waits for the end of a change reads the version that is there then.
    @Test func anotherProcessConvertsMeanwhile() throws {
        let scratch = try ScratchKeychain.withItem()
        let store = try MigrationTests.store(scratch, MigrationTests.all3)
        let other = try Database(
            path: scratch.location.file, errors: .keychain("x"), access: .writing,
            busyTimeout: 10_000)
        try other.execute("BEGIN EXCLUSIVE")
        let isRead = DispatchSemaphore(value: 0)
        let failures = Count()
        Thread.detachNewThread {
            failures.add(reading(store) == nil ? 0 : 1)
            isRead.signal()
        }
        usleep(200_000)
        try MigrationTests.version3.migrateFromPrevious?(other)
        try other.execute("PRAGMA user_version=3")
        try other.execute("COMMIT")
        #expect(isRead.wait(timeout: .now() + 20) == .success)
        #expect(failures.value == 0)
        #expect(try version(scratch) == 3)
    }

    /// All find the old format; one converts, the others see that it is done.
    @Test func manyConvertAtOnce() throws {
        let scratch = try ScratchKeychain.withItem()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let error = keychainError {
                let store = try MigrationTests.store(scratch, MigrationTests.all4)
                let found = try secret(
                    Keychain(store, accessGroups: .all()), internetPassword("a.example"))
                #expect(found == "one")
            }
            #expect(error == nil)
        }
        #expect(try version(scratch) == 4)
        #expect(try MigrationTests.store(scratch, MigrationTests.all4).verify() == 1)
    }

    /// Whoever holds the lock is waited for.
    @Test func aBusyKeychainIsAClearError() throws {
        let scratch = try ScratchKeychain.withItem()
        let holder = try RawDatabase(scratch.location.file)
        try holder.run("BEGIN IMMEDIATE")
        let store = try MigrationTests.store(scratch, MigrationTests.all3, busyTimeout: 50)
        #expect(reading(store)?.status == .databaseLocked)
        try holder.run("ROLLBACK")
        #expect(reading(store) == nil)
        #expect(try version(scratch) == 3)
    }
}
