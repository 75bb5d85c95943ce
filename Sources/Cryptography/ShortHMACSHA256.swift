internal import CNettle
internal import Glibc

/// A keyed digest of a text that fits into one block with its padding, under a key that fits into
/// one, as HKDF needs four of for each sealed box: HMAC with SHA-256, RFC 2104.
///
/// Both blocks are handed over at once, and the padding of FIPS 180-4 stands there already. Nothing is
/// allocated.
struct ShortHMACSHA256: ~Copyable {
    /// How many bytes a key may have.
    static let keyLimit = 64
    /// How many bytes a text may have: a block without a bit and a length of 8 bytes.
    static let textLimit = 55

    private var context = sha256_ctx()
    /// A block of the key and one of the text.
    private var blocks = InlineArray<16, UInt64>(repeating: 0)
    private var textCount = 0

    /// Begins a digest under a key of up to ``keyLimit`` bytes.
    mutating func begin(key: Span<UInt8>) {
        precondition(key.count <= ShortHMACSHA256.keyLimit, "the key fits into a block")
        blocks = InlineArray(repeating: 0)
        textCount = 0
        write(key, at: 0)
        for index in 0..<8 {
            blocks[index] ^= 0x3636_3636_3636_3636
        }
    }

    /// Takes in more bytes, ``textLimit`` of them in all.
    mutating func update(_ bytes: Span<UInt8>) {
        precondition(
            bytes.count <= ShortHMACSHA256.textLimit - textCount, "the text fits into a block")
        write(bytes, at: 64 + textCount)
        textCount += bytes.count
    }

    /// The digest of all that was taken in.
    mutating func finish(into digest: inout InlineArray<32, UInt8>) {
        write([0x80].span, at: 64 + textCount)
        blocks[15] = UInt64((64 + textCount) * 8).bigEndian
        digestBlocks()
        for index in 0..<8 {
            blocks[index] ^= 0x3636_3636_3636_3636 ^ 0x5C5C_5C5C_5C5C_5C5C
        }
        for index in 12..<15 {
            blocks[index] = 0
        }
        // Safe: the text's block has more than 32 bytes, and the digest as many.
        unsafe withUnsafeMutableBytes(of: &blocks) {
            unsafe ShortHMACSHA256.write(&context, to: $0.baseAddress! + 64)
        }
        write([0x80].span, at: 64 + 32)
        blocks[15] = UInt64((64 + 32) * 8).bigEndian
        digestBlocks()
        unsafe withUnsafeMutableBytes(of: &digest) {
            unsafe ShortHMACSHA256.write(&context, to: $0.baseAddress!)
        }
    }

    /// Overwrites what is left of keys; nothing is to be done with the digest after that.
    mutating func wipe() {
        // Safe: each has as many bytes.
        unsafe explicit_bzero(&context, MemoryLayout.size(ofValue: context))
        unsafe explicit_bzero(&blocks, MemoryLayout.size(ofValue: blocks))
    }

    private mutating func write(_ bytes: Span<UInt8>, at offset: Int) {
        // Safe: the callers see to it that the bytes end within the blocks.
        unsafe withUnsafeMutableBytes(of: &blocks) { blocks in
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: blocks[offset...])
            unsafe bytes.withUnsafeBytes { unsafe rest.copyMemory(from: $0) }
        }
    }

    private mutating func digestBlocks() {
        // Safe: the context is initialized first, and the blocks have as many bytes. Whole blocks are
        // digested at once: nothing of them is left for the end.
        unsafe nettle_sha256_init(&context)
        unsafe nettle_sha256_update(&context, MemoryLayout.size(ofValue: blocks), &blocks)
    }

    /// - Parameter output: Room for the digest's 32 bytes. They are a key: no copy of them is made.
    private static func write(_ context: inout sha256_ctx, to output: UnsafeMutableRawPointer) {
        // Safe: the state has eight words of 4 bytes.
        unsafe withUnsafeBytes(of: &context.state) { state in
            for offset in stride(from: 0, to: 32, by: 4) {
                let word = unsafe state.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                unsafe output.storeBytes(
                    of: word.bigEndian, toByteOffset: offset, as: UInt32.self)
            }
        }
    }
}
