internal import LanyardConfiguration
internal import KeychainServices

extension Timestamp {
    /// Parses a user's date in the past: a date such as `2027-01-31` or `2027-01-31T12:00:00Z`, or a time
    /// until now such as `7d`, `2h` or `30m`.
    ///
    /// - Throws: ``Status/param`` for anything else.
    init(since text: String, now: Timestamp) throws(KeychainError) {
        if let date = Timestamp(date: text) {
            self = date
        } else if let limit = try? TimeOut(parsing: text).limit {
            self.init(secondsSinceEpoch: now.secondsSinceEpoch - Int64(limit))
        } else {
            throw KeychainError(
                .param, "invalid date '\(text)'",
                hint: "use for example 7d, 2h, 2027-01-31 or 2027-01-31T12:00:00Z")
        }
    }
}
