import KeychainServices

/// A clock that the test moves.
final class FakeClock {
    var now = Timestamp(secondsSinceEpoch: 1000)

    /// The time, a second later at each call.
    func tick() -> Timestamp {
        now.secondsSinceEpoch += 1
        return now
    }
}
