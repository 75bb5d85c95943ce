import CSQLite
import Foundation
import KeychainServices
import Testing

@testable import LinuxSystem
@testable import SQLiteFile
@testable import SealedStore

/// What SQLite itself does with files beside the keychain, past every earlier check.
@Suite("SQLite's access to files", .timeLimit(.minutes(10))) struct PrivateFileVFSTests {
    /// A keychain with an interrupted change: its file and its journal.
    private struct Interrupted {
        let scratch: ScratchKeychain
        let file: Data
        let journal: Data
        var journalFile: String { "\(scratch.location.file)-journal" }

        init() async throws {
            scratch = try ScratchKeychain.withItem()
            try await InterruptedChange.leave(in: scratch)
            file = try scratch.bytes()
            journal = try Data(
                contentsOf: URL(fileURLWithPath: "\(scratch.location.file)-journal"))
        }

        func putBack(_ end: [UInt8] = []) throws {
            try scratch.write(file)
            makeFile(journalFile, journal + end)
        }

        /// What undoing it says, without a look at the journal before.
        func undoing() -> KeychainError? {
            keychainError {
                let database = try Database(
                    path: scratch.location.file, errors: .keychain("x"), access: .writing,
                    busyTimeout: 1000)
                _ = try database.number("SELECT count(*) FROM item")
            }
        }
    }

    /// The end of a journal that has SQLite delete a file.
    private static func superJournal(_ path: String) -> [UInt8] {
        var record = ByteWriter()
        record.number(UInt32(0x4000_0000 / 4096 + 1))
        record.raw(Array(path.utf8))
        record.number(UInt32(path.utf8.count))
        record.number(path.utf8.reduce(UInt32(0)) { $0 + UInt32($1) })
        record.raw([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
        return record.bytes
    }

    @Test func aJournalIsPlayedBack() async throws {
        let change = try await Interrupted()
        #expect(change.undoing() == nil)
        #expect(change.scratch.verified() == 1)
    }

    @Test func noSuperJournalIsDeleted() async throws {
        let change = try await Interrupted()
        let victim = "\(change.scratch.folder)/victim"
        makeFile(victim, Data("dear".utf8))
        let others = [victim, change.scratch.machineKeyFile, try change.scratch.anchorFile()]
        for path in others + [change.scratch.location.file, "\(victim)-journal"] {
            try change.putBack(Self.superJournal(path))
            #expect(change.undoing() != nil, "\(path)")
            for file in others {
                #expect(FileManager.default.fileExists(atPath: file), "\(path)")
            }
            #expect(FileManager.default.fileExists(atPath: change.scratch.location.file))
        }
        // What is no super-journal of ours leaves the journal, and so the change can be undone still.
        try change.putBack()
        #expect(change.undoing() == nil)
        #expect(change.scratch.verified() == 1)
    }

    /// Another process waits for the lock of the one that reads, and appends the name then.
    @Test func noFileIsLostToAJournalThatGrowsWhileItIsPlayedBack() async throws {
        let scratch = try ScratchKeychain.withItem()
        let store = try scratch.openStore()
        try store.transaction { () throws(KeychainError) in
            for number in 0..<40 {
                _ = try store.add(
                    .internetPassword, internetPassword(ByteString("\(number).large.example")),
                    secret: Secret(String(repeating: "x", count: 30_000)))
            }
        }
        let journalFile = "\(scratch.location.file)-journal"
        // A journal with every page as it was.
        let whole = try scratch.bytes()
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = scratch.folder as String] in
            let store = try ScratchKeychain(adopting: folder).openStore()
            try store.transaction { () throws(KeychainError) in
                try store.file.database.execute("UPDATE item SET secret = zeroblob(length(secret))")
                InterruptedChange.flush(store.file.database)
                kill(getpid(), SIGKILL)
            }
        }
        let half = try scratch.bytes()
        let journal = try Data(contentsOf: URL(fileURLWithPath: journalFile))
        #expect(journal.count > 1 << 20 && half != whole)
        let victim = try scratch.anchorFile()
        let precious = try Data(contentsOf: URL(fileURLWithPath: victim))
        let record = Self.superJournal(victim)
        let attack = Task.detached {
            [folder = scratch.folder as String, record = record as [UInt8]] in
            _ = await #expect(processExitsWith: .success) {
                [folder = folder as String, record = record as [UInt8]] in
                let file = Attacker.open("\(folder)/data/login.keychain", O_RDWR)
                var isAppended = false
                while access("\(folder)/ended", F_OK) != 0 {
                    let isLocked = Attacker.isLocked(file)
                    if isLocked, !isAppended {
                        let journal = Attacker.open(
                            "\(folder)/data/login.keychain-journal", O_WRONLY | O_APPEND)
                        _ = record.withUnsafeBytes { write(journal, $0.baseAddress, $0.count) }
                        close(journal)
                    }
                    isAppended = isLocked
                }
            }
        }
        var lost = 0
        for _ in 0..<200 {
            try scratch.write(half)
            makeFile(journalFile, journal)
            _ = scratch.reading()
            if !FileManager.default.fileExists(atPath: victim) {
                lost += 1
                makeFile(victim, precious)
            }
        }
        makeFile("\(scratch.folder)/ended")
        await attack.value
        #expect(lost == 0)
        // The attacker's name may still stand in the last one, which is then refused.
        try scratch.write(half)
        makeFile(journalFile, journal)
        #expect(scratch.reading() == nil)
    }

    /// A FIFO in place of the journal, or of the keychain, between the check and its opening.
    @Test func aFIFOIsNotWaitedFor() async throws {
        let change = try await Interrupted()
        try FileManager.default.removeItem(atPath: change.journalFile)
        mkfifo(change.journalFile, 0o600)
        #expect(change.undoing() != nil)
        for path in [change.journalFile, change.scratch.location.file] {
            try? FileManager.default.removeItem(atPath: path)
            mkfifo(path, 0o600)
            #expect(
                keychainError {
                    _ = try Database(
                        path: change.scratch.location.file, errors: .keychain("x"),
                        access: .reading,
                        busyTimeout: 0
                    ).number("PRAGMA user_version")
                }?.status == (path == change.journalFile ? .readOnly : .writePermissions), "\(path)"
            )
        }
    }

    @Test func aFIFORacedIntoTheJournalsPlaceIsNotWaitedFor() throws {
        let scratch = try ScratchKeychain.withItem()
        let journal = "\(scratch.location.file)-journal"
        let isOver = Count()
        let racer = Thread {
            while isOver.value == 0 {
                mkfifo(journal, 0o600)
                unlink(journal)
            }
            isOver.add(1)
        }
        racer.start()
        for _ in 0..<200 {
            _ = scratch.reading()
        }
        isOver.add(1)
        while isOver.value == 1 {
            usleep(1000)
        }
        #expect(scratch.reading() == nil)
    }

    /// A new journal would be written over it.
    @Test func anotherNameOfAFileIsNotWrittenTo() throws {
        let scratch = try ScratchKeychain.withItem()
        let victim = "\(scratch.folder)/victim"
        makeFile(victim, Data(count: 4096))
        #expect(link(victim, "\(scratch.location.file)-journal") == 0)
        #expect(scratch.reading() == nil)
        #expect(scratch.adding()?.status == .writePermissions)
        #expect(FileManager.default.contents(atPath: victim) == Data(count: 4096))
    }

    @Test func onlyItsOwnJournalIsDeleted() throws {
        let scratch = try ScratchKeychain.withItem()
        let store = try scratch.openStore()
        _ = try store.count()
        let files = try #require(sqlite3_vfs_find(try PrivateFileVFS.name()))
        let delete = try #require(files.pointee.xDelete)
        let path = store.file.folder.pinnedPath(of: scratch.location.fileName)
        for name in [
            path, "\(path)-wal", "\(path)-shm", scratch.machineKeyFile, scratch.location.file,
        ] {
            #expect(delete(files, name, 0) & 0xFF == SQLITE_IOERR, "\(name)")
        }
        #expect(try scratch.names() == ScratchKeychain.namesAtRest)
        makeFile("\(scratch.location.file)-journal")
        #expect(delete(files, "\(path)-journal", 0) == SQLITE_OK)
        #expect(try scratch.names() == ScratchKeychain.namesAtRest)
    }

    @Test func withoutItNothingIsOpened() async throws {
        let scratch = try ScratchKeychain.withItem()
        await #expect(processExitsWith: .success) { [folder = scratch.folder as String] in
            SystemCalls.$injectedError.withValue({ $0 == "sqlite3_vfs_register" ? EIO : nil }) {
                let scratch = ScratchKeychain(adopting: folder)
                #expect(scratch.reading()?.status == .io)
                #expect(scratch.adding()?.status == .io)
            }
        }
        // Another part of the program has SQLite open files as it likes.
        await #expect(processExitsWith: .success) { [folder = scratch.folder as String] in
            let scratch = ScratchKeychain(adopting: folder)
            #expect(scratch.reading() == nil)
            let usual = sqlite3_vfs_find("unix")
            #expect(usual?.pointee.xSetSystemCall(usual, "open", nil) == SQLITE_OK)
            #expect(scratch.reading() != nil)
            #expect(scratch.adding() != nil)
        }
        #expect(scratch.reading() == nil)
    }

    /// Without a generation to hold it against, an old copy would take the passphrase away.
    @Test func thePassphraseIsNotLost() async throws {
        let scratch = try ScratchKeychain.withItem()
        let old = try scratch.bytes()
        try scratch.setQuickPassphrase("pass")
        let anchor = try scratch.anchorFile()
        for removesAnchor in [false, true] {
            try scratch.write(old)
            if removesAnchor {
                try FileManager.default.removeItem(atPath: anchor)
            }
            #expect(scratch.reading()?.status == .decode)
            #expect(scratch.adding()?.status == .decode)
        }
    }
}

/// Calls for a process that attacks another one.
private enum Attacker {
    static func open(_ path: String, _ flags: Int32) -> Int32 { Glibc.open(path, flags) }

    /// Whether another process keeps everybody else from a database file. The corresponding C function is
    /// `fcntl` with F_GETLK.
    static func isLocked(_ file: Int32) -> Bool {
        var lock = flock()
        lock.l_type = Int16(F_RDLCK)
        lock.l_whence = Int16(SEEK_SET)
        // SQLite's file format: the shared bytes behind the pending and the reserved one.
        lock.l_start = 0x4000_0002
        lock.l_len = 510
        return fcntl(file, F_GETLK, &lock) == 0 && lock.l_type == F_WRLCK
    }
}
