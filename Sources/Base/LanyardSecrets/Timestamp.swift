/// A moment, in whole seconds since 1970-01-01 00:00:00 UTC.
///
/// The corresponding type is CFDate.
public struct Timestamp: Comparable, Hashable, Sendable {
    /// Seconds since the epoch; negative before it.
    public var secondsSinceEpoch: Int64

    /// Creates the moment this many seconds after the epoch.
    public init(secondsSinceEpoch: Int64) {
        self.secondsSinceEpoch = secondsSinceEpoch
    }

    /// Whether the left moment is the earlier one.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.secondsSinceEpoch < right.secondsSinceEpoch
    }
}
