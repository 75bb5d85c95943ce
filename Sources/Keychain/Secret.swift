/// Bytes that nobody else may see: a password, a token, a key.
///
/// A secret owns its memory and can't be copied by assignment; its memory is overwritten when it
/// ends. It has no description, and its bytes are reached in one way only, ``withBytes(_:)``.
public struct Secret: ~Copyable, @unchecked Sendable {
    // Never written after init, so that sharing it between threads is safe.
    private let memory: UnsafeMutableRawBufferPointer

    /// How many bytes the secret has.
    public let count: Int

    /// A secret of a span's bytes, which stay where they are, too: wiping them is the caller's part.
    public init(copying span: Span<UInt8>) {
        memory = .allocate(byteCount: max(span.count, 1), alignment: 16)
        count = span.count
        for index in span.indices {
            memory[index] = span[index]
        }
    }

    /// A secret of a string's UTF-8 bytes. The string itself can't be wiped.
    public init(_ string: String) {
        var string = string
        self.init(capacity: string.utf8.count) { memory in
            string.withUTF8 { memory.copyBytes(from: $0) }
            return string.utf8.count
        }
    }

    /// A secret that a closure writes.
    ///
    /// - Parameters:
    ///   - capacity: How many bytes there is room for.
    ///   - body: Writes into the memory, which is all zeros, and returns how many bytes of it, from
    ///     the start, are the secret. If it throws, the memory is wiped.
    public init<Failure: Error>(
        capacity: Int,
        initializingWith body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(capacity, 1), alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        do {
            count = try body(memory)
        } catch {
            wipe(memory)
            memory.deallocate()
            throw error
        }
        precondition(count <= capacity, "a secret can't be longer than its capacity")
        self.memory = memory
    }

    deinit {
        wipe(memory)
        memory.deallocate()
    }

    /// Lends the bytes to a closure.
    public borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bytes = UnsafeBufferPointer<UInt8>(
            start: memory.baseAddress!.assumingMemoryBound(to: UInt8.self), count: count)
        return try body(Span(_unsafeElements: bytes))
    }

    /// Whether both have the same bytes. How long it takes depends on the lengths alone.
    public borrowing func isEqual(to other: borrowing Secret) -> Bool {
        guard count == other.count else {
            return false
        }
        var difference: UInt8 = 0
        for index in 0..<count {
            difference |= memory[index] ^ other.memory[index]
        }
        return difference == 0
    }

    /// Another secret of the same bytes.
    public borrowing func copy() -> Secret {
        withBytes { Secret(copying: $0) }
    }
}

/// Overwrites memory with zeros, also where nobody reads it again.
///
/// Not optimised, so that the compiler can't take the writes for useless; the loop is, because it
/// is a hundred times faster then.
@inline(never)
@_optimize(none)
func wipe(_ memory: UnsafeMutableRawBufferPointer) {
    writeZeros(memory)
}

@inline(never)
private func writeZeros(_ memory: UnsafeMutableRawBufferPointer) {
    for index in memory.indices {
        memory[index] = 0
    }
}
