internal import CSodium
package import LanyardSecrets

/// Derives one key for each use from another key: the keyed digest of a label, with its length, and
/// of the context it is bound to.
package enum KeyDerivation {
    /// Returns a key of 32 bytes for one use.
    ///
    /// - Parameters:
    ///   - key: The key from which it is derived.
    ///   - label: The use.
    ///   - context: The context it is bound to, such as the keychain's id.
    package static func derive(
        _ key: borrowing Secret, label: StaticString, context: Span<UInt8> = Span()
    ) -> Secret {
        withKey(key, label: label, context: context) { Secret(copying: $0) }
    }

    /// Lends a key of 32 bytes for one use to a closure, then wipes it.
    package static func withKey<Result: ~Copyable, Failure: Error>(
        _ key: borrowing Secret, label: StaticString, context: Span<UInt8>,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var derived = InlineArray<32, UInt8>(repeating: 0)
        defer { wipe(&derived) }
        key.withBytes { digest(under: $0, label, context, to: &derived) }
        return try body(derived.span)
    }

    /// Returns a key of 32 bytes made from several others.
    ///
    /// - Parameters:
    ///   - id: The context it is bound to, such as the keychain's id, up to 64 bytes.
    ///   - label: The use.
    ///   - keys: The keys, each preceded by its length: different lists never make the same bytes.
    package static func combine(
        _ keys: borrowing Secret, label: StaticString, id: [UInt8]
    ) -> Secret {
        var combined = InlineArray<32, UInt8>(repeating: 0)
        defer { wipe(&combined) }
        keys.withBytes { digest(under: id.span, label, $0, to: &combined) }
        return Secret(copying: combined.span)
    }

    private static func wipe(_ key: inout InlineArray<32, UInt8>) {
        // Safe: the array's own bytes, which no code reads again.
        unsafe withUnsafeMutableBytes(of: &key) { unsafe sodium_memzero($0.baseAddress!, $0.count) }
    }

    private static func digest(
        under key: Span<UInt8>, _ label: StaticString, _ context: Span<UInt8>,
        to derived: inout InlineArray<32, UInt8>
    ) {
        // Safe: a literal's own bytes, which live as long as the program.
        let text = unsafe Span(
            _unsafeElements: UnsafeBufferPointer(
                start: label.utf8Start, count: label.utf8CodeUnitCount))
        let count = UInt32(text.count).bigEndianBytes
        KeyedDigest.write(under: key, count.span, text, context, to: &derived)
    }
}
