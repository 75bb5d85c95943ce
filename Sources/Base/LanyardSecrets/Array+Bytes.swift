extension [UInt8] {
    /// Whether both have the same bytes, compared eight at a time, because some callers do this
    /// many times for each item.
    package func hasSameBytes(as other: [UInt8]) -> Bool {
        guard count == other.count else {
            return false
        }
        // Safe: both have the same count, and no read ends after them.
        return unsafe withUnsafeBytes { mine in
            unsafe other.withUnsafeBytes { others in
                var index = 0
                while index + 8 <= mine.count {
                    guard
                        unsafe mine.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                            == others.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    else {
                        return false
                    }
                    index += 8
                }
                while index < mine.count {
                    guard unsafe mine[index] == others[index] else {
                        return false
                    }
                    index += 1
                }
                return true
            }
        }
    }
}
