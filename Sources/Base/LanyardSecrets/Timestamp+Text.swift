extension Timestamp {
    /// The time in the form `2026-11-21T08:06:00Z`: RFC 3339 in UTC.
    package var text: String {
        // A proleptic Gregorian calendar that counts days since 0000-03-01, which puts leap days last.
        let day = secondsSinceEpoch.floorDivided(by: 86_400)
        // Not by a product, which would overflow for the earliest day.
        let second = (secondsSinceEpoch % 86_400 + 86_400) % 86_400
        let era = (day + 719_468).floorDivided(by: 146_097)
        let dayOfEra = day + 719_468 - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
        let calendarMonth = month < 10 ? month + 3 : month - 9
        let year = yearOfEra + era * 400 + (calendarMonth <= 2 ? 1 : 0)
        var text: [UInt8] = []
        text.reserveCapacity(20)
        let parts: [(number: Int64, width: Int, end: UInt8)] = [
            (year, 4, UInt8(ascii: "-")), (calendarMonth, 2, UInt8(ascii: "-")),
            (dayOfMonth, 2, UInt8(ascii: "T")),
            (second / 3_600, 2, UInt8(ascii: ":")), (second / 60 % 60, 2, UInt8(ascii: ":")),
            (second % 60, 2, UInt8(ascii: "Z")),
        ]
        for part in parts {
            let digits = String(part.number).utf8
            for _ in 0..<max(0, part.width - digits.count) {
                text.append(UInt8(ascii: "0"))
            }
            text += digits
            text.append(part.end)
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
