/// Builds a secret from parts. Memory that it outgrows or leaves unfinished is wiped.
@safe  // Safe: the memory is its own, and freed in `deinit` alone.
public struct SecretBuilder: ~Copyable {
    private var memory: UnsafeMutableRawBufferPointer
    /// The number of bytes appended so far.
    public private(set) var count = 0

    /// Creates an empty builder with room for some bytes; it grows if they are not enough.
    public init(capacity: Int = 256) {
        // Safe: freed in `deinit`, or when `reserve` replaces it.
        unsafe memory = .allocate(byteCount: max(capacity, 16), alignment: 16)
    }

    deinit {
        // Safe: only this value has the memory, and this is its last use.
        unsafe wipe(memory)
        unsafe memory.deallocate()
    }

    /// Appends one byte.
    public mutating func append(_ byte: UInt8) {
        reserve(1)
        // Safe: `reserve` has made room.
        unsafe memory[count] = byte
        count += 1
    }

    /// Appends zeros.
    public mutating func append(zeros: Int) {
        reserve(zeros)
        // Safe: `reserve` has made room for them.
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count..<(count + zeros)])
            .initializeMemory(as: UInt8.self, repeating: 0)
        count += zeros
    }

    /// Appends a span's bytes.
    public mutating func append(_ span: Span<UInt8>) {
        reserve(span.count)
        // Safe: `reserve` has made room for the whole span.
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...])
        unsafe span.withUnsafeBytes { unsafe rest.copyMemory(from: $0) }
        count += span.count
    }

    /// Appends a secret's bytes.
    public mutating func append(_ secret: borrowing Secret) {
        secret.withBytes { append($0) }
    }

    /// Appends a byte string's bytes.
    @_disfavoredOverload  // makes a literal a StaticString, not both
    public mutating func append(_ text: ByteString) {
        append(text.bytes.span)
    }

    /// Appends a literal's UTF-8 bytes.
    public mutating func append(_ text: StaticString) {
        reserve(text.utf8CodeUnitCount)
        for index in 0..<text.utf8CodeUnitCount {
            append(text.byte(at: index))
        }
    }

    /// Returns the appended bytes as a secret.
    public consuming func finish() -> Secret {
        let secret: Secret
        // Safe: only a number is read.
        if unsafe count >= memory.count / 2 {
            // Safe: the secret takes the memory over, and nothing here uses it again.
            secret = unsafe Secret(owning: memory, count: count)
        } else {
            // Safe: the first `count` bytes were written, as bytes, and outlive the span; only this
            // value has the memory.
            let bytes = unsafe UnsafeBufferPointer(
                start: memory.baseAddress!.assumingMemoryBound(to: UInt8.self), count: count)
            secret = unsafe Secret(copying: Span(_unsafeElements: bytes))
            unsafe wipe(memory)
            unsafe memory.deallocate()
        }
        // Safe: `deinit` finds nothing to wipe and to free.
        unsafe memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        return secret
    }

    private mutating func reserve(_ more: Int) {
        // Safe: only a number is read.
        guard unsafe memory.count - count < more else {
            return
        }
        // Safe: freed in `deinit`, like the memory that it replaces.
        let larger = unsafe UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(memory.count * 2, count + more), alignment: 16)
        // Safe: it has room for the `count` bytes, and the old memory is not used again.
        unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<count]))
        unsafe wipe(memory)
        unsafe memory.deallocate()
        unsafe memory = larger
    }
}
