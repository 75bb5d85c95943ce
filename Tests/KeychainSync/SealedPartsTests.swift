import Foundation
import KeychainServices
import LinuxSystem
import ScratchFolders
import Testing

@testable import KeychainSync

@Suite("File of encrypted parts") struct SealedPartsTests {
    private let path: String
    private let scratch: ScratchFolder
    private var key: Secret { Secret(copying: [UInt8](repeating: 7, count: 32).span) }
    private static let count = 60
    private static let entrySize = 50_000
    /// The size of what is in front of the parts: a byte, and the random bytes.
    private static let start = 17

    init() throws {
        scratch = try ScratchFolder()
        path = "\(scratch.path)/file"
        try write()
    }

    private func write() throws {
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
    private func read(_ bytes: [UInt8], label: [UInt8] = [1]) throws -> Int {
        let copy = "\(scratch.path)/copy"
        try PrivatePlace.replaceFile(copy, bytes.span, syncsFile: false, syncsFolder: false)
        let file = try PrivateFile("copy", in: PinnedFolder(scratch.path))
        var parts = try SealedParts.Reader(file, start: 1, under: key, label: label)
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
        var start = Self.start
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
        var cut = [1, 4, Self.start, Self.start + 4, bytes.count - 1].map {
            Array(bytes.prefix($0))
        }
        cut += [bytes + [0], changed]
        cut += [[0], [0, 1], [0, 2], [1, 0, 2]].map { numbers in
            bytes.prefix(Self.start) + numbers.flatMap { parts[$0] }
        }
        for (number, bytes) in cut.enumerated() {
            #expect(throws: KeychainError(.decode), "\(number)") { try read(bytes) }
        }
        #expect(throws: KeychainError(.decode)) { try read(bytes, label: [2]) }
    }

    @Test func noPartCanComeFromAnotherVersionOfTheFile() throws {
        let old = try bytes
        try write()
        let new = try bytes
        #expect(try read(new) == Self.count)
        for place in [0..<Self.start] + places(new) {
            var mixed = new
            mixed.replaceSubrange(place, with: old[place])
            #expect(throws: KeychainError(.decode), "\(place)") { try read(mixed) }
        }
    }
}
