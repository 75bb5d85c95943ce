/// Confidential bytes: a password, a token, a key.
///
/// A secret owns its memory and can't be copied by assignment; its memory is overwritten when it
/// ends. It has no description, and ``withBytes(_:)`` is the only access to its bytes.
@safe  // Safe: the memory is its own, and freed in `deinit` alone.
public struct Secret: ~Copyable, @unchecked Sendable {
    // Never written after init, so threads can share it.
    private let memory: UnsafeMutableRawBufferPointer

    /// The number of bytes.
    public let count: Int

    /// Creates a secret from a span's bytes. The caller must wipe the original.
    public init(copying span: Span<UInt8>) {
        // Safe: at least as long as the span; freed in `deinit`.
        unsafe memory = .allocate(byteCount: max(span.count, 1), alignment: 16)
        count = span.count
        let memory = unsafe memory
        unsafe span.withUnsafeBytes { unsafe memory.copyMemory(from: $0) }
    }

    /// Creates a secret that takes memory over; its bytes are at the start.
    init(owning memory: UnsafeMutableRawBufferPointer, count: Int) {
        // Safe: only this value has the memory, and frees it in `deinit`.
        unsafe self.memory = memory
        self.count = count
    }

    /// Creates a secret from a string's UTF-8 bytes. The string itself can't be wiped.
    public init(_ string: String) {
        var string = string
        // Safe: the capacity is the number of bytes that are copied.
        unsafe self.init(capacity: string.utf8.count) { memory in
            string.withUTF8 { unsafe memory.copyBytes(from: $0) }
            return string.utf8.count
        }
    }

    /// Creates a secret that a closure writes.
    ///
    /// - Parameters:
    ///   - capacity: The number of bytes to make room for.
    ///   - body: Writes into the memory, which is all zeros, and returns the length of the secret
    ///     at its start. If it throws, the memory is wiped.
    public init<Failure: Error>(
        capacity: Int,
        initializingWith body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        // Safe: initialized before any read; freed here, or in `deinit`.
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
        // Safe: only this value has the memory, and this is its last use.
        unsafe wipe(memory)
        unsafe memory.deallocate()
    }

    /// Lends the bytes to a closure.
    public borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Safe: the memory has at least `count` bytes and lives as long as `self`, which is
        // borrowed for the closure; the span can't escape it.
        let bytes = unsafe UnsafeBufferPointer<UInt8>(
            start: memory.baseAddress!.assumingMemoryBound(to: UInt8.self), count: count)
        return try unsafe body(Span(_unsafeElements: bytes))
    }

    /// Whether both have the same bytes. The time depends on the lengths alone.
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

    /// Returns another secret with the same bytes.
    public borrowing func copy() -> Secret {
        withBytes { Secret(copying: $0) }
    }
}

/// Overwrites memory with zeros, even if no code reads it again.
///
/// Not optimized, because the compiler could then remove the writes as useless. The loop is
/// optimized, which makes it a hundred times faster.
@inline(never)
@_optimize(none)
func wipe(_ memory: UnsafeMutableRawBufferPointer) {
    // Safe: the caller owns the memory, and its count is right.
    unsafe writeZeros(memory)
}

@inline(never)
private func writeZeros(_ memory: UnsafeMutableRawBufferPointer) {
    // Safe: within the memory's own indices.
    for index in memory.indices {
        unsafe memory[index] = 0
    }
}
