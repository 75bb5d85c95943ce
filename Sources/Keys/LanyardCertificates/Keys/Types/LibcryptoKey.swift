internal import CLibcrypto

/// A key of libcrypto's, which is never changed. The corresponding C type is `EVP_PKEY`.
@safe  // Safe: the key is its own, and freed in `deinit` alone.
final class LibcryptoKey: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes a key over.
    init(owning pointer: OpaquePointer) {
        // Safe: the caller doesn't free it.
        unsafe self.pointer = pointer
    }

    deinit {
        // Safe: the last use.
        unsafe EVP_PKEY_free(pointer)
    }
}
