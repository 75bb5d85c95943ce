internal import CLibcrypto
/// A keyed digest of 32 bytes: HMAC with SHA-256, RFC 2104.
package struct HMACSHA256: ~Copyable {
    private let inner: UnsafeMutablePointer<SHA256_CTX>
    private let outer: UnsafeMutablePointer<SHA256_CTX>

    /// A digest under a key of any length.
    package init(key: Span<UInt8>) {
        inner = .allocate(capacity: 1)
        outer = .allocate(capacity: 1)
        SHA256_Init(inner)
        SHA256_Init(outer)
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { block in
            block.initializeMemory(as: UInt8.self, repeating: 0)
            if key.count <= block.count {
                for index in key.indices {
                    block[index] = key[index]
                }
            } else {
                key.withUnsafeBufferPointer { bytes in
                    _ = SHA256(
                        bytes.baseAddress, bytes.count,
                        block.baseAddress?.assumingMemoryBound(to: UInt8.self))
                }
            }
            for index in block.indices {
                block[index] ^= 0x36
            }
            SHA256_Update(inner, block.baseAddress, block.count)
            for index in block.indices {
                block[index] ^= 0x36 ^ 0x5C
            }
            SHA256_Update(outer, block.baseAddress, block.count)
            OPENSSL_cleanse(block.baseAddress, block.count)
        }
    }

    deinit {
        OPENSSL_cleanse(inner, MemoryLayout<SHA256_CTX>.size)
        OPENSSL_cleanse(outer, MemoryLayout<SHA256_CTX>.size)
        inner.deallocate()
        outer.deallocate()
    }

    /// Takes in more bytes.
    package borrowing func update(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { buffer in
            _ = SHA256_Update(inner, buffer.baseAddress, buffer.count)
        }
    }

    /// Takes in more bytes.
    package borrowing func update(_ bytes: [UInt8]) {
        update(bytes.span)
    }

    /// Takes in a number of 8 bytes, the most significant first.
    package borrowing func update(_ number: UInt64) {
        withUnsafeBytes(of: number.bigEndian) { buffer in
            _ = SHA256_Update(inner, buffer.baseAddress, buffer.count)
        }
    }

    /// Writes the digest of all that was taken in, 32 bytes; called once, at the end.
    package borrowing func finish(into digest: UnsafeMutablePointer<UInt8>) {
        SHA256_Final(digest, inner)
        SHA256_Update(outer, digest, 32)
        SHA256_Final(digest, outer)
    }

    /// The digest of all that was taken in, 32 bytes; called once, at the end.
    package borrowing func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            finish(into: buffer.baseAddress!)
            count = 32
        }
    }
}

/// The digest of bytes, 32 bytes: SHA-256, FIPS 180-4.
package func sha256(_ bytes: Span<UInt8>) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    bytes.withUnsafeBufferPointer { buffer in
        _ = SHA256(buffer.baseAddress, buffer.count, &digest)
    }
    return digest
}
