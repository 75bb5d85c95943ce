internal import CSodium
package import LanyardSecrets

/// Digests of 32 bytes: BLAKE2b, RFC 7693, with or without a key.
package enum KeyedDigest {
    /// The size of a digest in bytes.
    package static let size = 32

    /// Returns the digest of bytes in up to four parts.
    ///
    /// The corresponding C function is `crypto_generichash`.
    ///
    /// - Parameter key: Up to 64 bytes.
    package static func make(
        under key: Span<UInt8>, _ first: Span<UInt8>, _ second: Span<UInt8> = Span(),
        _ third: Span<UInt8> = Span(), _ fourth: Span<UInt8> = Span()
    ) -> InlineArray<32, UInt8> {
        var digest = InlineArray<32, UInt8>(repeating: 0)
        write(under: key, first, second, third, fourth, to: &digest)
        return digest
    }

    /// Writes a digest that is itself a key, without leaving a copy.
    static func write(
        under key: Span<UInt8>, _ first: Span<UInt8>, _ second: Span<UInt8> = Span(),
        _ third: Span<UInt8> = Span(), _ fourth: Span<UInt8> = Span(),
        to digest: inout InlineArray<32, UInt8>
    ) {
        precondition(
            key.count <= Int(crypto_generichash_blake2b_KEYBYTES_MAX), "a key has up to 64 bytes")
        Sodium.setUp()
        // Safe: libsodium gets the spans' own counts, and writes the digest's 32 bytes.
        unsafe withUnsafeMutableBytes(of: &digest) { digest in
            let output = unsafe digest.baseAddress!.assumingMemoryBound(to: UInt8.self)
            unsafe key.withUnsafeBufferPointer { key in
                unsafe first.withUnsafeBufferPointer { first in
                    unsafe second.withUnsafeBufferPointer { second in
                        unsafe third.withUnsafeBufferPointer { third in
                            unsafe fourth.withUnsafeBufferPointer { fourth in
                                unsafe lanyard_digest(
                                    output, key.baseAddress, key.count, first.baseAddress,
                                    first.count, second.baseAddress, second.count,
                                    third.baseAddress, third.count, fourth.baseAddress,
                                    fourth.count)
                            }
                        }
                    }
                }
            }
        }
    }

    /// Returns the digest of bytes in up to four parts with a secret key.
    package static func make(
        under key: borrowing Secret, _ first: Span<UInt8>, _ second: Span<UInt8> = Span(),
        _ third: Span<UInt8> = Span(), _ fourth: Span<UInt8> = Span()
    ) -> InlineArray<32, UInt8> {
        key.withBytes { make(under: $0, first, second, third, fourth) }
    }

    /// Returns the digest of public bytes without a key.
    package static func plain(_ bytes: Span<UInt8>) -> [UInt8] {
        [UInt8](room: size) { $0.append(copying: make(under: Span(), bytes).span) }
    }
}
