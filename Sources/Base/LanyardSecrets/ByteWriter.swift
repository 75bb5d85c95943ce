/// Writes the parts of a stored form one after the other; numbers are big-endian.
package struct ByteWriter {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []

    /// - Parameter capacity: The expected number of bytes, if known.
    package init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Appends a number.
    package mutating func number<Number: FixedWidthInteger>(_ number: Number) {
        number.appendBigEndianBytes(to: &bytes)
    }

    /// Appends bytes without their number.
    package mutating func raw(_ bytes: [UInt8]) {
        self.bytes += bytes
    }

    /// Appends a text's bytes.
    package mutating func raw(_ text: StaticString) {
        bytes += text.bytes
    }

    /// Appends a length of 4 bytes, then the bytes.
    package mutating func counted(_ bytes: [UInt8]) {
        number(UInt32(bytes.count))
        raw(bytes)
    }
}

/// Reads what a ``ByteWriter`` wrote. Anything invalid throws ``Status/decode``.
package struct ByteReader {
    private let bytes: [UInt8]
    /// The number of bytes read so far.
    package private(set) var position = 0

    /// Creates a reader of bytes.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether all bytes have been read.
    package var isAtEnd: Bool { position == bytes.count }

    /// The number of bytes that were not read yet.
    package var remaining: Int { bytes.count - position }

    /// Reads a number.
    package mutating func number<Number: FixedWidthInteger>(
        _: Number.Type = Number.self
    ) throws(KeychainError) -> Number {
        Number(truncatingIfNeeded: try word(MemoryLayout<Number>.size))
    }

    /// Reads a number of up to 8 bytes. Not generic: other modules would call a witness for each byte.
    private mutating func word(_ size: Int) throws(KeychainError) -> UInt64 {
        let end = position + size
        guard end <= bytes.count else {
            throw KeychainError(.decode)
        }
        var word: UInt64 = 0
        for index in position..<end {
            word = word << 8 | UInt64(bytes[index])
        }
        position = end
        return word
    }

    /// Reads this many bytes.
    package mutating func raw(_ count: Int) throws(KeychainError) -> [UInt8] {
        guard count >= 0, count <= bytes.count - position else {
            throw KeychainError(.decode)
        }
        defer { position += count }
        return Array(bytes[position..<(position + count)])
    }

    /// Reads a length of 4 bytes, then that many bytes.
    package mutating func counted() throws(KeychainError) -> [UInt8] {
        try raw(Int(number(UInt32.self)))
    }

    /// Throws unless all bytes have been read.
    package func end() throws(KeychainError) {
        guard isAtEnd else {
            throw KeychainError(.decode)
        }
    }
}
