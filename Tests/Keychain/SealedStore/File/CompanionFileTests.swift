import Foundation
import KeychainServices
import Testing

@testable import SealedStore

@Suite("Files beside the keychain") struct CompanionFileTests {
    /// Nothing of it may make a lookup wait, follow a link or write.
    @Test(
        .timeLimit(.minutes(10)), arguments: ["journal", "wal"],
        ["FIFO", "folder", "symbolic link", "dangling link", "open to others"])
    func whatIsNoPrivateFileIsRefused(_ suffix: String, _ kind: String) throws {
        let scratch = try ScratchKeychain.withItem()
        let open = try scratch.open()
        #expect(try secret(open, internetPassword("a.example")) == "one")
        let path = "\(scratch.location.file)-\(suffix)"
        let target = "\(scratch.folder)/target"
        makeFile(target, Data(repeating: 1, count: 5000))
        switch kind {
        case "FIFO": mkfifo(path, 0o600)
        case "folder": mkdir(path, 0o700)
        case "symbolic link": symlink(target, path)
        case "dangling link": symlink("\(target)-missing", path)
        default: makeFile(path, Data(repeating: 1, count: 5000), mode: 0o644)
        }
        let before = try scratch.names()
        let error = scratch.reading()
        #expect([.writePermissions, .invalidKeychain].contains(error?.status))
        #expect(error?.reason.contains(path) == true)
        #expect([.writePermissions, .invalidKeychain].contains(scratch.adding()?.status))
        #expect(try scratch.names() == before)
        #expect(
            FileManager.default.contents(atPath: target) == Data(repeating: 1, count: 5000))
    }

    /// A write-ahead log would be read although the file is in no WAL mode, and written to.
    @Test func aWriteAheadLogIsRefused() throws {
        let scratch = try ScratchKeychain.withItem()
        let path = "\(scratch.location.file)-wal"
        for content in [Data(repeating: 0, count: 1), Data(repeating: 0x37, count: 10_000)] {
            makeFile(path, content)
            let before = try scratch.files()
            let error = scratch.reading()
            #expect(error?.status == .invalidKeychain)
            #expect(error?.hint?.contains(path) == true)
            #expect(scratch.adding()?.status == .invalidKeychain)
            #expect(try scratch.files() == before)
        }
        try FileManager.default.removeItem(atPath: path)
        #expect(scratch.reading() == nil)
    }

    /// A journal can name a second file, which SQLite deletes after it has undone the change: any
    /// file that the user can delete. No journal of a keychain does.
    @Test func aJournalThatNamesAFileToDeleteIsRefused() async throws {
        let scratch = try ScratchKeychain.withItem()
        let opened = try scratch.open()
        #expect(try secret(opened, internetPassword("a.example")) == "one")
        try await InterruptedChange.leave(in: scratch)
        let victim = "\(scratch.folder)/victim"
        makeFile(victim, Data("dear".utf8))
        let path = "\(scratch.location.file)-journal"
        var journal = try Data(contentsOf: URL(fileURLWithPath: path))
        var record = ByteWriter()
        record.number(UInt32(0x4000_0000 / 4096 + 1))
        record.raw(Array(victim.utf8))
        record.number(UInt32(victim.utf8.count))
        record.number(victim.utf8.reduce(UInt32(0)) { $0 + UInt32($1) })
        record.raw([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
        journal.append(contentsOf: record.bytes)
        makeFile(path, journal)
        let before = try scratch.files()
        let error = scratch.reading()
        #expect(error?.status == .invalidKeychain)
        #expect(error?.reason.contains(path) == true)
        #expect(throws: KeychainError(.invalidKeychain)) {
            _ = try secret(opened, internetPassword("a.example"))
        }
        #expect(scratch.adding()?.status == .invalidKeychain)
        #expect(FileManager.default.fileExists(atPath: victim))
        #expect(try scratch.files() == before)
    }

    /// A journal of nothing but zeros, or of something else, is none.
    @Test func aJournalThatIsNoneIsSetAside() throws {
        for content in [Data(), Data(count: 4096), Data(repeating: 0x55, count: 4096)] {
            let scratch = try ScratchKeychain.withItem()
            makeFile("\(scratch.location.file)-journal", content)
            #expect(scratch.reading() == nil)
            #expect(scratch.adding() == nil)
            #expect(scratch.verified() == 2)
        }
    }

    /// What a making that was interrupted left behind.
    @Test func temporaryFilesOfOthersDoNotHinder() throws {
        let scratch = try ScratchKeychain.withItem()
        makeFile("\(scratch.location.file).new-0011223344556677", Data(count: 100))
        makeFile("\(scratch.machineKeyFile).new-0011223344556677", Data(count: 5))
        makeFile("\(try scratch.anchorFile()).new-0011223344556677")
        #expect(scratch.reading() == nil)
        #expect(scratch.adding() == nil)
        #expect(scratch.verified() == 2)
    }
}
