import Foundation

/// Random numbers that come again with the same seed: SplitMix64.
struct SeededRandom: RandomNumberGenerator {
    /// The seed of this run, printed so that a failure can be repeated: LANYARD_TEST_SEED, or a
    /// new one.
    static let seed: UInt64 = {
        let given = ProcessInfo.processInfo.environment["LANYARD_TEST_SEED"].flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: 0...UInt64.max)
        print("LANYARD_TEST_SEED=\(seed)")
        return seed
    }()

    private var state: UInt64

    init(seed: UInt64 = SeededRandom.seed) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    mutating func number(below limit: Int) -> Int {
        Int.random(in: 0..<limit, using: &self)
    }

    mutating func element<Element>(of elements: [Element]) -> Element {
        elements[number(below: elements.count)]
    }
}
