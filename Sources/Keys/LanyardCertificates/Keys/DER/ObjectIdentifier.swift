internal import LanyardSecrets

/// The content of an object identifier's DER encoding.
struct ObjectIdentifier: Equatable {
    let bytes: [UInt8]

    init(_ bytes: UInt8...) {
        self.bytes = bytes
    }

    /// Whether the bytes are this identifier.
    func equals(_ other: Span<UInt8>) -> Bool {
        ByteString(copying: other).bytes == bytes
    }

    /// 1.2.840.113549.1.1.1
    static let rsaEncryption = Self(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1)
    /// 1.2.840.10045.2.1
    static let ecPublicKey = Self(0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1)
    /// 1.2.840.10045.3.1.7
    static let p256 = Self(0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7)
    /// 1.3.132.0.34
    static let p384 = Self(0x2B, 0x81, 0x04, 0, 34)
    /// 1.3.132.0.35
    static let p521 = Self(0x2B, 0x81, 0x04, 0, 35)
    /// 1.3.101.110
    static let x25519 = Self(0x2B, 0x65, 110)
    /// 1.3.101.112
    static let ed25519 = Self(0x2B, 0x65, 112)
    /// 1.2.840.113549.1.5.13
    static let pbes2 = Self(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 5, 13)
    /// 1.2.840.113549.1.5.14
    static let pbmac1 = Self(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 5, 14)
    /// 1.2.840.113549.1.5.12
    static let pbkdf2 = Self(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 5, 12)
    /// 1.3.6.1.4.1.11591.4.11
    static let scrypt = Self(0x2B, 6, 1, 4, 1, 0xDA, 0x47, 4, 11)
}
