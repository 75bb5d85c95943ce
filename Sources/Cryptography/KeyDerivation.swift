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
        Secret(capacity: 32) { memory in
            let output = memory.baseAddress!.assumingMemoryBound(to: UInt8.self)
            let extract = HMACSHA256(key: salt.span)
            key.withBytes { extract.update($0) }
            extract.finish(into: output)
            // The pseudorandom key stands in the output's place until it is used.
            let pseudorandomKey = UnsafeBufferPointer(start: output, count: 32)
            let expand = HMACSHA256(key: Span(_unsafeElements: pseudorandomKey))
            use.withUTF8Buffer { expand.update(Span(_unsafeElements: $0)) }
            expand.update([1])
            expand.finish(into: output)
            return 32
        }
    }
}
