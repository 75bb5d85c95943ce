internal import CNettle
internal import CSodium
internal import Glibc

/// One run of AES-256-GCM, NIST SP 800-38D: the associated data, then the text, each whole, then the
/// tag.
@safe  // Safe: the context is there for as long as the closure that the cipher is lent to runs.
struct AES256GCM: ~Copyable {
    /// How many bytes a key has.
    static let keySize = 32
    /// How many bytes a tag has.
    static let tagSize = 16

    private let context: UnsafeMutablePointer<gcm_aes256_ctx>

    private init(
        _ context: UnsafeMutablePointer<gcm_aes256_ctx>, key: Span<UInt8>, nonce: [UInt8]
    ) {
        precondition(
            key.count == AES256GCM.keySize && nonce.count == Int(GCM_IV_SIZE),
            "a key has 32 bytes and a nonce 12")
        // Safe: `withCipher` alone makes one. These two write all of the context that is read later, and
        // read the 32 bytes of a key and as many of the nonce as they are told.
        unsafe self.context = context
        unsafe key.withUnsafeBufferPointer {
            unsafe nettle_gcm_aes256_set_key(context, $0.baseAddress)
        }
        unsafe nettle_gcm_aes256_set_iv(context, nonce.count, nonce)
    }

    /// Lends a cipher to a closure, and overwrites what it knew of the key then.
    ///
    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - nonce: 12 bytes, never twice with the same key.
    static func withCipher<Result: ~Copyable>(
        key: Span<UInt8>, nonce: [UInt8], _ body: (borrowing AES256GCM) -> Result
    ) -> Result {
        // On the stack: 4 KB that are needed for an instant cost malloc much of what a short text does.
        var context = gcm_aes256_ctx()
        // Safe: it has as many bytes, and nobody reads it again.
        defer { unsafe explicit_bzero(&context, MemoryLayout<gcm_aes256_ctx>.size) }
        // Safe: the context is there for the closure.
        return unsafe withUnsafeMutablePointer(to: &context) { context in
            unsafe body(AES256GCM(context, key: key, nonce: nonce))
        }
    }

    /// Takes in the associated data.
    borrowing func authenticate(_ associatedData: Span<UInt8>) {
        // Safe: the span's own bytes and count.
        unsafe associatedData.withUnsafeBufferPointer {
            unsafe nettle_gcm_aes256_update(context, $0.count, $0.baseAddress)
        }
    }

    /// Puts the ciphertext in the place of a plaintext.
    borrowing func encrypt(_ text: UnsafeMutableBufferPointer<UInt8>) {
        // Safe: the buffer's own bytes and count; Nettle takes the same place for both.
        unsafe nettle_gcm_aes256_encrypt(
            context, text.count, text.baseAddress, text.baseAddress)
        wipeStack()
    }

    /// - Parameter plaintext: Room for as many bytes as the ciphertext has. They may not be used before
    ///   ``isTag(_:)`` says so.
    borrowing func decrypt(_ ciphertext: Span<UInt8>, into plaintext: UnsafeMutablePointer<UInt8>) {
        // Safe: the span's own bytes and count, for which the caller has room.
        unsafe ciphertext.withUnsafeBufferPointer {
            unsafe nettle_gcm_aes256_decrypt(context, $0.count, plaintext, $0.baseAddress)
        }
        wipeStack()
    }

    /// Overwrites what Nettle leaves there of what the text was combined with: of a last block that is not
    /// whole, and of all where the output does not lie at a multiple of 8.
    private borrowing func wipeStack() {
        sodium_stackzero(2048)
    }

    /// Writes the tag of all that was taken in; called once, at the end.
    ///
    /// - Parameter tag: Room for 16 bytes.
    borrowing func finish(tag: UnsafeMutablePointer<UInt8>) {
        // Safe: the tag has its 16 bytes.
        unsafe nettle_gcm_aes256_digest(context, AES256GCM.tagSize, tag)
    }

    /// Whether a tag is that of all that was taken in, in a time that does not depend on it; called
    /// once, at the end.
    borrowing func isTag(_ tag: Span<UInt8>) -> Bool {
        var expected = InlineArray<16, UInt8>(repeating: 0)
        // Safe: each has the 16 bytes that are written and compared.
        return unsafe withUnsafeMutableBytes(of: &expected) { expected in
            unsafe finish(tag: expected.baseAddress!.assumingMemoryBound(to: UInt8.self))
            return unsafe tag.withUnsafeBytes {
                unsafe $0.count == expected.count
                    && nettle_memeql_sec($0.baseAddress, expected.baseAddress, expected.count) == 1
            }
        }
    }
}
