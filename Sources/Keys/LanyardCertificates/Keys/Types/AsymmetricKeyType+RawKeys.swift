internal import CLibcrypto
internal import LanyardSecrets

extension AsymmetricKeyType {
    /// Returns a new key of its 32 bytes.
    func makeRawKey(_ bytes: Span<UInt8>, isPrivate: Bool) throws(KeychainError) -> LibcryptoKey {
        Libcrypto.start()
        let number = self == .ed25519 ? EVP_PKEY_ED25519 : EVP_PKEY_X25519
        // Safe: the bytes are read during the call only.
        let make = unsafe isPrivate ? EVP_PKEY_new_raw_private_key : EVP_PKEY_new_raw_public_key
        let key = unsafe bytes.withUnsafeBufferPointer {
            unsafe make(number, nil, $0.baseAddress, $0.count)
        }
        guard let key = unsafe key else {
            throw Libcrypto.error(.invalidKeyFormat)
        }
        return unsafe LibcryptoKey(owning: key)
    }
}

extension PublicKey {
    /// Returns the 32 bytes of the public key of a private one.
    static func rawBytes(of privateKey: LibcryptoKey) throws(KeychainError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 32)
        var count = bytes.count
        // Safe: there is room for the 32 bytes.
        try Libcrypto.check(
            unsafe EVP_PKEY_get_raw_public_key(privateKey.pointer, &bytes, &count),
            .invalidKeyFormat)
        return bytes
    }
}
