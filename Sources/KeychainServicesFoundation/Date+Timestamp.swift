public import Foundation
public import KeychainServices

extension Date {
    /// The moment of a timestamp.
    public init(_ timestamp: Timestamp) {
        self.init(timeIntervalSince1970: TimeInterval(timestamp.secondsSinceEpoch))
    }
}

extension Timestamp {
    /// The last whole second at or before a date; nil for one that no timestamp can be.
    public init?(_ date: Date) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard let whole = Int64(exactly: seconds) else {
            return nil
        }
        self.init(secondsSinceEpoch: whole)
    }
}
