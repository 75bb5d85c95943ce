internal import CLibcrypto
internal import LanyardSecrets

extension Libcrypto {
    /// Returns a key of a password as OpenSSL's traditional files do: MD5, once. It is weak.
    ///
    /// The corresponding function is `EVP_BytesToKey`.
    static func bytesToKey(
        _ password: borrowing Secret, salt: [UInt8], _ cipher: SymmetricCipher
    ) throws(KeychainError) -> Secret {
        precondition(salt.count >= 8)
        start()
        let count = cipher.keyByteCount
        // Safe: all bytes are read during the call only; the memory has room for the key.
        return try unsafe Secret(capacity: count) { memory throws(KeychainError) in
            let result = unsafe password.withCharacters { password, length in
                unsafe EVP_BytesToKey(
                    cipher.functions, EVP_md5(), salt, password, length, 1,
                    memory.baseAddress?.assumingMemoryBound(to: UInt8.self), nil)
            }
            guard result == count else {
                throw error(.notAvailable, "this libcrypto has no MD5")
            }
            return count
        }
    }
}

extension Secret {
    /// Lends the bytes to a closure as libcrypto takes passwords.
    func withCharacters<Result>(_ body: (UnsafePointer<CChar>?, Int32) -> Result) -> Result {
        withBytes { bytes in
            // Safe: the bytes are lent for the call.
            unsafe bytes.withUnsafeBytes {
                unsafe body($0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
            }
        }
    }
}
