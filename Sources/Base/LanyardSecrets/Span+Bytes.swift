extension Span where Element == UInt8 {
    /// Lends the bytes to a C function that takes no NULL, and their count.
    ///
    /// A span without bytes may have no address. The closure then gets one that must not be read.
    @inlinable
    package func withAddress<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafePointer<UInt8>, Int) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Safe: the address is that of the span's own bytes, or of none.
        try unsafe withUnsafeBufferPointer { buffer throws(Failure) in
            let nothing = unsafe UnsafePointer(StaticString("").utf8Start)
            return try unsafe body(buffer.baseAddress ?? nothing, buffer.count)
        }
    }

    /// Returns the index of a byte's first occurrence, looking at eight bytes at a time, because it
    /// searches files of many megabytes.
    package func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
        // Safe: no read ends after the bytes, and none begins before them unless the start does.
        unsafe withUnsafeBytes { bytes in
            precondition(start >= 0, "the start is not before the bytes")
            let ones: UInt64 = 0x0101_0101_0101_0101
            let wanted = ones &* UInt64(byte)
            var index = start
            while index + 8 <= bytes.count {
                let eight = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                let differences = UInt64(littleEndian: eight) ^ wanted
                // The highest bit of each zero byte, and perhaps of some after the first of them.
                let zeros = (differences &- ones) & ~differences & (ones << 7)
                guard zeros == 0 else {
                    return index + zeros.trailingZeroBitCount / 8
                }
                index += 8
            }
            while index < bytes.count {
                if unsafe bytes[index] == byte {
                    return index
                }
                index += 1
            }
            return nil
        }
    }

    /// Returns the index of a text's first occurrence.
    package func firstIndex(of text: StaticString) -> Int? {
        var index = 0
        while let found = firstIndex(of: text.byte(at: 0), from: index) {
            if extracting(found...).starts(with: text) {
                return found
            }
            index = found + 1
        }
        return nil
    }

    /// The number with these decimal digits, nil if there are none, too many, or other bytes.
    package var decimalNumber: Int64? {
        guard count > 0 else {
            return nil
        }
        var number: Int64 = 0
        for index in indices {
            guard self[index].isDigit else {
                return nil
            }
            let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(Int64(self[index] & 0x0F))
            guard !overflow, !carry else {
                return nil
            }
            number = sum
        }
        return number
    }

    /// Returns the index of a byte's last occurrence.
    package func lastIndex(of byte: UInt8) -> Int? {
        var index = count
        while index > 0 {
            index -= 1
            if self[index] == byte {
                return index
            }
        }
        return nil
    }

    /// Whether a byte is one of these.
    package func contains(_ byte: UInt8) -> Bool {
        firstIndex(of: byte) != nil
    }

    /// The part without ASCII white space, also line ends, at both ends.
    package var withoutWhitespace: Range<Int> {
        var end = count
        while end > 0, self[end - 1].isWhitespace {
            end -= 1
        }
        var start = 0
        while start < end, self[start].isWhitespace {
            start += 1
        }
        return start..<end
    }

    /// Whether the bytes are UTF-8.
    package var isUTF8: Bool { (try? UTF8Span(validating: self)) != nil }

    /// Whether the bytes begin with a text.
    package func starts(with text: StaticString) -> Bool {
        guard count >= text.utf8CodeUnitCount else {
            return false
        }
        for index in 0..<text.utf8CodeUnitCount where self[index] != text.byte(at: index) {
            return false
        }
        return true
    }

    /// Whether the bytes equal a text.
    package func equals(_ text: StaticString) -> Bool {
        count == text.utf8CodeUnitCount && starts(with: text)
    }

    /// Compares like ``equals(_:)``, but ignores letter case.
    ///
    /// - Parameter letters: Its letters are in lower case.
    package func equalsIgnoringCase(_ letters: StaticString) -> Bool {
        guard count == letters.utf8CodeUnitCount else {
            return false
        }
        for index in indices {
            let letter = letters.byte(at: index)
            // A digit has no case: a control character would become one.
            let bit: UInt8 = (0x61...0x7A).contains(letter) ? 0x20 : 0
            guard self[index] | bit == letter else {
                return false
            }
        }
        return true
    }
}

extension UInt8 {
    /// Space, tab, line feed, vertical tab, form feed and carriage return, as `isspace` in the C locale.
    package var isWhitespace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    /// Whether it is a decimal digit in ASCII.
    package var isDigit: Bool { (0x30...0x39).contains(self) }

    /// Whether it is a letter in ASCII.
    package var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }

    /// Whether it is a letter or a decimal digit in ASCII.
    package var isLetterOrDigit: Bool { isLetter || isDigit }
}
