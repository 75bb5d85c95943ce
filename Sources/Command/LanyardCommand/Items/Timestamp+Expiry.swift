internal import LanyardConfiguration
internal import KeychainServices

extension Timestamp {
    /// Parses a user's expiry date: a date such as `2027-01-31` or `2027-01-31T12:00:00Z`, or a time from
    /// now such as `90d`, `12h` or `30m`.
    ///
    /// - Throws: ``Status/param`` for anything else, and for a past time.
    init(expiry text: String, now: Timestamp) throws(KeychainError) {
        let moment: Timestamp
        if let date = Timestamp(date: text) {
            moment = date
        } else if let limit = try? TimeOut(parsing: text).limit {
            moment = Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + Int64(limit))
        } else {
            throw KeychainError(
                .param, "invalid date '\(text)'",
                hint: "use for example 90d, 12h, 2027-01-31 or 2027-01-31T12:00:00Z")
        }
        guard moment > now else {
            throw KeychainError(.param, "--expires needs a future date: '\(text)' has passed")
        }
        self = moment
    }

    /// Parses a date such as `2027-01-31`, which means its start, or `2027-01-31T12:00:00Z`, both in UTC.
    init?(date text: String) {
        let isDay = text.utf8.count == 10
        let pattern = Array((isDay ? "dddd-dd-dd" : "dddd-dd-ddTdd:dd:ddZ").utf8)
        let bytes = Array(text.utf8)
        guard bytes.count == pattern.count,
            zip(bytes, pattern).allSatisfy({ byte, kind in
                kind == UInt8(ascii: "d") ? byte.isDigit : byte == kind
            })
        else {
            return nil
        }
        func number(_ range: Range<Int>) -> Int64 {
            bytes[range].reduce(0) { $0 * 10 + Int64($1 & 0x0F) }
        }
        let days = Timestamp.days(year: number(0..<4), month: number(5..<7), day: number(8..<10))
        var seconds = days * 86_400
        if !isDay {
            seconds += number(11..<13) * 3_600 + number(14..<16) * 60 + number(17..<19)
        }
        let moment = Timestamp(secondsSinceEpoch: seconds)
        // The 30th of February would become another day.
        guard moment.text.hasPrefix(text.dropLast(isDay ? 0 : 1)) else {
            return nil
        }
        self = moment
    }

    /// Returns the days since 1970 in the Gregorian calendar, with years that start in March.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
