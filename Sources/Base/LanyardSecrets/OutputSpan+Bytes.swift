extension OutputSpan<UInt8> {
    /// Appends a span's bytes, for which there must be room.
    package mutating func append(copying bytes: Span<UInt8>) {
        // Safe: there is room for these bytes, which are all written.
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            precondition(bytes.count <= buffer.count - count, "there is room for the bytes")
            let rest = unsafe UnsafeMutableRawBufferPointer(
                rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
            unsafe bytes.withUnsafeBytes { unsafe rest.copyMemory(from: $0) }
            count += bytes.count
        }
    }

    /// Appends the bytes of an array, for which there must be room.
    package mutating func append(copying bytes: [UInt8]) {
        append(copying: bytes.span)
    }

    /// Appends a literal's UTF-8 bytes, for which there must be room.
    package mutating func append(_ text: StaticString) {
        for index in 0..<text.utf8CodeUnitCount {
            append(text.byte(at: index))
        }
    }

    /// Appends the bytes of a number, most significant first, for which there must be room.
    // Specialized at the call, because most of what is encrypted or looked up is numbers' bytes.
    @inlinable
    package mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
        // Safe: there is room for these bytes, which are all written.
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            precondition(
                MemoryLayout<Number>.size <= buffer.count - count, "there is room for the number")
            unsafe UnsafeMutableRawBufferPointer(buffer).storeBytes(
                of: number.bigEndian, toByteOffset: count, as: Number.self)
            count += MemoryLayout<Number>.size
        }
    }
}

extension [UInt8] {
    /// Creates an array of the bytes that a closure appends, within a capacity.
    // Array's own initializer for this looks up the array's type each time; a copy does not.
    @inlinable
    package init(room: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
        // Safe: the span's count says how many bytes from the start were written.
        self = unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { buffer in
            var bytes = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
            body(&bytes)
            let count = unsafe bytes.finalize(for: buffer)
            return unsafe Array(UnsafeBufferPointer(rebasing: buffer[..<count]))
        }
    }
}
