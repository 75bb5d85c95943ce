import Foundation
import Glibc
import Testing

@testable import KeychainServices
@testable import SealedStore

@Suite("Indexes of a table that has its rows") struct IndexMakingTests {
    /// So many entries that they are sorted in more than one piece.
    private static let rows = 100_000
    private static let definition = "CREATE INDEX entry_tag ON entry (tag)"

    private static func fill(_ database: Database, rows: Int) throws {
        try database.execute("BEGIN IMMEDIATE")
        try database.execute("CREATE TABLE entry (number INTEGER PRIMARY KEY, tag BLOB)")
        try database.execute(
            """
            WITH RECURSIVE counter(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < \(rows))
            INSERT INTO entry SELECT n, randomblob(16) FROM counter
            """)
    }

    @Test("a keychain's folder has the file for what is sorted, and afterwards has none of it")
    func sorting() throws {
        // A name that has to be quoted.
        let scratch = try ScratchKeychain()
        let folder = URL(fileURLWithPath: scratch.location.file).deletingLastPathComponent()
            .appendingPathComponent("o'clock")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let file = folder.appendingPathComponent("any.keychain").path
        try FileManager.default.copyItem(atPath: scratch.location.file, toPath: file)
        let database = try Database(path: file, name: "x", access: .writing, busyTimeout: 0)
        try Self.fill(database, rows: Self.rows)
        let cache = try database.number("PRAGMA cache_size")
        let watch = try FolderWatch(folder.path)

        try database.makeIndexes([Self.definition])

        #expect(try watch.created().contains { $0.hasPrefix("etilqs_") })
        try database.execute("COMMIT")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left == ["any.keychain"])
        #expect(try database.number("PRAGMA cache_size") == cache)
        let check = try database.prepare("PRAGMA integrity_check")
        #expect(try check.step())
        #expect(check.text(0) == "ok")
        let count = try database.number("SELECT count(tag) FROM entry INDEXED BY entry_tag")
        #expect(count == Self.rows)
    }

    @Test("several at once do not disturb one another")
    func several() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let scratch = try ScratchKeychain()
                    let folder = URL(fileURLWithPath: scratch.location.file)
                        .deletingLastPathComponent()
                    let database = try Database(
                        path: scratch.location.file, name: "x", access: .writing, busyTimeout: 0)
                    try Self.fill(database, rows: Self.rows)
                    let watch = try FolderWatch(folder.path)
                    try database.makeIndexes([Self.definition])
                    #expect(try watch.created().contains { $0.hasPrefix("etilqs_") })
                    try database.execute("ROLLBACK")
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("a few entries need no file")
    func few() throws {
        let scratch = try ScratchKeychain()
        let folder = URL(fileURLWithPath: scratch.location.file).deletingLastPathComponent()
        let database = try Database(
            path: scratch.location.file, name: "x", access: .writing, busyTimeout: 0)
        try Self.fill(database, rows: 10_000)
        let watch = try FolderWatch(folder.path)
        try database.makeIndexes([Self.definition])
        #expect(try watch.created().isEmpty)
        try database.execute("ROLLBACK")
    }

    @Test("in memory, and where one can't be made, the cache has its size again")
    func failing() throws {
        let database = try Database(inMemory: ())
        try Self.fill(database, rows: 10)
        let cache = try database.number("PRAGMA cache_size")
        try database.makeIndexes([Self.definition])
        #expect(try database.number("PRAGMA cache_size") == cache)
        #expect(throws: KeychainError.self) { try database.makeIndexes([Self.definition]) }
        #expect(try database.number("PRAGMA cache_size") == cache)
        #expect(throws: KeychainError.self) {
            try database.withCache(of: 64) { () throws(KeychainError) in
                #expect(try database.number("PRAGMA cache_size") == -64)
                throw KeychainError(.io)
            }
        }
        #expect(try database.number("PRAGMA cache_size") == cache)
    }
}

/// What is made in a folder from now on.
private final class FolderWatch {
    private let descriptor: Int32

    init(_ folder: String) throws {
        descriptor = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
        try #require(descriptor != -1)
        try #require(inotify_add_watch(descriptor, folder, UInt32(IN_CREATE)) != -1)
    }

    deinit {
        close(descriptor)
    }

    /// The names so far.
    func created() throws -> [String] {
        var names: [String] = []
        var events = [UInt8](repeating: 0, count: 65_536)
        let size = read(descriptor, &events, events.count)
        var offset = 0
        while offset + 16 <= size {
            let length = Int(events[offset + 12]) | Int(events[offset + 13]) << 8
            let name = events[offset + 16..<offset + 16 + length].prefix { $0 != 0 }
            names.append(String(decoding: name, as: UTF8.self))
            offset += 16 + length
        }
        return names
    }
}
