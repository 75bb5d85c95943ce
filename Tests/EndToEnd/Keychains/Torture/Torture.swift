import Foundation
import TestSupport
@testable import EndToEndRig

/// How long the randomised tests of `make torture` take, and the seed of what they do.
enum Torture {
    /// TORTURE_MINUTES, shared out among the suites by ``time(_:)``; 5 if it is not set.
    static let minutes: Double = {
        let given = ProcessInfo.processInfo.environment["TORTURE_MINUTES"]
        return given.flatMap(Double.init) ?? 5
    }()

    /// Decides what is done to what. When a process is killed depends on the machine's clock too,
    /// so a run with the same seed is alike, not the same.
    static let seed: UInt64 = {
        let given = ProcessInfo.processInfo.environment["TORTURE_SEED"].flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: 0...UInt64.max)
        print("TORTURE_SEED=\(seed)")
        return seed
    }()

    /// A part of the whole time.
    static func time(_ part: Double) -> Duration {
        .seconds(minutes * 60 * part)
    }
}

extension SeededRandom {
    /// - Parameter stream: Tells those apart that use the seed at the same time.
    init(stream: Int) {
        self.init(seed: Torture.seed &+ UInt64(stream) &* 0xD1B5_4A32_D192_ED03)
    }

    /// One chance in so many.
    mutating func one(in chances: Int) -> Bool {
        number(below: chances) == 0
    }
}
