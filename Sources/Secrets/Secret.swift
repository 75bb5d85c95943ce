/// Bytes that nobody else may see: a password, a token, a key.
///
/// A secret owns its memory and can't be copied by assignment; its memory is overwritten when it
/// ends. It has no description, and its bytes are reached in one way only, ``withBytes(_:)``.
@safe  // Safe: the memory is its own, and freed in `deinit` alone.
public struct Secret: ~Copyable, @unchecked Sendable {
    // Never written after init, so that sharing it between threads is safe.
    private let memory: UnsafeMutableRawBufferPointer

    /// How many bytes the secret has.
    public let count: Int

    /// A secret of a span's bytes, which stay where they are, too: wiping them is the caller's part.
    public init(copying span: Span<UInt8>) {
        // Safe: as long as the span at least; freed in `deinit`.
        unsafe memory = .allocate(byteCount: max(span.count, 1), alignment: 16)
        count = span.count
        let memory = unsafe memory
        unsafe span.withUnsafeBytes { unsafe memory.copyMemory(from: $0) }
    }

    /// A secret in memory that is handed over, its bytes at the start.
    init(owning memory: UnsafeMutableRawBufferPointer, count: Int) {
        // Safe: nobody else has the memory, which is freed in `deinit`.
        unsafe self.memory = memory
        self.count = count
    }

    /// A secret of a string's UTF-8 bytes. The string itself can't be wiped.
    public init(_ string: String) {
        var string = string
        // Safe: the capacity is the number of bytes that are copied.
        unsafe self.init(capacity: string.utf8.count) { memory in
            string.withUTF8 { unsafe memory.copyBytes(from: $0) }
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
        // Safe: initialized before anybody reads it; freed here, or in `deinit`.
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(capacity, 1), alignment: 16)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
        do {
            count = try unsafe body(memory)
        } catch {
            unsafe wipe(memory)
            unsafe memory.deallocate()
            throw error
        }
        precondition((0...capacity).contains(count), "a secret is within its capacity")
        // Safe: from here on the memory belongs to the secret.
        unsafe self.memory = memory
    }

    deinit {
        // Safe: nobody else has the memory, and nothing comes after.
        unsafe wipe(memory)
        unsafe memory.deallocate()
    }

    /// Lends the bytes to a closure.
    public borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Safe: the memory has at least `count` bytes, lives as long as `self`, which is borrowed
        // for the closure, and the span can't leave it.
        let bytes = unsafe UnsafeBufferPointer<UInt8>(
            start: memory.baseAddress!.assumingMemoryBound(to: UInt8.self), count: count)
        return try unsafe body(Span(_unsafeElements: bytes))
    }

    /// Whether both have the same bytes. How long it takes depends on the lengths alone.
    public borrowing func isEqual(to other: borrowing Secret) -> Bool {
        guard count == other.count else {
            return false
        }
        var difference: UInt8 = 0
        // Safe: both have `count` bytes.
        for index in 0..<count {
            unsafe difference |= memory[index] ^ other.memory[index]
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
    // Safe: the caller owns the memory; it is as long as it says.
    unsafe writeZeros(memory)
}

@inline(never)
private func writeZeros(_ memory: UnsafeMutableRawBufferPointer) {
    // Safe: within the memory's own indices.
    for index in memory.indices {
        unsafe memory[index] = 0
    }
}
