/// The end of a wait, independent of changes to the system's time.
package struct Deadline {
    private let moment: Int64

    package init(milliseconds: Int64) {
        moment = SystemCalls.monotonicMilliseconds() + milliseconds
    }

    /// The remaining milliseconds, 0 if it has passed.
    package var remaining: Int64 { max(moment - SystemCalls.monotonicMilliseconds(), 0) }

    package var hasPassed: Bool { remaining == 0 }
}
