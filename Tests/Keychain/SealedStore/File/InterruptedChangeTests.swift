import CSQLite
import Foundation
import KeychainServices
import TestSupport
import Testing

@testable import SQLiteFile
@testable import SealedStore

/// A change whose process is killed in the middle, after part of it has reached the file.
enum InterruptedChange {
    /// What a full cache does: the changed pages go to the file before the end.
    static func flush(_ database: Database) {
        sqlite3_db_cacheflush(database.connection)
    }

    static func leave(in scratch: ScratchKeychain) async throws {
        let before = try scratch.bytes()
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [folder = scratch.folder as String] in
            let store = try ScratchKeychain(adopting: folder).openStore()
            try store.transaction { () throws(KeychainError) in
                for number in 0..<20 {
                    _ = try store.add(
                        .internetPassword, internetPassword(ByteString("\(number).half.example")),
                        secret: Secret(String(repeating: "x", count: 8000)))
                }
                let query = Query(.internetPassword, internetPassword("a.example"))
                _ = try store.delete(query)
                InterruptedChange.flush(store.file.database)
                kill(getpid(), SIGKILL)
            }
        }
        let after = try scratch.bytes()
        #expect(after != before, "nothing of the change had reached the file")
        #expect(FileManager.default.fileExists(atPath: "\(scratch.location.file)-journal"))
    }
}

@Suite("Interrupted changes") struct InterruptedChangeTests {
    @Test func theNextReadingUndoesIt() async throws {
        let scratch = try ScratchKeychain.withItem()
        let before = try scratch.bytes()
        try await InterruptedChange.leave(in: scratch)
        #expect(scratch.reading() == nil)
        #expect(try scratch.bytes() == before)
        #expect(scratch.verified() == 1)
        #expect(try scratch.names() == ScratchKeychain.namesAtRest)
    }

    @Test func theNextChangeUndoesIt() async throws {
        let scratch = try ScratchKeychain.withItem()
        try await InterruptedChange.leave(in: scratch)
        #expect(scratch.adding() == nil)
        #expect(scratch.reading() == nil)
        #expect(scratch.verified() == 2)
    }

    /// A store that was open all the while.
    @Test func anOpenStoreUndoesIt() async throws {
        let scratch = try ScratchKeychain.withItem()
        let keychain = try scratch.open()
        #expect(try secret(keychain, internetPassword("a.example")) == "one")
        try await InterruptedChange.leave(in: scratch)
        #expect(try secret(keychain, internetPassword("a.example")) == "one")
        #expect(scratch.verified() == 1)
    }

    /// Several at once find it.
    @Test func manyReadersUndoItTogether() async throws {
        let scratch = try ScratchKeychain.withItem()
        try await InterruptedChange.leave(in: scratch)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            #expect(scratch.reading() == nil)
        }
        #expect(scratch.verified() == 1)
    }

    /// A journal whose keychain is gone must not be played back into the next one.
    @Test func itsJournalIsForgottenWithTheKeychain() async throws {
        let scratch = try ScratchKeychain.withItem()
        try await InterruptedChange.leave(in: scratch)
        try FileManager.default.removeItem(atPath: scratch.location.file)
        try SealedStore.delete(at: scratch.location)
        #expect(try scratch.names() == ["data", "state", "state/machine-key"])
    }

    @Test func itsJournalDoesNotReachANewKeychain() async throws {
        let scratch = try ScratchKeychain.withItem()
        try await InterruptedChange.leave(in: scratch)
        for file in [scratch.location.file, try scratch.anchorFile()] {
            try FileManager.default.removeItem(atPath: file)
        }
        try SealedStore.make(at: scratch.location)
        #expect(scratch.adding() == nil)
        #expect(scratch.verified() == 1)
        #expect(try scratch.names() == ScratchKeychain.namesAtRest)
    }

    @Test func itsJournalDoesNotReachARestoredKeychain() async throws {
        let scratch = try ScratchKeychain.withItem()
        let copy = "\(scratch.folder)/copy"
        try scratch.openStore().backUp(to: copy)
        try await InterruptedChange.leave(in: scratch)
        try FileManager.default.removeItem(atPath: scratch.location.file)
        let restore = try KeychainRestore(of: copy, to: scratch.location)
        #expect(try restore.apply(keepingPresentIn: "before") == nil)
        #expect(scratch.verified() == 1)
        // The file may only have been moved, and be of use with its journal.
        #expect(try scratch.names().contains("data/before/login.keychain-journal"))
    }

    /// The journal's bytes flipped or its end missing: never a crash, never another answer than the
    /// right one or an error.
    @Test func aDamagedJournalIsNoCrash() async throws {
        let scratch = try ScratchKeychain.withItem()
        try await InterruptedChange.leave(in: scratch)
        let file = try scratch.bytes()
        let journalPath = "\(scratch.location.file)-journal"
        let journal = try Data(contentsOf: URL(fileURLWithPath: journalPath))
        var random = SeededRandom()
        for round in 0..<150 {
            var changed = journal
            if round % 3 == 0 {
                changed.removeLast(random.number(below: journal.count))
            } else {
                // Half of them in the header.
                let position = random.number(below: round % 3 == 1 ? 28 : journal.count)
                changed[changed.startIndex + position] ^= UInt8(1 + random.number(below: 255))
            }
            try scratch.write(file)
            try changed.write(to: URL(fileURLWithPath: journalPath))
            chmod(journalPath, 0o600)
            _ = scratch.reading()
            _ = scratch.adding()
            _ = scratch.reading()
        }
    }
}
