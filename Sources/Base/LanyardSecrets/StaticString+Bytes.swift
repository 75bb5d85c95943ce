extension StaticString {
    /// Returns the UTF-8 byte at an index, at least 0 and less than `utf8CodeUnitCount`.
    package func byte(at index: Int) -> UInt8 {
        precondition((0..<utf8CodeUnitCount).contains(index), "a literal has no such byte")
        // Safe: a literal lives as long as the program, and the index was checked.
        return unsafe utf8Start[index]
    }

    /// The UTF-8 bytes.
    package var bytes: [UInt8] {
        // Safe: a literal lives as long as the program, and its count is right.
        unsafe Array(UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount))
    }
}
