internal import KeychainServices

extension Timestamp {
    /// Returns the age in the largest unit: `3 d`, `2 mo`. A time in the future, from a wrong clock, is `0
    /// s`.
    func age(at now: Timestamp) -> String {
        Timestamp.duration(max(0, seconds(until: now)))
    }

    /// Returns the time until this expiry: `in 5 d`, or `expired`. A twentieth of a unit less than a whole one is shown as
    /// that: who stores something for five days sees five days.
    func expiry(at now: Timestamp) -> String {
        self < now
            ? "expired"
            : "in \(Timestamp.duration(now.seconds(until: self), missing: 20))"
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

    /// - Parameter missing: Which part of a unit may be missing from a whole one; nil for none.
    private static func duration(_ seconds: Int64, missing: Int64? = nil) -> String {
        for unit in units {
            let (rest, count) = (
                unit.seconds - (missing.map { unit.seconds / $0 } ?? 0), seconds / unit.seconds
            )
            let shown = count + (seconds % unit.seconds >= rest ? 1 : 0)
            if shown > 0 {
                return "\(shown) \(unit.name)"
            }
        }
        return "\(seconds) s"
    }
}
