import Glibc

/// Random numbers that a seed gives again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// - Parameter test: Printed with the seed. LANYARD_TEST_SEED sets it.
    init(for test: String) {
        let given = getenv("LANYARD_TEST_SEED").flatMap { UInt64(String(cString: $0)) }
        state = given ?? UInt64.random(in: 0...UInt64.max)
        print("\(test): LANYARD_TEST_SEED=\(state)")
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
