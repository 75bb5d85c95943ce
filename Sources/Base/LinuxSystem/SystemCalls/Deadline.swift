/// The end of a wait, independent of changes to the system's time.
package struct Deadline {
    private let moment: Int64

    package init(milliseconds: Int64) {
        moment = SystemCalls.monotonicMilliseconds() + milliseconds
    }

    /// The remaining milliseconds, 0 if it has passed.
    package var remaining: Int64 { max(moment - SystemCalls.monotonicMilliseconds(), 0) }

    package var hasPassed: Bool { remaining == 0 }

    /// Waits until something is so, and looks every few milliseconds.
    ///
    /// - Returns: Whether it is so; false if the deadline has passed.
    package func wait<Failure>(
        every milliseconds: UInt32 = 5, until isSo: () throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        while try !isSo() {
            guard !hasPassed else {
                return false
            }
            SystemCalls.sleep(milliseconds: milliseconds)
        }
        return true
    }
}
