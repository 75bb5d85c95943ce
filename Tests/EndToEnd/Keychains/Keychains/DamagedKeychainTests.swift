import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// A keychain file that is not as we wrote it is refused, and left as it is.
@Suite(.needs(.sqlite), .timeLimit(.minutes(10)))
struct DamagedKeychainTests {
    let home: ScratchHome
    static let request = "protocol=https\nhost=example.com\nusername=ada\n"
    static let secret = "distinctive-secret"
    static let damaged = "login.keychain' is not a keychain or is damaged"
    static let answer = "username=ada\npassword=\(secret)\n"

    init() async throws {
        home = try ScratchHome()
        try await home.store("\(Self.request)password=\(Self.secret)\n")
    }

    /// Expects that no program gets at the keychain or changes it.
    private func expectRefused(_ message: String, sourceLocation: SourceLocation = #_sourceLocation)
        async throws
    {
        let before = try Snapshot(home.lanyard)
        for operation in ["get", "store", "erase"] {
            let input =
                operation == "get" ? Self.request : "\(Self.request)password=\(Self.secret)\n"
            expectRefusal(
                try await home.helper(operation, input: input), message, secret: Self.secret,
                sourceLocation: sourceLocation)
        }
        let after = try Snapshot(home.lanyard)
        #expect(after.differences(from: before) == [], sourceLocation: sourceLocation)
    }

    @Test(arguments: [0, 1, 99, 100, 4095, 4096, 8192, 20_000])
    func aTruncatedFileIsRefused(_ count: Int) async throws {
        #expect(truncate(home.keychain, count) == 0)
        try await expectRefused(Self.damaged)
    }

    @Test func aLongerFileIsStillRead() async throws {
        // SQLite counts its pages itself; what follows them means nothing.
        let file = try FileHandle(forWritingTo: URL(filePath: home.keychain))
        try file.seekToEnd()
        try file.write(contentsOf: Data(repeating: 1, count: 4096))
        try file.close()
        try await home.expectGet(Self.request, Self.answer)
    }

    @Test func aFileOfAnotherKindIsRefused() async throws {
        _ = try Data("machine example.com password distinctive-secret\n".utf8)
            .write(to: URL(filePath: home.keychain))
        try await expectRefused(Self.damaged)
    }

    /// What SQL does to the file, and what is then said.
    private static let changes = [
        ("PRAGMA user_version = 3", "format 3, but this program reads only up to 2"),
        ("PRAGMA user_version = 1", "format 1, which no release of lanyard reads"),
        ("PRAGMA user_version = 2147483647", "but this program reads only up to 2"),
        ("PRAGMA user_version = 0", Self.damaged),
        ("PRAGMA user_version = -1", Self.damaged),
        ("PRAGMA application_id = 1", Self.damaged),
        ("PRAGMA journal_mode = WAL", Self.damaged),
        (
            "CREATE TRIGGER t AFTER INSERT ON item BEGIN DELETE FROM item; END",
            Self.damaged
        ),
        ("CREATE TRIGGER t AFTER UPDATE ON keychain BEGIN SELECT 1; END", Self.damaged),
        (
            "ALTER TABLE item ADD COLUMN more INTEGER GENERATED ALWAYS AS (class + 1) VIRTUAL",
            Self.damaged
        ),
        ("ALTER TABLE item ADD COLUMN more INTEGER", Self.damaged),
        ("CREATE VIEW v AS SELECT * FROM item", Self.damaged),
        ("CREATE TABLE more (a)", Self.damaged),
        ("CREATE INDEX more ON item (class)", Self.damaged),
        ("DROP INDEX item_server", Self.damaged),
        ("ALTER TABLE item RENAME COLUMN secret TO password", Self.damaged),
        ("DROP TABLE item", Self.damaged),
        ("DELETE FROM keychain", Self.damaged),
        ("UPDATE keychain SET keybag = x''", "the keys of the keychain '/"),
        ("UPDATE keychain SET keybag = zeroblob(5000000)", ""),
    ]

    @Test(arguments: changes)
    func aChangedFileIsRefused(_ sql: String, _ message: String) async throws {
        try await home.succeeds("sqlite3", home.keychain, sql)
        try await expectRefused(message)
    }

    @Test(arguments: ["keychain.keybag", "item.attributes", "item.secret", "keychain.row_set"])
    func aFlippedBitIsRefused(_ column: String) async throws {
        let sealed = try await blob(column)
        try #require(sealed.count > 60)
        let original = try home.read(home.keychain)
        // The keybag begins with its version.
        let message = column == "keychain.keybag" ? "the key" : "damaged or"
        // At the start, in the middle and at the end of what is sealed.
        for place in [0, 1, 17, sealed.count / 2, sealed.count - 1] {
            let window = max(0, min(place - 8, sealed.count - 16))
            var flipped = original
            let found = try #require(
                Data(original).range(of: Data(sealed[window..<window + 16])), "byte \(place)")
            flipped[found.lowerBound + place - window] ^= 0x10
            try overwrite(flipped)
            // Looking something up does not need the sum over all rows.
            if column != "keychain.row_set" {
                expectRefusal(
                    try await home.helper("get", input: Self.request), message,
                    secret: Self.secret)
            }
            expectRefusal(
                try await home.helper(
                    "store", input: "\(Self.request)password=another-\(Self.secret)\n"),
                message, secret: Self.secret)
            let isUnchanged = try home.read(home.keychain) == flipped
            #expect(isUnchanged)
        }
        try overwrite(original)
        try await home.expectGet(Self.request, Self.answer)
    }

    /// What is in a column of the only row.
    private func blob(_ column: String) async throws -> [UInt8] {
        let name = column.split(separator: ".")
        let text = try await home.succeeds(
            "sqlite3", home.keychain, "SELECT hex(\(name[1])) FROM \(name[0])"
        ).outputText.trimmingCharacters(in: .whitespacesAndNewlines)
        var digits = text[...]
        var bytes: [UInt8] = []
        while !digits.isEmpty {
            bytes.append(try #require(UInt8(digits.prefix(2), radix: 16)))
            digits = digits.dropFirst(2)
        }
        return bytes
    }

    private func overwrite(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: home.keychain))
        chmod(home.keychain, 0o600)
    }

    @Test func noFlippedBitGivesAWrongAnswerOrStopsTheProgram() async throws {
        let original = try home.read(home.keychain)
        try #require(original.count > 4096)
        var random = SystemRandomNumberGenerator()
        // The header whole, then here and there.
        let places =
            Array(0..<100)
            + (0..<150).map { _ in Int.random(in: 100..<original.count, using: &random) }
        for place in places {
            var bytes = original
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            try overwrite(bytes)
            let outcome = try await home.helper("get", input: Self.request)
            if outcome.status == 0 {
                // A bit that nothing reads, or a tag that no longer finds the row.
                #expect(
                    ["", Self.answer].contains(outcome.outputText) && outcome.error.isEmpty,
                    "byte \(place): \(outcome)")
            } else {
                expectRefusal(outcome, "", secret: Self.secret)
            }
            let isUnchanged = try home.read(home.keychain) == bytes
            #expect(isUnchanged, "byte \(place)")
        }
    }

    @Test func aStrayLogOfAnotherJournalModeMakesNoFile() async throws {
        try Data("no log".utf8).write(to: URL(filePath: "\(home.keychain)-wal"))
        chmod("\(home.keychain)-wal", 0o600)
        let before = try Snapshot(home.lanyard)
        _ = try await home.helper("get", input: Self.request)
        let after = try Snapshot(home.lanyard)
        #expect(after.contents.keys.sorted() == before.contents.keys.sorted())
    }
}
