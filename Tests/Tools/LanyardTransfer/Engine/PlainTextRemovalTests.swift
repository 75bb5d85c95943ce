import Foundation
import Glibc
import LanyardTransfer
import KeychainServices
import TestSupport
import Testing

/// What is taken out of a file, and when nothing is.
struct PlainTextRemovalTests {
    let folder: ScratchFolder
    let store = TestStore()
    let format = LineFormat()
    var keychain: Keychain { Keychain(store, accessGroups: .all()) }

    init() throws {
        folder = try ScratchFolder()
    }

    /// Imports a file and removes what the keychain then has.
    private func run(
        _ name: String = "file", _ format: LineFormat = LineFormat(), isGits: Bool = false,
        between: () throws -> Void = {}
    ) throws -> PlainTextRemoval.Outcome {
        let file = try PlainTextFile(folder.file(name), isForChange: true)
        let importer = ItemImporter(into: keychain, ItemImporter.Options())
        importer.begin(file.path)
        try format.read(file.bytes) { record throws(KeychainError) in
            try importer.take(record)
        }
        try importer.finish()
        try between()
        return try PlainTextRemoval(file, format, isGits: isGits).run(
            importer.fates, of: importer, readingBackFrom: keychain, progress: {})
    }

    @Test(arguments: [false, true])
    func whatTheKeychainHasGoes(isGits: Bool) throws {
        try folder.write("a 1\n- left\n=\n= 2\nb 2\n\n", to: "file", mode: 0o640)
        let outcome = try run(isGits: isGits)
        #expect((outcome.removed, outcome.kept, outcome.isFileRemoved) == (3, 2, false))
        #expect(outcome.keptPlaces == ["line 1", "line 2"])
        #expect(outcome.isOverwritten)
        #expect(folder.text("file") == "- left\n= 2\n\n")
        #expect(folder.names == ["file"])
        var status = stat()
        #expect(stat(folder.file("file"), &status) == 0 && status.st_mode & 0o7777 == 0o640)
        // And again: there is nothing more to remove.
        #expect(try run(isGits: isGits).removed == 0)
        #expect(folder.text("file") == "- left\n= 2\n\n")
    }

    @Test(arguments: [false, true])
    func aFileWithNothingLeftGoes(isGits: Bool) throws {
        try folder.write("a 1\n\n \nb 2", to: "file")
        #expect(try run(isGits: isGits).isFileRemoved)
        #expect(folder.names == [])
    }

    /// The bytes that were there are seen through a descriptor from before.
    @Test(arguments: ["a 1\n", "a 1\n- left\n"])
    func theOldBytesAreOverwritten(_ text: String) throws {
        try folder.write(text, to: "file")
        let descriptor = open(folder.file("file"), O_RDONLY)
        defer { close(descriptor) }
        _ = try run()
        var bytes = [UInt8](repeating: 1, count: 100)
        let count = pread(descriptor, &bytes, 100, 0)
        #expect(Array(bytes[..<count]) == Array(repeating: 0, count: text.utf8.count))
    }

    @Test func whatAKilledImportLeftGoes() throws {
        try folder.write("a 1\n- left\n", to: "file")
        let others = ["file.new-0123456789abcde", "file.new-0123456789ABCDEF", "file.new"]
        let left = "file.new-0123456789abcdef"
        for name in others + [left] {
            try folder.write("b 2\n", to: name)
            let path = folder.file(name)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: path)
        }
        try folder.write("c 3\n", to: "file.new-00000000000000ff")
        _ = try run()
        let kept = others + ["file", "file.new-00000000000000ff"]
        #expect(folder.names.sorted() == kept.sorted())
    }

    @Test func anotherNameOfTheFileKeepsItsBytes() throws {
        try folder.write("a 1\n", to: "file")
        #expect(link(folder.file("file"), folder.file("other")) == 0)
        let outcome = try run()
        #expect(outcome.isFileRemoved && !outcome.isOverwritten)
        #expect(folder.text("other") == "a 1\n" && folder.names == ["other"])
    }

    @Test func behindALinkTheTargetChanges() throws {
        try folder.write("a 1\n- left\n", to: "target")
        #expect(symlink("target", folder.file("file")) == 0)
        #expect(try run().removed == 1)
        #expect(folder.text("target") == "- left\n")
        #expect(folder.names == ["file", "target"])
        #expect(readsAsLink("file"))
    }

    private func readsAsLink(_ name: String) -> Bool {
        var status = stat()
        return lstat(folder.file(name), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    @Test func allOrNothingWhereEntriesCantBeTakenOut() throws {
        let format = LineFormat(hasRanges: false)
        try folder.write("a 1\n- left\n", to: "file")
        let outcome = try run("file", format)
        #expect((outcome.removed, outcome.kept) == (0, 2))
        #expect(outcome.keptPlaces == ["line 2"])
        #expect(folder.text("file") == "a 1\n- left\n")
        try folder.write("a 1\nb 2\n", to: "file")
        #expect(try run("file", format).isFileRemoved)
        #expect(folder.names == [])
    }

    /// Half a login would be of no use.
    @Test func aLoginOfSeveralEntriesStaysWhole() throws {
        let format = LineFormat(isOneLogin: true)
        try folder.write("a 1\n- left\n", to: "file")
        let outcome = try run("file", format)
        #expect((outcome.removed, outcome.kept) == (0, 2))
        #expect(folder.text("file") == "a 1\n- left\n")
        try folder.write("a other\nb 2\n", to: "file")
        #expect(try run("file", format).removed == 0)
        #expect(folder.text("file") == "a other\nb 2\n")
        try folder.write("a 1\nb 2\n", to: "file")
        #expect(try run("file", format).isFileRemoved)
    }

    @Test func whatIsNotReadBackIsNotRemoved() throws {
        try folder.write("a 1\nb 2\n", to: "file")
        #expect(throws: KeychainError(.decode)) {
            try run { store.lies = true }
        }
        #expect(throws: KeychainError(.decode)) {
            store.lies = false
            return try run { try keychain.delete(Query(.genericPassword)) }
        }
        #expect(folder.text("file") == "a 1\nb 2\n" && folder.names == ["file"])
    }

    /// What another program does to the file between its reading and the removal.
    enum Change: CaseIterable {
        case appended, replaced, sameLength, sameAgain, removed, linked
    }

    @Test(arguments: Change.allCases)
    func aFileThatWasChangedStays(_ change: Change) throws {
        try folder.write("a 1\nb 2\n", to: "file")
        let path = folder.file("file")
        #expect(throws: KeychainError.self) {
            try run {
                switch change {
                case .appended:
                    let handle = try FileHandle(forWritingTo: URL(filePath: path))
                    try handle.seekToEnd()
                    try handle.write(contentsOf: Data("c 3\n".utf8))
                    try handle.close()
                case .replaced:
                    try folder.write("a 1\nb 2\nc 3\n", to: "new")
                    #expect(rename(folder.file("new"), path) == 0)
                case .sameLength: try folder.write("a 1\nb 3\n", to: "file")
                case .sameAgain:
                    try folder.write("a 1\nb 2\n", to: "new")
                    #expect(rename(folder.file("new"), path) == 0)
                case .removed: #expect(unlink(path) == 0)
                case .linked:
                    try folder.write("a 1\nb 2\n", to: "new")
                    #expect(unlink(path) == 0 && symlink("new", path) == 0)
                }
            }
        }
        let expected: String? =
            switch change {
            case .appended, .replaced: "a 1\nb 2\nc 3\n"
            case .sameLength: "a 1\nb 3\n"
            case .sameAgain, .linked: "a 1\nb 2\n"
            case .removed: nil
            }
        #expect(folder.text("file") == expected)
        #expect(folder.names.filter { $0 != "file" && $0 != "new" } == [])
    }

    @Test func gitsLockIsHeeded() throws {
        try folder.write("a 1\n", to: "file")
        try folder.write("", to: "file.lock")
        #expect(throws: KeychainError(.databaseLocked)) { try run(isGits: true) }
        #expect(folder.text("file") == "a 1\n" && folder.names == ["file", "file.lock"])
    }

    @Test func aReadOnlyFileIsNotBegunWith() throws {
        try folder.write("a 1\n", to: "file", mode: 0o400)
        #expect(throws: KeychainError(.writePermissions)) { try run() }
        #expect(try keychain.secrets().isEmpty)
        _ = try PlainTextFile(folder.file("file"), isForChange: false)
    }

    @Test func whatIsNoFile() throws {
        #expect(throws: KeychainError(.itemNotFound)) { try run("nothing") }
        #expect(throws: KeychainError.self) {
            try PlainTextFile(folder.path, isForChange: false)
        }
        let fifo = folder.file("fifo")
        #expect(mkfifo(fifo, 0o600) == 0)
        #expect(throws: KeychainError.self) { try PlainTextFile(fifo, isForChange: true) }
        let holder = open(fifo, O_RDWR)
        #expect(write(holder, "a 1\n", 4) == 4)
        let reader = Thread {
            usleep(100_000); close(holder)
        }
        reader.start()
        #expect(try PlainTextFile(fifo, isForChange: false).bytes.text == "a 1\n")
    }

    /// Sparse, to save time.
    @Test func aGiantFile() throws {
        try folder.write("", to: "file")
        #expect(truncate(folder.file("file"), off_t(PlainTextFile.limit + 1)) == 0)
        #expect(throws: KeychainError(.dataTooLarge)) { try run() }
    }
}
