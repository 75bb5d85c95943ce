public import LanyardSecrets

extension JSONReader {
    /// Reads a number written as an integer: without a fraction and without an exponent.
    ///
    /// - Throws: ``Status/decode`` if the next value is not such a number, invalid, or beyond 64
    ///   bits.
    public mutating func readInteger() throws(KeychainError) -> Int64 {
        let start = position
        guard try scanNumber(), let number = integer(start..<position) else {
            position = start
            throw unexpected("expected a 64-bit integer")
        }
        return number
    }

    /// Reads any number as it is written.
    ///
    /// - Throws: ``Status/decode`` if the next value is not a number, or invalid.
    public mutating func readNumber() throws(KeychainError) -> Secret {
        let start = position
        _ = try scanNumber()
        // Safe: the text is valid as long as the reader.
        return Secret(copying: unsafe Span(_unsafeElements: text).extracting(start..<position))
    }

    /// Reads `true` or `false`.
    ///
    /// - Throws: ``Status/decode`` if the next value is neither.
    public mutating func readBool() throws(KeychainError) -> Bool {
        guard try kind == .bool else {
            throw unexpected("expected true or false")
        }
        if nextByte == UInt8(ascii: "t") {
            try advance(past: "true")
            return true
        }
        try advance(past: "false")
        return false
    }

    /// Reads `null` if that is the next value, and leaves any other.
    ///
    /// - Returns: Whether it was `null`.
    /// - Throws: ``Status/decode`` if there is no next value.
    public mutating func readNull() throws(KeychainError) -> Bool {
        guard try kind == .null else {
            return false
        }
        try advance(past: "null")
        return true
    }

    /// Checks and skips a number.
    ///
    /// - Returns: Whether it is written as an integer.
    mutating func scanNumber() throws(KeychainError) -> Bool {
        guard try kind == .number else {
            throw unexpected("expected a number")
        }
        _ = advance(past: UInt8(ascii: "-"))
        if !advance(past: UInt8(ascii: "0")) {
            try skipDigits()
        }
        var isInteger = true
        if advance(past: UInt8(ascii: ".")) {
            isInteger = false
            try skipDigits()
        }
        if advance(past: UInt8(ascii: "e")) || advance(past: UInt8(ascii: "E")) {
            isInteger = false
            _ = advance(past: UInt8(ascii: "+")) || advance(past: UInt8(ascii: "-"))
            try skipDigits()
        }
        return isInteger
    }

    /// Skips digits, at least one.
    private mutating func skipDigits() throws(KeychainError) {
        let start = position
        while let byte = nextByte, byte.isDigit {
            position += 1
        }
        guard position > start else {
            throw invalid("expected a digit")
        }
    }

    /// Returns the value of digits with or without a minus sign, nil beyond 64 bits.
    private func integer(_ range: Range<Int>) -> Int64? {
        var number: Int64 = 0
        let isNegative = byte(at: range.lowerBound) == UInt8(ascii: "-")
        for index in range.dropFirst(isNegative ? 1 : 0) {
            let digit = Int64((byte(at: index) ?? 0) & 0x0F)
            let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) =
                isNegative
                ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
            guard !overflow, !carry else {
                return nil
            }
            number = sum
        }
        return number
    }

    private mutating func advance(past literal: StaticString) throws(KeychainError) {
        let start = position
        for index in 0..<literal.utf8CodeUnitCount {
            guard advance(past: literal.byte(at: index)) else {
                throw invalid("not a value", at: start)
            }
        }
    }
}
