internal import TestSupport
import KeychainServices

extension StoreConformance {
    /// Random calls against a plain dictionary.
    ///
    /// - Parameters:
    ///   - steps: How many steps; each is one call or a transaction of up to five, and a look.
    ///   - seed: Where the random numbers start. It is printed, and named in a failure: the
    ///     same calls can be made again.
    public static func model(
        steps: Int = 400, seed: UInt64 = .random(in: 0 ... .max)
    ) -> ConformanceCase {
        ConformanceCase("\(steps) random steps against a dictionary") { keychain in
            print("model: seed \(seed), \(steps) steps")
            var walker = ModelSteps(keychain, SeededRandom(seed: seed))
            for step in 0..<steps {
                do {
                    try walker.next()
                } catch {
                    throw ConformanceFailure(
                        "seed \(seed), step \(step): \(error)", #fileID, #line)
                }
            }
        }
    }
}
