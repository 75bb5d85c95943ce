internal import SealedStore

/// A moment at which waiting ends, which the clock on the wall does not move.
struct Deadline {
    private let moment: Int64

    init(milliseconds: Int64) {
        moment = SystemCalls.monotonicMilliseconds() + milliseconds
    }

    /// How many milliseconds are left, 0 when it has passed.
    var remaining: Int64 { max(moment - SystemCalls.monotonicMilliseconds(), 0) }

    var hasPassed: Bool { remaining == 0 }
}
