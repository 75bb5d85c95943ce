import ImportEngine
import ItemImport
import Keychain
import Testing

/// Files whose entries are read in another thread than they are used in.
struct LargeFileTests {
    private let scratch: ScratchFolder
    private let file: PlainTextFile
    private static let count = 20_000

    init() throws {
        scratch = try ScratchFolder()
        let text = (0..<LargeFileTests.count).map { "name-\($0) secret-\($0)\n" }.joined()
        file = try PlainTextFile(scratch.write(text, to: "file"), isForChange: false)
    }

    @Test func allEntriesInTheirOrder() throws {
        var places: [String] = []
        try file.read(as: LineFormat()) { record in places.append(record.place) }
        #expect(places == (1...LargeFileTests.count).map { "line \($0)" })
    }

    @Test(arguments: [1, 128, 129, 19_999, 20_000])
    func whatIsThrownEndsTheReading(_ number: Int) {
        var count = 0
        #expect(throws: KeychainError(.diskFull)) {
            try file.read(as: LineFormat()) { _ throws(KeychainError) in
                count += 1
                if count == number {
                    throw KeychainError(.diskFull)
                }
            }
        }
        #expect(count == number)
    }

    @Test func whatTheFormatThrowsComesAfterItsEntries() {
        var count = 0
        #expect(throws: KeychainError(.decode)) {
            try file.read(as: EndingInNonsense()) { _ in count += 1 }
        }
        #expect(count == LargeFileTests.count)
    }

    private struct EndingInNonsense: ImportFormat {
        func read(
            _ file: borrowing Secret,
            _ body: (consuming ImportRecord) throws(KeychainError) -> Void
        ) throws(KeychainError) {
            try LineFormat().read(file, body)
            throw KeychainError(.decode)
        }
    }
}
