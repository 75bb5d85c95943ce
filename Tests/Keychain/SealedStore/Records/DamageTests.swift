import TestSupport
import Foundation
import KeychainServices
import Testing

@testable import SealedStore

@Suite("Damaged files") struct DamageTests {
    /// How often each status came, to be printed; nil is the right secret.
    private struct Tally {
        var counts: [Int?: Int] = [:]
        /// How often verifying found something.
        var found = 0

        mutating func count(_ status: Status?) {
            counts[status.map { Int($0.rawValue) }, default: 0] += 1
        }

        var text: String {
            counts.map { "\($0.key.map(String.init) ?? "right"): \($0.value)" }.sorted()
                .joined(separator: ", ") + "; found by verifying: \(found)"
        }
    }

    /// What a damaged file may be called.
    private static let statuses: [Status?] = [
        nil, .decode, .invalidKeychain, .wrongVersion, .authFailed, .itemNotFound,
    ]

    /// Reads, adds and reads again. The right secret or a clear error, soon.
    private func use(_ scratch: ScratchKeychain, _ tally: inout Tally, _ what: String) {
        let clock = ContinuousClock()
        let start = clock.now
        let error = scratch.reading()
        tally.count(error?.status)
        #expect(DamageTests.statuses.contains(error?.status), "\(what): \(error!)")
        let adding = scratch.adding()
        #expect(
            adding == nil || adding?.status == .duplicateItem
                || DamageTests.statuses.contains(adding?.status), "\(what): \(adding!)")
        _ = scratch.reading()
        // What is not found damages nothing that anybody reads.
        let verifying = keychainError {
            let found = try scratch.openStore().verification()
            tally.found += found.isSound ? 0 : 1
        }
        tally.found += verifying == nil ? 0 : 1
        #expect(DamageTests.statuses.contains(verifying?.status), "\(what): \(verifying!)")
        // A second, and some for a machine that is busy; waiting for a lock would take ten.
        #expect(clock.now - start < .seconds(30), "\(what)")
    }

    @Test func truncatedAtManyLengths() throws {
        let scratch = try ScratchKeychain.withItem()
        let file = try scratch.bytes()
        var tally = Tally()
        let lengths =
            Array(0..<130) + stride(from: 130, to: file.count, by: 331)
            + stride(from: 4096, to: file.count, by: 4096).flatMap { [$0 - 1, $0, $0 + 1] }
        for length in lengths {
            try scratch.write(file.prefix(length))
            #expect(throws: KeychainError.self) { try scratch.openStore().verify() }
            use(scratch, &tally, "\(length) bytes")
        }
        print("truncated at \(lengths.count) lengths: \(tally.text)")
    }

    @Test func longerThanItSays() throws {
        let scratch = try ScratchKeychain.withItem()
        let file = try scratch.bytes()
        var tally = Tally()
        for count in [1, 100, 4095, 4096, 100_000] {
            try scratch.write(file + Data(repeating: 0xA5, count: count))
            use(scratch, &tally, "\(count) more")
        }
    }

    /// A seeded sample; all with LANYARD_ALL_FLIPS.
    @Test func bytesFlipped() throws {
        let scratch = try ScratchKeychain.withItem()
        let file = try scratch.bytes()
        var random = SeededRandom()
        let isComplete = ProcessInfo.processInfo.environment["LANYARD_ALL_FLIPS"] != nil
        var positions = Array(file.indices)
        if !isComplete {
            // The header and the beginnings of the pages, where the structure is, and others.
            let structure = positions.filter { $0 < 100 || $0 % 4096 < 12 }
            positions = structure + (0..<600).map { _ in random.number(below: file.count) }
        }
        var tally = Tally()
        for position in positions {
            var changed = file
            let flip = UInt8(1 + random.number(below: 255))
            changed[position] ^= flip
            try scratch.write(changed)
            use(scratch, &tally, "seed \(SeededRandom.seed): byte \(position) by \(flip)")
        }
        print("flipped \(positions.count) of \(file.count) bytes: \(tally.text)")
    }

    /// Not a database at all.
    @Test func otherFiles() throws {
        var random = SeededRandom()
        let scratch = try ScratchKeychain.withItem()
        for content in [
            Data(), Data("\n".utf8), Data(count: 100), Data(count: 65_536),
            Data("SQLite format 3\0".utf8), Data(random.bytes(10_000)),
            Data("SQLite format 3\0".utf8) + Data(random.bytes(20_000)),
        ] {
            try scratch.write(content)
            let error = scratch.reading()
            #expect(error?.status == .invalidKeychain)
            #expect(error?.hint != nil)
            #expect(scratch.adding()?.status == .invalidKeychain)
            #expect(
                keychainError { _ = try SealedStore.openOrMake(at: scratch.location) }?.status
                    == .invalidKeychain)
            #expect(throws: KeychainError(.duplicateKeychain)) {
                try SealedStore.make(at: scratch.location)
            }
            #expect(try scratch.bytes() == content)
        }
    }
}
