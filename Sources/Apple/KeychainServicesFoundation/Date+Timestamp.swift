public import Foundation
public import KeychainServices

extension Date {
    /// Creates the date of a timestamp.
    public init(_ timestamp: Timestamp) {
        self.init(timeIntervalSince1970: TimeInterval(timestamp.secondsSinceEpoch))
    }
}

extension Timestamp {
    /// Creates the timestamp of the last whole second at or before a date; nil if it is out of
    /// range.
    public init?(_ date: Date) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard let whole = Int64(exactly: seconds) else {
            return nil
        }
        self.init(secondsSinceEpoch: whole)
    }
}
