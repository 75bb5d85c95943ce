package import LanyardSecrets

extension JSONReader {
    /// Reads a secret in Base64.
    package mutating func readBase64Secret() throws(KeychainError) -> Secret {
        let text = try readSecret()
        guard let secret = text.withBytes({ Base64.decode($0) }) else {
            throw KeychainError(.decode, "a string is not Base64")
        }
        return secret
    }

    /// Reads bytes in Base64 that are no secret.
    package mutating func readBase64Bytes() throws(KeychainError) -> [UInt8] {
        try readBase64Secret().withBytes { ByteString(copying: $0).bytes }
    }
}
