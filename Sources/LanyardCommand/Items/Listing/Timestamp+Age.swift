internal import KeychainServices

extension Timestamp {
    /// Returns the age in the largest unit: `3 d`, `2 mo`. A time in the future, from a wrong clock, is `0
    /// s`.
    func age(at now: Timestamp) -> String {
        Timestamp.duration(max(0, seconds(until: now)))
    }

    /// Returns the time until this expiry: `in 5 d`, or `expired`.
    func expiry(at now: Timestamp) -> String {
        self < now ? "expired" : "in \(Timestamp.duration(now.seconds(until: self)))"
    }

    private func seconds(until later: Timestamp) -> Int64 {
        let (difference, overflow) =
            later.secondsSinceEpoch.subtractingReportingOverflow(secondsSinceEpoch)
        return overflow ? (later < self ? .min : .max) : difference
    }

    /// Months and years have their average length in the Gregorian calendar.
    private static let units: [(seconds: Int64, name: String)] = [
        (31_556_952, "y"), (2_629_746, "mo"), (86_400, "d"), (3_600, "h"), (60, "min"),
    ]

    private static func duration(_ seconds: Int64) -> String {
        for unit in units where seconds >= unit.seconds {
            return "\(seconds / unit.seconds) \(unit.name)"
        }
        return "\(seconds) s"
    }
}
