/// Puts a secret together from parts. What it outgrows or never finishes is wiped.
public struct SecretBuilder: ~Copyable {
    private var memory: UnsafeMutableRawBufferPointer
    /// How many bytes have been appended.
    public private(set) var count = 0

    /// An empty builder with room for some bytes; it grows when they are not enough.
    public init(capacity: Int = 256) {
        memory = .allocate(byteCount: max(capacity, 16), alignment: 16)
    }

    deinit {
        wipe(memory)
        memory.deallocate()
    }

    /// Appends one byte.
    public mutating func append(_ byte: UInt8) {
        reserve(1)
        memory[count] = byte
        count += 1
    }

    /// Appends a span's bytes.
    public mutating func append(_ span: Span<UInt8>) {
        reserve(span.count)
        for index in span.indices {
            memory[count + index] = span[index]
        }
        count += span.count
    }

    /// Appends a secret's bytes.
    public mutating func append(_ secret: borrowing Secret) {
        reserve(secret.count)
        secret.withBytes { span in
            for index in span.indices {
                memory[count + index] = span[index]
            }
        }
        count += secret.count
    }

    /// Appends a byte string's bytes.
    @_disfavoredOverload  // so that a literal is a StaticString, and not both
    public mutating func append(_ text: ByteString) {
        append(text.bytes.span)
    }

    /// Appends a literal's UTF-8 bytes.
    public mutating func append(_ text: StaticString) {
        reserve(text.utf8CodeUnitCount)
        text.withUTF8Buffer { buffer in
            for byte in buffer {
                memory[count] = byte
                count += 1
            }
        }
    }

    /// What has been appended, as a secret.
    public consuming func finish() -> Secret {
        Secret(copying: Span(_unsafeElements: bytes))
    }

    private var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(
            start: memory.baseAddress!.assumingMemoryBound(to: UInt8.self), count: count)
    }

    private mutating func reserve(_ more: Int) {
        guard memory.count - count < more else {
            return
        }
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(memory.count * 2, count + more), alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<count]))
        wipe(memory)
        memory.deallocate()
        memory = larger
    }
}
