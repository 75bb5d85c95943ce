internal import CNettle
internal import Glibc
package import Secrets

/// A keyed digest of 32 bytes: HMAC with SHA-256, RFC 2104.
@safe  // Safe: the contexts are its own, and freed in `deinit` alone.
package struct HMACSHA256: ~Copyable {
    private let contexts: UnsafeMutablePointer<Contexts>

    /// A digest under a key of any length.
    package init(key: Span<UInt8>) {
        // Safe: freed in `deinit`, and initialized before it is used.
        unsafe contexts = .allocate(capacity: 1)
        unsafe contexts.initialize(to: Contexts(key))
    }

    deinit {
        // Safe: nobody else has the contexts, and nothing comes after.
        unsafe explicit_bzero(contexts, MemoryLayout<Contexts>.size)
        unsafe contexts.deallocate()
    }

    /// Takes in more bytes.
    package borrowing func update(_ bytes: Span<UInt8>) {
        // Safe: the span's own bytes and count, alive for the call.
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe nettle_sha256_update(&contexts.pointee.inner, buffer.count, buffer.baseAddress)
        }
    }

    /// Takes in more bytes.
    package borrowing func update(_ bytes: [UInt8]) {
        update(bytes.span)
    }

    /// - Parameter digest: Room for 32 bytes.
    private borrowing func finish(into digest: UnsafeMutablePointer<UInt8>) {
        // Safe: 32 bytes are what a digest has, and the caller has them.
        unsafe nettle_sha256_digest(&contexts.pointee.inner, 32, digest)
        unsafe nettle_sha256_update(&contexts.pointee.outer, 32, digest)
        unsafe nettle_sha256_digest(&contexts.pointee.outer, 32, digest)
    }

    /// The digest of all that was taken in, 32 bytes, as a key; called once, at the end.
    package borrowing func finishKey() -> Secret {
        // Safe: the memory has the 32 bytes that `finish` writes, and no type yet.
        unsafe Secret(capacity: 32) { memory in
            unsafe finish(into: memory.baseAddress!.assumingMemoryBound(to: UInt8.self))
            return 32
        }
    }

    /// The digest of all that was taken in; called once, at the end.
    borrowing func finish(into digest: inout InlineArray<32, UInt8>) {
        // Safe: it has the 32 bytes that `finish` writes.
        unsafe withUnsafeMutableBytes(of: &digest) {
            unsafe finish(into: $0.baseAddress!.assumingMemoryBound(to: UInt8.self))
        }
    }

    /// The digest of all that was taken in, 32 bytes; called once, at the end.
    package borrowing func finish() -> [UInt8] {
        // Safe: the buffer has the 32 bytes that `finish` writes.
        unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            unsafe finish(into: buffer.baseAddress!)
            count = 32
        }
    }
}

/// A key of ``HMACSHA256`` that is used for many digests: what is the same of all is done once.
@safe  // Safe: the contexts are its own, and freed in `deinit` alone.
package struct HMACSHA256Key: ~Copyable {
    fileprivate let contexts: UnsafeMutablePointer<Contexts>

    /// A key of any length.
    package init(_ key: Span<UInt8>) {
        // Safe: freed in `deinit`, and initialized before it is used.
        unsafe contexts = .allocate(capacity: 1)
        unsafe contexts.initialize(to: Contexts(key))
    }

    deinit {
        // Safe: nobody else has the contexts, and nothing comes after.
        unsafe explicit_bzero(contexts, MemoryLayout<Contexts>.size)
        unsafe contexts.deallocate()
    }

    /// The digest of bytes in two to four parts, 32 bytes.
    package borrowing func digest(
        _ first: Span<UInt8>, _ second: Span<UInt8>, _ third: Span<UInt8> = Span(),
        _ fourth: Span<UInt8> = Span()
    ) -> InlineArray<32, UInt8> {
        var context = sha256_ctx()
        var digest = InlineArray<32, UInt8>(repeating: 0)
        // Safe: the key's contexts live for the call, and each of them has a block of 64 bytes.
        unsafe context = contexts.pointee.inner
        update(&context, first)
        update(&context, second)
        update(&context, third)
        update(&context, fourth)
        context.finish(after: 64 + first.count + second.count + third.count + fourth.count)
        context.writeState(to: &digest)
        unsafe context = contexts.pointee.outer
        update(&context, digest.span)
        context.finish(after: 64 + 32)
        context.writeState(to: &digest)
        unsafe explicit_bzero(&context, MemoryLayout<sha256_ctx>.size)
        return digest
    }
}

extension sha256_ctx {
    /// Ends what is digested, so that the state is the digest, in half the time of `nettle_sha256_digest`.
    ///
    /// - Parameter count: How many bytes were taken in.
    fileprivate mutating func finish(after count: Int) {
        // A bit, zeros up to the last 8 bytes of a block, and in these the number of bits.
        var padding = InlineArray<9, UInt64>(repeating: 0)
        let size = 72 - (count + 8) % 64
        // Safe: the size is 9 to 72.
        unsafe withUnsafeMutableBytes(of: &padding) { padding in
            unsafe padding[0] = 0x80
            unsafe padding.storeBytes(
                of: UInt64(count * 8).bigEndian, toByteOffset: size - 8, as: UInt64.self)
            unsafe nettle_sha256_update(
                &self, size, padding.baseAddress!.assumingMemoryBound(to: UInt8.self))
        }
    }

    /// Writes the eight words of the state, the most significant byte of each first.
    fileprivate mutating func writeState(to digest: inout InlineArray<32, UInt8>) {
        // Safe: both have 32 bytes.
        unsafe withUnsafeBytes(of: &state) { state in
            unsafe withUnsafeMutableBytes(of: &digest) { digest in
                for offset in stride(from: 0, to: 32, by: 4) {
                    let word = unsafe state.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                    unsafe digest.storeBytes(
                        of: word.bigEndian, toByteOffset: offset, as: UInt32.self)
                }
            }
        }
    }
}

private func update(_ context: inout sha256_ctx, _ bytes: Span<UInt8>) {
    // Safe: the span's own bytes and count.
    unsafe bytes.withUnsafeBufferPointer {
        unsafe nettle_sha256_update(&context, $0.count, $0.baseAddress)
    }
}

/// The inner and the outer digest, each with its block of the key taken in.
private struct Contexts {
    var inner = sha256_ctx()
    var outer = sha256_ctx()

    init(_ key: Span<UInt8>) {
        // Safe: the contexts are initialized before they are used; the block has the 64 bytes of which
        // a longer key's digest fills 32, and is wiped and left in the closure.
        unsafe nettle_sha256_init(&inner)
        unsafe nettle_sha256_init(&outer)
        unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { block in
            unsafe block.initializeMemory(as: UInt8.self, repeating: 0)
            if key.count <= block.count {
                for index in key.indices {
                    unsafe block[index] = key[index]
                }
            } else {
                unsafe digest(key, into: block.baseAddress!.assumingMemoryBound(to: UInt8.self))
            }
            for index in block.indices {
                unsafe block[index] ^= 0x36
            }
            unsafe nettle_sha256_update(&inner, block.count, block.baseAddress)
            for index in block.indices {
                unsafe block[index] ^= 0x36 ^ 0x5C
            }
            unsafe nettle_sha256_update(&outer, block.count, block.baseAddress)
            unsafe explicit_bzero(block.baseAddress!, block.count)
        }
    }
}

/// The digest of bytes, 32 bytes: SHA-256, FIPS 180-4.
package func sha256(_ bytes: Span<UInt8>) -> [UInt8] {
    // Safe: the buffer has the 32 bytes that `digest` writes.
    unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
        unsafe digest(bytes, into: buffer.baseAddress!)
        count = 32
    }
}

extension OutputSpan<UInt8> {
    /// Appends the digest of bytes, 32 bytes for which there must be room: SHA-256, FIPS 180-4.
    package mutating func append(sha256Of bytes: Span<UInt8>) {
        // Safe: there is room for the 32 bytes that `digest` writes.
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            precondition(buffer.count - count >= 32, "there is room for a digest")
            unsafe digest(bytes, into: buffer.baseAddress! + count)
            count += 32
        }
    }
}

/// - Parameter output: Room for 32 bytes.
private func digest(_ bytes: Span<UInt8>, into output: UnsafeMutablePointer<UInt8>) {
    var context = sha256_ctx()
    // Safe: the span's own bytes and count; the output has the 32 bytes that a digest has.
    unsafe bytes.withUnsafeBufferPointer { buffer in
        unsafe nettle_sha256_init(&context)
        unsafe nettle_sha256_update(&context, buffer.count, buffer.baseAddress)
        unsafe nettle_sha256_digest(&context, 32, output)
    }
    unsafe explicit_bzero(&context, MemoryLayout<sha256_ctx>.size)
}
