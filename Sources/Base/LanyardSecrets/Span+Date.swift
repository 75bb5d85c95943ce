/// Parses the dates of entries.
extension Span where Element == UInt8 {
    /// The time of an ISO 8601 date: `2024-01-31T12:00:00.5+01:00`, or without separators,
    /// `20240131120000Z`. A date without a zone is UTC; a fraction of a second and a NUL at the end are
    /// dropped. Nil for anything else.
    package var date: Timestamp? {
        var index = 0
        guard let days = days(from: &index) else {
            return nil
        }
        _ = skip("T", from: &index)
        guard let seconds = seconds(from: &index), let offset = offset(from: &index) else {
            return nil
        }
        _ = skip("\0", from: &index)
        return index == count
            ? Timestamp(secondsSinceEpoch: days * 86_400 + seconds - offset) : nil
    }

    /// The time of a decimal number of milliseconds since 1970; nil for anything else.
    package var dateInMilliseconds: Timestamp? {
        var index = 0
        // From 1973, because fewer digits may be a year, to the year 33658.
        guard (12...15).contains(count), let number = number(count, from: &index) else {
            return nil
        }
        return Timestamp(secondsSinceEpoch: number / 1000)
    }

    /// Reads year, month and day as days since 1970.
    private func days(from index: inout Int) -> Int64? {
        guard let year = number(4, from: &index), year > 0 else {
            return nil
        }
        _ = skip("-", from: &index)
        guard let month = number(2, from: &index), (1...12).contains(month) else {
            return nil
        }
        _ = skip("-", from: &index)
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths: [Int64] = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard let day = number(2, from: &index), day > 0, day <= lengths[Int(month) - 1] else {
            return nil
        }
        let before = year - 1
        let leapDays = before / 4 - before / 100 + before / 400
        // 719,162 days passed from the year 1 to 1970.
        return before * 365 + leapDays + lengths[..<(Int(month) - 1)].reduce(0, +) + day - 1
            - 719_162
    }

    /// Reads hour, minute and second as seconds.
    private func seconds(from index: inout Int) -> Int64? {
        guard let hour = number(2, from: &index), hour < 24 else {
            return nil
        }
        _ = skip(":", from: &index)
        guard let minute = number(2, from: &index), minute < 60 else {
            return nil
        }
        _ = skip(":", from: &index)
        // Leap seconds exist.
        guard let second = number(2, from: &index), second <= 60 else {
            return nil
        }
        if skip(".", from: &index) {
            while index < count, self[index].isDigit {
                index += 1
            }
        }
        return hour * 3600 + minute * 60 + second
    }

    /// Reads the zone as seconds before UTC.
    private func offset(from index: inout Int) -> Int64? {
        let isEast = skip("+", from: &index)
        guard isEast || skip("-", from: &index) else {
            _ = skip("Z", from: &index)
            return 0
        }
        guard let hours = number(2, from: &index), hours < 24 else {
            return nil
        }
        _ = skip(":", from: &index)
        guard let minutes = number(2, from: &index), minutes < 60 else {
            return nil
        }
        return (isEast ? 1 : -1) * (hours * 3600 + minutes * 60)
    }

    private func number(_ digits: Int, from index: inout Int) -> Int64? {
        guard count - index >= digits,
            let number = extracting(index..<index + digits).decimalNumber
        else {
            return nil
        }
        index += digits
        return number
    }

    private func skip(_ mark: StaticString, from index: inout Int) -> Bool {
        guard index < count, self[index] == mark.byte(at: 0) else {
            return false
        }
        index += 1
        return true
    }
}
