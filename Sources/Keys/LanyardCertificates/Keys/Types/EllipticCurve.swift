internal import CLibcrypto

/// One of the curves of SEC 2 and FIPS 186 that Keychain Services has.
enum EllipticCurve: CaseIterable {
    case p256, p384, p521

    /// The number of bits of a private key.
    var sizeInBits: Int {
        switch self {
        case .p256: 256
        case .p384: 384
        case .p521: 521
        }
    }

    /// The number of bytes of a coordinate, and of a private key.
    var byteCount: Int { (sizeInBits + 7) / 8 }

    /// The number of bytes of an uncompressed point.
    var pointByteCount: Int { 1 + 2 * byteCount }

    /// The curve with keys of this size, nil for other sizes.
    init?(sizeInBits: Int) {
        guard let curve = Self.allCases.first(where: { $0.sizeInBits == sizeInBits }) else {
            return nil
        }
        self = curve
    }

    /// The curve with this object identifier, nil if it is another one's.
    init?(identifier: Span<UInt8>) {
        guard let curve = Self.allCases.first(where: { $0.identifier.equals(identifier) }) else {
            return nil
        }
        self = curve
    }

    var identifier: ObjectIdentifier {
        switch self {
        case .p256: .p256
        case .p384: .p384
        case .p521: .p521
        }
    }

    /// libcrypto's name for the curve.
    var name: StaticString {
        switch self {
        case .p256: "P-256"
        case .p384: "P-384"
        case .p521: "P-521"
        }
    }

    /// libcrypto's number for the curve.
    var number: Int32 {
        switch self {
        case .p256: NID_X9_62_prime256v1
        case .p384: NID_secp384r1
        case .p521: NID_secp521r1
        }
    }
}
