internal import Glibc
package import Secrets

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
        withKey(key, salt: salt.span, use: use) { Secret(copying: $0) }
    }

    /// Lends a key of 32 bytes for one use to a closure, and wipes it then.
    static func withKey<Result: ~Copyable, Failure: Error>(
        _ key: borrowing Secret, salt: Span<UInt8>, use: StaticString,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var derived = InlineArray<32, UInt8>(repeating: 0)
        // Safe: it has as many bytes, and nobody reads it again.
        defer { unsafe explicit_bzero(&derived, MemoryLayout.size(ofValue: derived)) }
        derive(key, salt, use, into: &derived)
        return try body(derived.span)
    }

    private static func derive(
        _ key: borrowing Secret, _ salt: Span<UInt8>, _ use: StaticString,
        into derived: inout InlineArray<32, UInt8>
    ) {
        // Safe: a literal's own bytes, which live as long as the program.
        let use = unsafe Span(
            _unsafeElements: UnsafeBufferPointer(
                start: use.utf8Start, count: use.utf8CodeUnitCount))
        if salt.count <= ShortHMACSHA256.keyLimit, key.count <= ShortHMACSHA256.textLimit,
            use.count < ShortHMACSHA256.textLimit
        {
            var digest = ShortHMACSHA256()
            digest.begin(key: salt)
            key.withBytes { digest.update($0) }
            digest.finish(into: &derived)
            digest.begin(key: derived.span)
            digest.update(use)
            digest.update([1].span)
            digest.finish(into: &derived)
            digest.wipe()
        } else {
            let extract = HMACSHA256(key: salt)
            key.withBytes { extract.update($0) }
            extract.finish(into: &derived)
            let expand = HMACSHA256(key: derived.span)
            expand.update(use)
            expand.update([1].span)
            expand.finish(into: &derived)
        }
    }
}
