internal import Foundation

/// Random numbers that come again with the same seed: SplitMix64.
package struct SeededRandom: RandomNumberGenerator {
    /// The seed of this run, printed to repeat a failure: LANYARD_TEST_SEED, or a
    /// new one.
    package static let seed: UInt64 = {
        let given = ProcessInfo.processInfo.environment["LANYARD_TEST_SEED"].flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: 0...UInt64.max)
        print("LANYARD_TEST_SEED=\(seed)")
        return seed
    }()

    private var state: UInt64

    /// Numbers of this seed, or of the one of this run.
    package init(seed: UInt64 = SeededRandom.seed) {
        state = seed
    }

    /// The next number of the sequence.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// A number from 0 up.
    package mutating func number(below limit: Int) -> Int {
        Int.random(in: 0..<limit, using: &self)
    }

    /// Whether something of this chance, in percent, comes true.
    package mutating func chance(_ percent: Int) -> Bool {
        number(below: 100) < percent
    }

    /// One of several.
    package mutating func element<Element>(of elements: [Element]) -> Element {
        elements[number(below: elements.count)]
    }

    /// So many of them.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    /// The bytes after one change: a bit flipped, a byte replaced, removed or put in, or the end
    /// cut off.
    package mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        guard !bytes.isEmpty else {
            return self.bytes(1)
        }
        let position = number(below: bytes.count)
        switch number(below: 5) {
        case 0: bytes[position] ^= 1 << UInt8(number(below: 8))
        case 1: bytes[position] = UInt8(truncatingIfNeeded: next())
        case 2: bytes.remove(at: position)
        case 3: bytes.insert(UInt8(truncatingIfNeeded: next()), at: position)
        default: bytes.removeLast(bytes.count - position)
        }
        return bytes
    }
}
