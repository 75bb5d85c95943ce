/// A moment at which waiting ends, which the clock on the wall does not move.
package struct Deadline {
    private let moment: Int64

    package init(milliseconds: Int64) {
        moment = SystemCalls.monotonicMilliseconds() + milliseconds
    }

    /// How many milliseconds are left, 0 when it has passed.
    package var remaining: Int64 { max(moment - SystemCalls.monotonicMilliseconds(), 0) }

    package var hasPassed: Bool { remaining == 0 }
}
