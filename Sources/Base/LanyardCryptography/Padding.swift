package import LanyardSecrets

/// Hides the length of a plaintext. Before encryption it gets its length (4 bytes) in front, and
/// zeros at the end up to the next bucket. Buckets are the powers of two from 64 to 4096 bytes,
/// then the multiples of 4096.
package enum Padding {
    /// Returns the size of the bucket for a plaintext's bytes and its length.
    package static func bucket(_ count: Int) -> Int {
        let needed = count + 4
        guard needed <= 4096 else {
            return (needed + 4095) / 4096 * 4096
        }
        var bucket = 64
        while bucket < needed {
            bucket *= 2
        }
        return bucket
    }

    /// Returns a plaintext with its length and zeros.
    package static func pad(_ plaintext: Span<UInt8>) -> Secret {
        let size = bucket(plaintext.count)
        var padded = SecretBuilder(capacity: size)
        padded.append(UInt32(plaintext.count).bigEndianBytes.span)
        padded.append(plaintext)
        padded.append(zeros: size - padded.count)
        return padded.finish()
    }

    /// Passes the plaintext without its padding to a closure.
    ///
    /// - Throws: ``Status/decode`` for bytes that ``pad(_:)`` does not make.
    package static func withoutPadding<Result: ~Copyable>(
        _ padded: borrowing Secret, _ body: (Span<UInt8>) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try padded.withBytes { (bytes: Span<UInt8>) throws(KeychainError) -> Result in
            guard bytes.count >= 64 else {
                throw KeychainError(.decode)
            }
            let count = (0..<4).reduce(0) { $0 << 8 | Int(bytes[$1]) }
            guard bytes.count == bucket(count) else {
                throw KeychainError(.decode)
            }
            guard isZeros(bytes.extracting((4 + count)...)) else {
                throw KeychainError(.decode)
            }
            return try body(bytes.extracting(4..<(4 + count)))
        }
    }

    private static func isZeros(_ bytes: Span<UInt8>) -> Bool {
        // Safe: only the span's own bytes are read, eight at a time as far as possible.
        unsafe bytes.withUnsafeBytes { bytes in
            var found: UInt64 = 0
            var index = 0
            while index + 8 <= bytes.count {
                unsafe found |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                index += 8
            }
            while index < bytes.count {
                unsafe found |= UInt64(bytes[index])
                index += 1
            }
            return found == 0
        }
    }
}
