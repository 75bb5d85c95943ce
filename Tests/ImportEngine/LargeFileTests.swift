import ImportEngine
import ItemImport
import KeychainServices
import Testing

/// Files whose entries are read in another thread than they are used in.
struct LargeFileTests {
    private let scratch: ScratchFolder
    private let file: PlainTextFile
    private static let count = 20_000
    /// More than are taken before an empty keychain is filled.
    private static let importedCount = 9_000

    init() throws {
        scratch = try ScratchFolder()
        let text = (0..<LargeFileTests.count).map { "name-\($0) secret-\($0)\n" }.joined()
        file = try PlainTextFile(scratch.write(text, to: "file"), isForChange: false)
    }

    @Test func allEntriesInTheirOrder() throws {
        var places: [String] = []
        try file.read(as: LineFormat()) { records throws(KeychainError) in
            while let record = try records.next() {
                places.append(record.place)
            }
        }
        #expect(places == (1...LargeFileTests.count).map { "line \($0)" })
    }

    @Test(arguments: [1, 128, 129, 19_999, 20_000])
    func whatIsThrownEndsTheReading(_ number: Int) {
        var count = 0
        #expect(throws: KeychainError(.diskFull)) {
            try file.read(as: LineFormat()) { records throws(KeychainError) in
                while try records.next() != nil {
                    count += 1
                    if count == number {
                        throw KeychainError(.diskFull)
                    }
                }
            }
        }
        #expect(count == number)
    }

    @Test func whatTheFormatThrowsComesAfterItsEntries() {
        var count = 0
        #expect(throws: KeychainError(.decode)) {
            try file.read(as: EndingInNonsense()) { records throws(KeychainError) in
                while try records.next() != nil {
                    count += 1
                }
            }
        }
        #expect(count == LargeFileTests.count)
    }

    /// It is not lost on whoever passes over it the first time.
    @Test func whatTheFormatThrowsComesEachTime() throws {
        try file.read(as: EndingInNonsense()) { records throws(KeychainError) in
            while (try? records.next()) != nil {}
            for _ in 0..<2 {
                #expect(throws: KeychainError(.decode)) { try records.next() }
            }
        }
    }

    /// The items of an empty keychain come while others are read.
    @Test(arguments: [true, false]) func anEmptyKeychainIsFilled(_ isFirst: Bool) throws {
        let store = FillingStore()
        let keychain = Keychain(store)
        if !isFirst {
            try keychain.add(.genericPassword, attributes("name-7"), secret: Secret("secret-7"))
        }
        let importer = try run(LineFormat(), into: keychain)
        let there = isFirst ? 0 : 1
        #expect(importer.report.new == LargeFileTests.importedCount - there)
        #expect(importer.report.same == there)
        #expect(importer.fates.allSatisfy { $0 == .isInKeychain })
        #expect(importer.fates.count == LargeFileTests.importedCount)
        let isInOne = store.transactions == [LargeFileTests.importedCount]
        #expect(isInOne == isFirst)
        let secrets = try keychain.secrets()
        #expect(secrets.count == LargeFileTests.importedCount)
        #expect(secrets["name-8999"] == "secret-8999")
    }

    /// What is left after so many bytes as are put there at once goes in few changes, too.
    @Test func moreThanIsPutThereAtOnce() throws {
        let store = FillingStore()
        let secret = String(repeating: "x", count: 4_000)
        let importer = try run(
            LineFormat(), of: { "name-\($0) \(secret)" }, into: Keychain(store))
        #expect(importer.report.new == LargeFileTests.importedCount)
        #expect(store.transactions.count <= 3, "\(store.transactions)")
    }

    /// One that can't be added with the others is looked at by itself, and those after it too.
    @Test(arguments: [1, 1_025, 8_999])
    func oneThatIsRepeatedIsNotAddedAgain(_ number: Int) throws {
        let store = FillingStore()
        let keychain = Keychain(store)
        let importer = try run(
            LineFormat(), of: { $0 == number ? "name-0 other" : "name-\($0) secret-\($0)" },
            into: keychain)
        #expect(importer.report.new == LargeFileTests.importedCount - 1)
        #expect(importer.report.skipped == 1)
        #expect(importer.report.left.map(\.place) == ["line \(number + 1) of 'file'"])
        #expect(
            importer.fates.filter { $0 == .isInKeychain }.count == LargeFileTests.importedCount - 1)
        #expect(importer.fates[number] == .isLeft)
        let secrets = try keychain.secrets()
        #expect(secrets.count == LargeFileTests.importedCount - 1)
        #expect(secrets["name-0"] == "secret-0")
    }

    /// What was read before it is there.
    @Test func aFileThatCannotBeReadToItsEndIsImportedAsFarAsItGoes() throws {
        let keychain = Keychain(FillingStore())
        #expect(throws: KeychainError(.decode)) { try run(EndingInNonsense(), into: keychain) }
        let count = try keychain.secrets().count
        #expect(count == LargeFileTests.importedCount)
    }

    @Test func nothingIsThereOfAChangeThatFails() throws {
        let store = FillingStore()
        store.isFull = true
        let keychain = Keychain(store)
        #expect(throws: KeychainError(.diskFull)) { try run(LineFormat(), into: keychain) }
        let count = try keychain.secrets().count
        #expect(count == 0)
    }

    /// Imports a file of many lines.
    ///
    /// - Parameter line: What stands in each.
    @discardableResult
    private func run(
        _ format: some ImportFormat,
        of line: (Int) -> String = { "name-\($0) secret-\($0)" }, into keychain: Keychain,
        clock: @escaping () -> Int64 = { 0 }
    ) throws -> ItemImporter {
        let text = (0..<LargeFileTests.importedCount).map { line($0) + "\n" }.joined()
        let file = try PlainTextFile(scratch.write(text, to: "other"), isForChange: false)
        // How many go into one transaction must not depend on how busy the machine is.
        let importer = ItemImporter(into: keychain, ItemImporter.Options(), clock: clock)
        importer.begin("file")
        try file.read(as: format) { records throws(KeychainError) in
            try importer.take(all: records)
        }
        try importer.finish()
        return importer
    }

    private func attributes(_ service: ByteString) -> ItemAttributes {
        var attributes = ItemAttributes()
        attributes.service = service
        return attributes
    }

    private struct EndingInNonsense: ImportFormat {
        func read(
            _ file: borrowing Secret,
            _ body: (ImportRecord) throws(KeychainError) -> Void
        ) throws(KeychainError) {
            try LineFormat().read(file, body)
            throw KeychainError(.decode)
        }
    }
}
