import Foundation
import KeychainServices
import ScratchFolders
import Testing

@testable import KeychainSync

@Suite("File of encrypted parts") struct SealedPartsTests {
    private let path: String
    private let scratch: ScratchFolder
    private var key: Secret { Secret(copying: [UInt8](repeating: 7, count: 32).span) }
    private static let count = 60
    private static let entrySize = 50_000

    init() throws {
        scratch = try ScratchFolder()
        path = "\(scratch.path)/file"
        var parts = try SealedParts.Writer(beside: path, start: [9], under: key, label: [1])
        var writer = ByteWriter()
        for number in 0..<Self.count {
            writer.counted([UInt8](repeating: UInt8(number), count: Self.entrySize))
            try parts.next(&writer)
        }
        try parts.finish(writer)
    }

    private var bytes: [UInt8] {
        get throws { [UInt8](try Data(contentsOf: URL(filePath: path))) }
    }

    /// Reads the entries.
    ///
    /// - Returns: How many there are.
    private func read(_ bytes: [UInt8], label: [UInt8] = [1]) throws(KeychainError) -> Int {
        var parts = SealedParts.Reader(
            Secret(copying: bytes.span), start: 1, under: key, label: label)
        var reader = try parts.begin()
        var count = 0
        while !reader.isAtEnd {
            let entry = try reader.counted()
            guard entry == [UInt8](repeating: UInt8(count), count: Self.entrySize) else {
                return -1
            }
            count += 1
            try parts.next(&reader)
        }
        return count
    }

    /// The parts' places: after the mark there are 4 bytes of the length.
    private func places(_ bytes: [UInt8]) -> [Range<Int>] {
        var places: [Range<Int>] = []
        var start = 1
        while start < bytes.count {
            let size = bytes[start + 1..<start + 5].reduce(0) { $0 << 8 | Int($1) }
            places.append(start..<start + 5 + size)
            start += 5 + size
        }
        return places
    }

    @Test func allEntriesComeBackFromSeveralParts() throws {
        let bytes = try bytes
        #expect(bytes[0] == 9)
        #expect(places(bytes).count == 3)
        #expect(try read(bytes) == Self.count)
    }

    @Test func noPartCanBeLeftOutMovedOrChanged() throws {
        let bytes = try bytes
        let places = places(bytes)
        let parts = places.map { bytes[$0] }
        var changed = bytes
        changed[places[1].lowerBound] = 1
        var cut = [bytes.prefix(1), bytes.prefix(4), bytes.dropLast(1), bytes + [0]].map(Array.init)
        cut += [
            [9] + parts[0], [9] + parts[0] + parts[1], [9] + parts[0] + parts[2],
            [9] + parts[1] + parts[0] + parts[2], changed,
        ]
        for (number, bytes) in cut.enumerated() {
            #expect(throws: KeychainError(.decode), "\(number)") { try read(bytes) }
        }
        #expect(throws: KeychainError(.decode)) { try read(bytes, label: [2]) }
    }
}
