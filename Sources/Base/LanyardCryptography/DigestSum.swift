package import LanyardSecrets

/// A sum modulo 2^256 of digests: it authenticates a set, whatever the order of its elements. Never an
/// exclusive or, which can be solved for.
package struct DigestSum: Hashable, Sendable {
    /// The sum's 64-bit words, least significant first.
    private var words = SIMD4<UInt64>()

    /// Creates the sum of nothing.
    package init() {}

    /// Adds an element's digest.
    package mutating func add(_ digest: InlineArray<32, UInt8>) {
        add(DigestSum.words(of: digest), carry: 0)
    }

    /// Subtracts the digest of an element that was added.
    package mutating func subtract(_ digest: InlineArray<32, UInt8>) {
        // Adding the two's complement subtracts.
        add(~DigestSum.words(of: digest), carry: 1)
    }

    private mutating func add(_ other: SIMD4<UInt64>, carry: UInt64) {
        var carry = carry
        for index in words.indices {
            let (partial, first) = words[index].addingReportingOverflow(other[index])
            let (word, second) = partial.addingReportingOverflow(carry)
            words[index] = word
            carry = first || second ? 1 : 0
        }
    }

    /// Returns the 256-bit number of a digest, most significant byte first.
    private static func words(of digest: InlineArray<32, UInt8>) -> SIMD4<UInt64> {
        var words = SIMD4<UInt64>()
        // Safe: the digest's 32 bytes are exactly four words.
        unsafe digest.span.withUnsafeBytes { bytes in
            for word in 0..<4 {
                words[word] = unsafe UInt64(
                    bigEndian: bytes.loadUnaligned(fromByteOffset: 24 - word * 8, as: UInt64.self))
            }
        }
        return words
    }

    /// Appends the sum, 32 bytes, most significant first.
    package func append(to writer: inout ByteWriter) {
        for index in words.indices.reversed() {
            writer.number(words[index])
        }
    }

    /// Reads a sum of 32 bytes.
    ///
    /// - Throws: ``Status/decode`` if there are fewer.
    package init(reading reader: inout ByteReader) throws(KeychainError) {
        for index in words.indices.reversed() {
            words[index] = try reader.number()
        }
    }
}
