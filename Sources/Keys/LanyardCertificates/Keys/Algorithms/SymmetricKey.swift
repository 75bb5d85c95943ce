internal import CLibcrypto
public import LanyardSecrets

/// An AES key that wraps other keys. The corresponding class is kSecAttrKeyClassSymmetric.
public struct SymmetricKey: ~Copyable, Sendable {
    /// How a key is wrapped.
    public enum Wrapping: Sendable, CaseIterable {
        /// Keys of a multiple of 8 bytes, at least 16: RFC 3394.
        case aesKeyWrap
        /// Keys of any length but 0: RFC 5649.
        case aesKeyWrapWithPadding
    }

    /// The most bytes that are wrapped: 1 MiB.
    public static let wrappingLimit = 1 << 20

    private let bytes: Secret

    /// Creates a key of 16, 24 or 32 bytes.
    ///
    /// - Throws: ``Status/keySizeNotAllowed``.
    public init(_ bytes: consuming Secret) throws(KeychainError) {
        guard [16, 24, 32].contains(bytes.count) else {
            throw KeychainError.keySizeNotAllowed
        }
        self.bytes = bytes
    }

    /// Generates a key of 128, 192 or 256 bits.
    ///
    /// - Throws: ``Status/keySizeNotAllowed``.
    ///
    /// The corresponding function is SecKeyGenerateSymmetric.
    public init(generatingSizeInBits size: Int) throws(KeychainError) {
        guard [128, 192, 256].contains(size) else {
            throw KeychainError.keySizeNotAllowed
        }
        bytes = try Secret.random(size / 8)
    }

    /// The number of bits.
    public var sizeInBits: Int { bytes.count * 8 }

    /// Returns a key wrapped.
    ///
    /// - Throws: ``Status/param`` for a length that the wrapping doesn't have.
    ///
    /// The corresponding function is SecKeyWrapSymmetric. RFC 3394, RFC 5649.
    public func wrap(
        _ key: borrowing Secret, _ wrapping: Wrapping
    ) throws(KeychainError) -> [UInt8] {
        let isPadded = wrapping == .aesKeyWrapWithPadding
        guard key.count <= Self.wrappingLimit,
            isPadded ? key.count > 0 : key.count >= 16 && key.count % 8 == 0
        else {
            throw KeychainError(.param, "a key of this length can't be wrapped")
        }
        return try key.withBytes { key throws(KeychainError) in
            try apply(.encrypt, key, wrapping, .param).publicBytes()
        }
    }

    /// Returns a wrapped key.
    ///
    /// - Throws: ``Status/decode`` if another key wrapped it, or it is damaged.
    ///
    /// The corresponding function is SecKeyUnwrapSymmetric. RFC 3394, RFC 5649.
    public func unwrap(
        _ wrapped: Span<UInt8>, _ wrapping: Wrapping
    ) throws(KeychainError) -> Secret {
        let least = wrapping == .aesKeyWrapWithPadding ? 16 : 24
        guard (least...Self.wrappingLimit + 16).contains(wrapped.count), wrapped.count % 8 == 0
        else {
            throw .cantDecrypt
        }
        return try apply(.decrypt, wrapped, wrapping, KeychainError.cantDecrypt.status)
    }

    private func apply(
        _ direction: SymmetricCipher.Direction, _ input: Span<UInt8>, _ wrapping: Wrapping,
        _ status: Status
    ) throws(KeychainError) -> Secret {
        // Safe: the key has as many bytes as the cipher needs.
        try unsafe SymmetricCipher.apply(
            functions(wrapping), direction, input, key: bytes, vector: Span(), isPadded: false,
            wrong: KeychainError(status, KeychainError.cantDecrypt.reason))
    }

    private func functions(_ wrapping: Wrapping) -> OpaquePointer? {
        // Safe: constants that live as long as the program.
        switch (wrapping, bytes.count) {
        case (.aesKeyWrap, 16): unsafe EVP_aes_128_wrap()
        case (.aesKeyWrap, 24): unsafe EVP_aes_192_wrap()
        case (.aesKeyWrap, _): unsafe EVP_aes_256_wrap()
        case (.aesKeyWrapWithPadding, 16): unsafe EVP_aes_128_wrap_pad()
        case (.aesKeyWrapWithPadding, 24): unsafe EVP_aes_192_wrap_pad()
        case (.aesKeyWrapWithPadding, _): unsafe EVP_aes_256_wrap_pad()
        }
    }
}
