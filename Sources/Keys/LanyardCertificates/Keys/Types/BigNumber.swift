internal import CLibcrypto
internal import LanyardSecrets

/// A number of libcrypto's that may be secret. The corresponding C type is `BIGNUM`.
@safe  // Safe: the number is its own, and freed in `deinit` alone.
struct BigNumber: ~Copyable {
    let pointer: OpaquePointer

    /// Creates 0.
    init() throws(KeychainError) {
        Libcrypto.start()
        // Safe: freed in `deinit`.
        guard let pointer = unsafe BN_new() else {
            throw .outOfMemory
        }
        unsafe self.pointer = pointer
        useConstantTime()
    }

    /// The most bytes of a number: those of the longest modulus.
    static let byteLimit = 2048

    /// Creates the number with these bytes, most significant first.
    ///
    /// - Throws: ``Status/unsupportedKeySize`` for longer numbers, with which arithmetic would take long.
    init(_ bytes: Span<UInt8>) throws(KeychainError) {
        guard bytes.count <= Self.byteLimit else {
            throw KeychainError.unsupportedKeySize
        }
        Libcrypto.start()
        // Safe: the bytes are read during the call only; freed in `deinit`.
        let pointer = unsafe bytes.withUnsafeBufferPointer {
            unsafe BN_bin2bn($0.baseAddress, Int32($0.count), nil)
        }
        guard let pointer = unsafe pointer else {
            throw .outOfMemory
        }
        unsafe self.pointer = pointer
        useConstantTime()
    }

    /// Chooses the algorithms whose time does not depend on the number.
    private func useConstantTime() {
        // Safe: nothing else has the number yet.
        unsafe BN_set_flags(pointer, BN_FLG_CONSTTIME)
    }

    deinit {
        // Safe: the last use.
        unsafe BN_clear_free(pointer)
    }

    /// The number of bits.
    // Safe: read only.
    var bitCount: Int { unsafe Int(BN_num_bits(pointer)) }

    // Safe: read only.
    var isOdd: Bool { unsafe BN_is_odd(pointer) == 1 }

    // Safe: read only.
    var isZero: Bool { unsafe BN_is_zero(pointer) == 1 }

    // Safe: read only.
    var isOne: Bool { unsafe BN_is_one(pointer) == 1 }

    /// Whether both are the same number.
    func equals(_ other: borrowing BigNumber) -> Bool {
        // Safe: read only.
        unsafe BN_cmp(pointer, other.pointer) == 0
    }

    /// Whether this number is less than the other.
    func isLess(than other: borrowing BigNumber) -> Bool {
        // Safe: read only.
        unsafe BN_cmp(pointer, other.pointer) < 0
    }

    /// The number as this many bytes, most significant first, or as few as it has.
    func bytes(count: Int? = nil) throws(KeychainError) -> Secret {
        let count = count ?? (bitCount + 7) / 8
        // Safe: the memory has this many bytes.
        return try unsafe Secret(capacity: count) { memory throws(KeychainError) in
            let written = unsafe BN_bn2binpad(
                pointer, memory.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(count))
            guard written == count else {
                throw Libcrypto.error(.invalidKeyFormat)
            }
            return count
        }
    }
}
