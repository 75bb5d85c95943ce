/// How much is exchanged in one piece: the memory for it, and the time, are the same for any number of items.
package enum SyncPiece {
    /// The number of records that is enough.
    package static let count = 1000
    /// The number of bytes of their contents that is enough.
    package static let size = 4 << 20

    /// Returns the earliest of some changes, as many as make a piece: up to the first one that reaches a
    /// limit. Changes with the same number are never divided, since the next piece begins after a number.
    ///
    /// - Parameter changes: The changes, in the order of their numbers.
    package static func first<Change>(
        of changes: [Change], _ measure: (Change) -> (sequence: UInt64, size: Int)
    ) -> ArraySlice<Change> {
        var (last, total): (UInt64, Int) = (0, 0)
        for (index, change) in changes.enumerated() {
            let (sequence, more) = measure(change)
            if index >= count || total >= size, sequence != last {
                return changes[..<index]
            }
            (last, total) = (sequence, total + more)
        }
        return changes[...]
    }
}
