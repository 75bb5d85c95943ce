package import Keychain

/// Keys made from keys, one for each use: HKDF with SHA-256, RFC 5869.
package enum KeyDerivation {
    /// A key of 32 bytes for one use.
    ///
    /// - Parameters:
    ///   - key: The key that it is made from.
    ///   - salt: Random bytes, or the keychain's id.
    ///   - use: What it is for: the `info` of HKDF.
    package static func derive(
        _ key: borrowing Secret, salt: [UInt8], use: StaticString
    ) -> Secret {
        let extract = HMACSHA256(key: salt.span)
        key.withBytes { extract.update($0) }
        let expand = extract.finishKey().withBytes { HMACSHA256(key: $0) }
        expand.update(use.bytes)
        expand.update([1])
        return expand.finishKey()
    }
}
