internal import KeychainServices

extension Timestamp {
    /// How long ago it was, in the largest unit: `3 d`, `2 mo`. What is still to come is `0 s`, as by
    /// a clock that went wrong.
    func age(at now: Timestamp) -> String {
        Timestamp.duration(max(0, seconds(until: now)))
    }

    /// When what ends at this moment does so: `in 5 d`, or `expired`.
    func expiry(at now: Timestamp) -> String {
        self < now ? "expired" : "in \(Timestamp.duration(now.seconds(until: self)))"
    }

    private func seconds(until later: Timestamp) -> Int64 {
        let (difference, overflow) =
            later.secondsSinceEpoch.subtractingReportingOverflow(secondsSinceEpoch)
        return overflow ? (later < self ? .min : .max) : difference
    }

    /// Months and years are the Gregorian calendar's on average.
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
