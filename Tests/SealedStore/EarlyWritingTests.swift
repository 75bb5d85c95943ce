import Foundation
import Testing

@testable import LinuxSystem
@testable import SealedStore

@Suite("What is written to the disk early") struct EarlyWritingTests {
    @Test("a file's descriptor is one through which it can be changed")
    func descriptor() throws {
        let scratch = try ScratchKeychain()
        let path = scratch.location.file + ".other"
        try Data("text".utf8).write(to: URL(fileURLWithPath: path))
        #expect(SystemCalls.descriptorForChange(of: path) == nil)
        let reading = try SystemCalls.openForReading(path)
        defer { SystemCalls.close(reading) }
        #expect(SystemCalls.descriptorForChange(of: path) == nil)
        let changing = try SystemCalls.openForChange(path)
        #expect(SystemCalls.descriptorForChange(of: path) == changing)
        try SystemCalls.beginWriting(changing)
        SystemCalls.close(changing)
        #expect(SystemCalls.descriptorForChange(of: path) == nil)
        #expect(SystemCalls.descriptorForChange(of: path + ".none") == nil)
        #expect(throws: SystemCallError.self) { try SystemCalls.beginWriting(-1) }
    }

    @Test("a keychain's is SQLite's own, and one in memory has none")
    func databases() throws {
        let scratch = try ScratchKeychain()
        let database = try Database(
            path: scratch.location.file, name: "x", access: .writing, busyTimeout: 0)
        #expect(database.path == scratch.location.file)
        try database.execute("BEGIN IMMEDIATE")
        try database.execute("UPDATE keychain SET row_set = x'00'")
        let before = try Data(contentsOf: URL(fileURLWithPath: scratch.location.file))
        #expect(try database.writeChanges())
        let after = try Data(contentsOf: URL(fileURLWithPath: scratch.location.file))
        #expect(before != after)
        let writing = EarlyWriting(of: database)
        let isBegun = writing != nil
        #expect(isBegun)
        writing?.finish()
        try database.execute("ROLLBACK")
        let undone = try Data(contentsOf: URL(fileURLWithPath: scratch.location.file))
        #expect(undone == before)
        let reader = try RawDatabase(scratch.location.file)
        try reader.run("BEGIN; SELECT count(*) FROM item")
        let patient = try Database(
            path: scratch.location.file, name: "x", access: .writing, busyTimeout: 60_000)
        try patient.execute("BEGIN IMMEDIATE")
        try patient.execute("UPDATE keychain SET row_set = x'00'")
        let start = ContinuousClock().now
        #expect(try !patient.writeChanges())
        let took = start.duration(to: ContinuousClock().now)
        #expect(took < .seconds(30), "it is not waited for: \(took)")
        try patient.execute("ROLLBACK")
        let inMemory = try Database(inMemory: ())
        #expect(inMemory.path.isEmpty)
        let isNone = EarlyWriting(of: inMemory) == nil
        #expect(isNone)
    }
}
