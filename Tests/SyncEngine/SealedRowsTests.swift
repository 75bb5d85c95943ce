import Cryptography
import LinuxSystem
import RandomNumbers
import SQLiteFile
import ScratchFolders
import Secrets
import Testing

@testable import SyncEngine

@Suite("Rows of a replica") struct SealedRowsTests {
    private let path: String
    private let scratch: ScratchFolder
    private static let count = 20

    private func key(_ byte: UInt8 = 7) -> Secret {
        Secret(copying: [UInt8](repeating: byte, count: SealedBox.keySize).span)
    }

    init() throws {
        scratch = try ScratchFolder()
        path = "\(scratch.path)/rows"
        let rows = try SealedRows(under: key(), label: [1])
        try change(rows) { () throws(KeychainError) in
            for number in 0..<UInt8(SealedRowsTests.count) {
                try rows.set([number, 1], .content, [number], link: [number % 2])
                try rows.set([number, 2], .item, [number])
            }
        }
        let file = try rows.database.serialized()
        try PrivatePlace.replaceFile(path, file.span)
    }

    private func change(
        _ rows: SealedRows, _ body: () throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try rows.change(keepingIf: { _ in true }, body)
    }

    private func database() throws(KeychainError) -> Database {
        try Database(
            path: path,
            errors: Database.Errors("the rows", invalidFile: KeychainError(.decode)),
            access: .writing, busyTimeout: 1000)
    }

    private func open(_ byte: UInt8 = 7, label: [UInt8] = [1]) throws(KeychainError) -> SealedRows {
        try SealedRows(database(), under: key(byte), label: label)
    }

    // MARK: Reading and changing

    @Test func rowsComeBack() throws {
        let rows = try open()
        try rows.check()
        #expect(try rows.value(.item, [3]) == [3, 2])
        #expect(try rows.value(.item, [99]) == nil)
        #expect(try rows.value(.head, [3]) == nil)
        #expect(try rows.count(.content) == SealedRowsTests.count)
        #expect(
            try rows.keys(.content, link: [1]).map { $0[0] } == [1, 3, 5, 7, 9, 11, 13, 15, 17, 19])
        #expect(try rows.keys(.item, link: [1]).isEmpty)
        var keys: [UInt8] = []
        try rows.forEach(.item) { key, value throws(KeychainError) in
            #expect(value == [key[0], 2])
            keys.append(key[0])
        }
        #expect(keys == Array(0..<20))
        var links: [UInt8] = []
        try rows.forEach(.content, by: .link) { key, _ throws(KeychainError) in
            links.append(key[0] % 2)
        }
        #expect(links == [UInt8](repeating: 0, count: 10) + [UInt8](repeating: 1, count: 10))
    }

    @Test func changesAreStoredTogetherOrNotAtAll() throws {
        let rows = try open()
        #expect(throws: KeychainError(.io)) { try rows.set([1], .item, [1]) }
        #expect(throws: KeychainError(.param)) {
            try change(rows) { () throws(KeychainError) in
                try rows.set([8], .item, [1])
                throw KeychainError(.param)
            }
        }
        #expect(try rows.value(.item, [1]) == [1, 2])
        try change(rows) { () throws(KeychainError) in
            try rows.set([8], .item, [1])
            try rows.remove(.item, [2])
            try rows.remove(.item, [99])
            let kept = try rows.change(keepingIf: { $0 }) { () throws(KeychainError) in
                try rows.set([9], .item, [1])
                try rows.set([9], .item, [200])
                return false
            }
            #expect(!kept)
        }
        for rows in [rows, try open()] {
            try rows.check()
            #expect(try rows.value(.item, [1]) == [8])
            #expect(try rows.value(.item, [2]) == nil)
            #expect(try rows.value(.item, [200]) == nil)
            #expect(try rows.count(.item) == SealedRowsTests.count - 1)
        }
    }

    @Test func allRowsOfAKindGoTogether() throws {
        let rows = try open()
        try change(rows) { () throws(KeychainError) in try rows.removeAll(.content) }
        for rows in [rows, try open()] {
            try rows.check()
            #expect(try rows.count(.content) == 0)
            #expect(try rows.count(.item) == SealedRowsTests.count)
        }
    }

    /// SQLite undoes everything on a full disk, also what is around the change that failed. A caller that goes on must
    /// not store the rest.
    @Test(arguments: [false, true]) func aFullDiskUndoesEverything(hidesError: Bool) throws {
        let rows = try open()
        let pages = try rows.database.number("PRAGMA page_count")
        try rows.database.execute("PRAGMA max_page_count=\(pages + 20)")
        let error = #expect(throws: KeychainError.self) {
            try change(rows) { () throws(KeychainError) in
                try rows.set([8], .item, [1])
                let fill = { () throws(KeychainError) in
                    try change(rows) { () throws(KeychainError) in
                        try rows.set([UInt8](repeating: 1, count: 200_000), .item, [2])
                    }
                }
                if hidesError {
                    try? fill()
                    try rows.set([9], .item, [3])
                } else {
                    try fill()
                }
            }
        }
        #expect(hidesError || error?.status == .diskFull)
        try rows.database.execute("PRAGMA max_page_count=100000")
        for rows in [rows, try open()] {
            try rows.check()
            #expect(try rows.value(.item, [1]) == [1, 2])
            #expect(try rows.value(.item, [3]) == [3, 2])
        }
        try change(rows) { () throws(KeychainError) in
            try rows.set([UInt8](repeating: 1, count: 200_000), .item, [2])
        }
        try open().check()
    }

    /// Random changes, kept or undone at any depth, next to a dictionary.
    @Test func rowsAreThoseOfADictionary() throws {
        var random = SeededRandom()
        let rows = try open()
        var expected: [UInt8: [UInt8]] = [:]
        for key in 0..<UInt8(SealedRowsTests.count) {
            expected[key] = [key, 2]
        }
        func step(_ depth: Int) throws(KeychainError) -> Bool {
            let before = expected
            let isKept = try rows.change(keepingIf: { $0 }) { () throws(KeychainError) in
                for _ in 0..<4 {
                    let key = UInt8(random.number(below: 30))
                    switch random.number(below: 3) {
                    case 0:
                        try rows.remove(.item, [key])
                        expected[key] = nil
                    case 1 where depth < 3: _ = try step(depth + 1)
                    default:
                        expected[key] = random.bytes(random.number(below: 3000))
                        try rows.set(expected[key] ?? [], .item, [key])
                    }
                }
                return random.chance(60)
            }
            if !isKept {
                expected = before
            }
            return isKept
        }
        for _ in 0..<40 {
            _ = try step(0)
        }
        for rows in [rows, try open()] {
            try rows.check()
            var found: [UInt8: [UInt8]] = [:]
            try rows.forEach(.item) { key, value throws(KeychainError) in found[key[0]] = value }
            #expect(found == expected, "LANYARD_TEST_SEED=\(SeededRandom.seed)")
        }
    }

    // MARK: Files that were changed

    @Test func anotherKeyOrLabelOpensNothing() throws {
        #expect(throws: KeychainError(.decode)) { try open(8) }
        #expect(throws: KeychainError(.decode)) { try open(label: [2]) }
    }

    /// Changes of a row, each with whether reading the row finds it; comparing all rows always does.
    @Test(arguments: [
        ("UPDATE sealed_row SET box = zeroblob(60) WHERE kind = 4 AND key = x'03'", true),
        ("UPDATE sealed_row SET key = x'63' WHERE kind = 4 AND key = x'03'", false),
        ("DELETE FROM sealed_row WHERE kind = 4 AND key = x'03'", false),
        ("UPDATE sealed_row SET link = x'01' WHERE kind = 6 AND key = x'02'", false),
        ("UPDATE sealed_row SET kind = 3 WHERE kind = 4 AND key = x'03'", false),
        ("UPDATE sealed_row SET kind = 99 WHERE kind = 4 AND key = x'03'", false),
        (
            """
            UPDATE sealed_row SET box = (SELECT box FROM sealed_row WHERE kind = 4 AND key = x'04') \
            WHERE kind = 4 AND key = x'03'
            """, true
        ),
    ])
    func aChangedRowIsFound(sql: String, isFoundByReading: Bool) throws {
        try database().execute(sql)
        let rows = try open()
        #expect(throws: KeychainError(.decode)) { try rows.check() }
        if isFoundByReading {
            #expect(throws: KeychainError(.decode)) { try rows.value(.item, [3]) }
        }
    }

    @Test func anOlderRowIsFound() throws {
        let rows = try open()
        let reading = try rows.database.prepare(
            "SELECT box FROM sealed_row WHERE kind = 4 AND key = x'03'")
        _ = try reading.step()
        let old = reading.blob(0)
        reading.reset()
        try change(rows) { () throws(KeychainError) in try rows.set([8], .item, [3]) }
        try rows.check()
        let writing = try rows.database.prepare(
            "UPDATE sealed_row SET box = ?1 WHERE kind = 4 AND key = x'03'")
        try writing.bind(old, at: 1)
        _ = try writing.step()
        // The row alone is right.
        #expect(try rows.value(.item, [3]) == [3, 2])
        #expect(throws: KeychainError(.decode)) { try rows.check() }
        #expect(throws: KeychainError(.decode)) { try open().check() }
    }

    @Test(arguments: [
        "CREATE TRIGGER t AFTER INSERT ON sealed_row BEGIN DELETE FROM server_version; END",
        "CREATE TABLE more(x)", "DROP TABLE server_version", "CREATE VIEW v AS SELECT 1",
        "PRAGMA application_id=1", "DELETE FROM row_set",
    ])
    func anotherFormIsRefused(sql: String) throws {
        try database().execute(sql)
        #expect(throws: KeychainError(.decode)) { try open() }
    }

    @Test func aLaterFormIsRefused() throws {
        try database().execute("PRAGMA user_version=\(SealedRows.format + 1)")
        #expect(throws: KeychainError(.wrongVersion)) { try open() }
    }
}
