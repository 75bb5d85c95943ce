extension FixedWidthInteger {
    /// The bytes of the number, most significant first.
    // Specialized at the call, because most of what is encrypted or looked up is numbers' bytes.
    @inlinable
    package var bigEndianBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(MemoryLayout<Self>.size)
        appendBigEndianBytes(to: &bytes)
        return bytes
    }

    /// Appends the bytes of the number, most significant first.
    @inlinable
    package func appendBigEndianBytes(to bytes: inout [UInt8]) {
        for index in 1...MemoryLayout<Self>.size {
            bytes.append(UInt8(truncatingIfNeeded: self &>> (Self.bitWidth - index * 8)))
        }
    }
}
