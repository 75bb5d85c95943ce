import Foundation
import Glibc
import KeychainServices
import Testing

@testable import SealedStore
@testable import LinuxSystem

/// Damaged rows moved out of a keychain.
@Suite("Quarantine") struct QuarantineTests {
    /// The rows 1 to 4 are passwords of 1.example to 4.example.
    private static func keychain() throws -> ScratchKeychain {
        let scratch = try ScratchKeychain()
        let keychain = try scratch.open()
        for number in 1...4 {
            try keychain.add(
                .internetPassword, internetPassword(ByteString("\(number).example")),
                secret: Secret("secret \(number)"))
        }
        return scratch
    }

    private static let damaging = """
        UPDATE item SET secret = substr(secret, 1, 24) WHERE change = 1;
        UPDATE item SET attributes = zeroblob(9000000) WHERE change = 3;
        """

    private func rows(_ file: String) throws -> [Int64: [RawDatabase.Value]] {
        var rows: [Int64: [RawDatabase.Value]] = [:]
        for row in try RawDatabase(file).rows("SELECT * FROM item") {
            if case .number(let change) = row[0] {
                rows[change] = Array(row.prefix(13))
            }
        }
        return rows
    }

    private func quarantine(
        _ scratch: ScratchKeychain, acceptsItemSet: Bool = false
    ) throws -> String? {
        let store = try scratch.openStore()
        return try store.quarantine(
            try store.verification(), acceptsItemSet: acceptsItemSet)
    }

    @Test func damagedRowsAreMovedAsTheyAre() throws {
        let scratch = try QuarantineTests.keychain()
        try RawDatabase(scratch.location.file).run(QuarantineTests.damaging)
        let before = try rows(scratch.location.file)
        let keychain = try RawDatabase(scratch.location.file).rows("SELECT * FROM keychain")
        let path = try #require(try quarantine(scratch))
        #expect(path == "\(scratch.location.file).quarantine-1")
        #expect(try rows(scratch.location.file) == before.filter { [2, 4].contains($0.key) })
        #expect(try rows(path) == before.filter { [1, 3].contains($0.key) })
        let file = try RawDatabase(path)
        #expect(try file.rows("SELECT * FROM keychain") == keychain)
        #expect(
            try file.rows("SELECT damage FROM item ORDER BY change")
                == [[.text("secret")], [.text("too-large")]])
        #expect(try file.number("PRAGMA application_id") == Int64(Quarantine.applicationID))
        var status = stat()
        #expect(lstat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(scratch.verified() == 2)
        #expect(scratch.adding() == nil)
        #expect(scratch.verified() == 3)
    }

    @Test func anEarlierFileStays() throws {
        let scratch = try QuarantineTests.keychain()
        for number in 1...3 {
            try RawDatabase(scratch.location.file).run(
                "UPDATE item SET secret = substr(secret, 1, 24) WHERE change = \(number)")
            #expect(
                try quarantine(scratch) == "\(scratch.location.file).quarantine-\(number)")
        }
        for number in 1...3 {
            let kept = try rows("\(scratch.location.file).quarantine-\(number)")
            #expect(Array(kept.keys) == [Int64(number)])
        }
        #expect(scratch.verified() == 1)
        #expect(try quarantine(scratch) == nil)
    }

    /// What is missing is given up only with consent.
    @Test func rowsThatAreNotAllThereHaveToBeAccepted() throws {
        for sql in [
            "DELETE FROM item WHERE change = 2",
            "DELETE FROM item WHERE change = 2; UPDATE item SET secret = substr(secret, 1, 24) WHERE change = 1",
        ] {
            let scratch = try QuarantineTests.keychain()
            try RawDatabase(scratch.location.file).run(sql)
            let before = try scratch.files()
            #expect(throws: KeychainError(.param)) { try quarantine(scratch) }
            #expect(try scratch.files() == before)
            _ = try quarantine(scratch, acceptsItemSet: true)
            #expect(throws: Never.self) { try scratch.openStore().verify() }
        }
    }

    @Test func theRowThatWasPutBackIsMoved() throws {
        let scratch = try QuarantineTests.keychain()
        let old = try RawDatabase(scratch.location.file).row(2)
        try scratch.open().delete(Query(.internetPassword, internetPassword("2.example")))
        try RawDatabase(scratch.location.file).insert(old)
        let path = try #require(try quarantine(scratch))
        #expect(try rows(path) == [2: old])
        #expect(scratch.verified() == 3)
    }

    @Test func indexesThatDoNotFitAreMadeAnew() throws {
        let scratch = try QuarantineTests.keychain()
        let tag = Data(
            try RawDatabase(scratch.location.file).blob("SELECT server FROM item WHERE change = 2"))
        var file = try scratch.bytes()
        let last = try #require(file.range(of: tag, options: .backwards))
        file[last.lowerBound] ^= 1
        try scratch.write(file)
        #expect(try scratch.openStore().verification().isStructureDamaged)
        #expect(try quarantine(scratch) == nil)
        #expect(scratch.verified() == 4)
        #expect(try secret(try scratch.open(), internetPassword("2.example")) == "secret 2")
    }

    /// There was no consent to what is found only now.
    @Test func whatWasFoundMeanwhileIsNotMoved() throws {
        let scratch = try QuarantineTests.keychain()
        try RawDatabase(scratch.location.file).run(
            "UPDATE item SET secret = substr(secret, 1, 24) WHERE change = 1")
        let store = try scratch.openStore()
        let found = try store.verification()
        try RawDatabase(scratch.location.file).run(
            "UPDATE item SET secret = substr(secret, 1, 24) WHERE change = 2")
        let before = try scratch.files()
        #expect(throws: KeychainError(.param)) { try store.quarantine(found) }
        #expect(try scratch.files() == before)
    }

    @Test func worksWhileLocked() throws {
        let scratch = try ScratchKeychain.locked()
        defer { scratch.lockAll() }
        #expect(scratch.reading(ScriptedProvider(given: "pass")) == nil)
        try RawDatabase(scratch.location.file).run(
            "UPDATE item SET attributes = x''")
        _ = try #require(try quarantine(scratch))
        #expect(try scratch.openStore().verification().isSound)
    }

    /// Killed at any of its calls into the system: each row is in the keychain, in the file, or in
    /// both, and the next attempt ends well.
    @Test(arguments: 1...14) func killedNothingIsLost(_ number: Int) async throws {
        let scratch = try QuarantineTests.keychain()
        try RawDatabase(scratch.location.file).run(
            "UPDATE item SET secret = substr(secret, 1, 24) WHERE change IN (1, 3)")
        let before = try rows(scratch.location.file)
        await #expect(processExitsWith: .failure) {
            [folder = scratch.folder as String, number = number as Int] in
            let store = try ScratchKeychain(adopting: folder).openStore()
            let found = try store.verification()
            let calls = CallCount()
            SystemCalls.$injectedError.withValue({ _ in
                calls.count += 1
                if calls.count == number {
                    kill(getpid(), SIGKILL)
                }
                return nil
            }) {
                _ = try? store.quarantine(found)
            }
            // There were fewer calls: it is done.
            exit(7)
        }
        var kept = try rows(scratch.location.file)
        for name in try FileManager.default.contentsOfDirectory(atPath: scratch.dataFolder)
        where name.contains(".quarantine-") && !name.contains(".new-") {
            kept.merge(try rows("\(scratch.dataFolder)/\(name)")) { $1 }
        }
        #expect(kept == before)
        _ = try quarantine(scratch)
        #expect(scratch.verified() == 2)
    }
}

/// How many calls there were, all of them on one thread.
private final class CallCount: @unchecked Sendable {
    var count = 0
}
