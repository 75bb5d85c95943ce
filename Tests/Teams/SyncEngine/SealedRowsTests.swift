import LanyardCryptography
import LinuxSystem
import TestSupport
import SQLiteFile
import LanyardSecrets
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
                try rows.set([number, 1], .named, [number % 2, 0, number])
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
        #expect(try rows.count(.named) == SealedRowsTests.count)
        #expect(
            try rows.keys(.named, beginning: [1, 0]).map { $0[2] }
                == [1, 3, 5, 7, 9, 11, 13, 15, 17, 19])
        #expect(try rows.keys(.named, beginning: [2, 0]).isEmpty)
        var keys: [UInt8] = []
        try rows.forEach(.item) { key, value throws(KeychainError) in
            #expect(value == [key[0], 2])
            keys.append(key[0])
        }
        #expect(keys == Array(0..<20))
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
        try change(rows) { () throws(KeychainError) in try rows.removeAll(.named) }
        for rows in [rows, try open()] {
            try rows.check()
            #expect(try rows.count(.named) == 0)
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

    /// Each is found before the row, or its absence, is used.
    @Test(arguments: [
        "UPDATE sealed_row SET box = zeroblob(60) WHERE kind = 4 AND key = x'03'",
        "UPDATE sealed_row SET key = x'63' WHERE kind = 4 AND key = x'03'",
        "UPDATE sealed_row SET key = x'0300' WHERE kind = 4 AND key = x'03'",
        "DELETE FROM sealed_row WHERE kind = 4 AND key = x'03'",
        "UPDATE sealed_row SET kind = 3 WHERE kind = 4 AND key = x'03'",
        "UPDATE sealed_row SET kind = 99 WHERE kind = 4 AND key = x'03'",
        """
        UPDATE sealed_row SET box = (SELECT box FROM sealed_row WHERE kind = 4 AND key = x'04') \
        WHERE kind = 4 AND key = x'03'
        """,
    ])
    func aChangedRowIsFound(sql: String) throws {
        try database().execute(sql)
        #expect(throws: KeychainError(.decode)) { try open().check() }
        let rows = try open()
        for _ in 0..<2 {
            #expect(throws: KeychainError(.decode)) { try rows.value(.item, [3]) }
            #expect(throws: KeychainError(.decode)) { try rows.forEach(.item) { _, _ in } }
        }
        #expect(throws: KeychainError(.decode)) {
            try change(rows) { () throws(KeychainError) in try rows.set([1], .item, [3]) }
        }
        #expect(throws: KeychainError(.decode)) {
            try change(rows) { () throws(KeychainError) in try rows.remove(.item, [3]) }
        }
        // Others are as they were.
        #expect(try rows.value(.item, [4]) == [4, 2])
    }

    @Test(arguments: [
        "DELETE FROM sealed_row WHERE kind = 11 AND key = x'010003'",
        "UPDATE sealed_row SET key = x'000003' WHERE kind = 11 AND key = x'010003'",
    ])
    func aMissingKeyIsFound(sql: String) throws {
        try database().execute(sql)
        #expect(throws: KeychainError(.decode)) { try open().keys(.named, beginning: [1, 0]) }
    }

    @Test func aRowMoreIsFound() throws {
        try database().execute(
            """
            INSERT INTO sealed_row SELECT kind, x'0301', box FROM sealed_row WHERE kind = 4 AND key = x'03'
            """)
        #expect(throws: KeychainError(.decode)) { try open().value(.item, [3, 1]) }
        #expect(throws: KeychainError(.decode)) { try open().check() }
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
        #expect(throws: KeychainError(.decode)) { try rows.check() }
        #expect(throws: KeychainError(.decode)) { try open().check() }
        // The row alone is right.
        #expect(throws: KeychainError(.decode)) { try open().value(.item, [3]) }
    }

    /// Another process with the key changes rows while this one looks at them.
    @Test func changesOfOthersAreSeen() throws {
        let (reader, writer) = (try open(), try open())
        #expect(try reader.value(.item, [3]) == [3, 2])
        for number in 0..<3 as Range<UInt8> {
            try change(writer) { () throws(KeychainError) in try writer.set([number], .item, [3]) }
            #expect(try reader.value(.item, [3]) == [number])
            try reader.check()
        }
        try change(reader) { () throws(KeychainError) in try reader.set([9], .item, [4]) }
        #expect(try writer.value(.item, [4]) == [9])
    }

    /// Of many rows, looking one up reads a few.
    @Test func aLookUpReadsFewRows() throws {
        let rows = try open()
        try change(rows) { () throws(KeychainError) in
            for number in 0..<20_000 as Range<UInt32> {
                try rows.set([], .item, KeyedDigest.plain(number.bigEndianBytes.span))
            }
        }
        let again = try open()
        #expect(again.checkedRows == 0)
        let key = KeyedDigest.plain(UInt32(77).bigEndianBytes.span)
        #expect(try again.value(.item, key) == [])
        #expect(again.checkedRows < 60)
        try change(again) { () throws(KeychainError) in try again.set([1], .item, key) }
        #expect(again.checkedRows < 60)
        #expect(try rows.value(.item, key) == [1])
        try rows.check()
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

    @Test(arguments: [-1, 1]) func anotherFormatIsRefused(step: Int64) throws {
        try database().execute("PRAGMA user_version=\(SealedRows.format + step)")
        #expect(throws: KeychainError(.wrongVersion)) { try open() }
    }
}
