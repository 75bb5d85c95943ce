public import KeychainServices

/// Reads certificates and keys for a ``Keychain``, with libcrypto.
///
///     let keychain = try Keychain.login().using(CertificateDecoder())
public final class CertificateDecoder: CertificateDecoding {
    /// Creates one; the library starts when it is used.
    public init() {}

    /// Returns what a certificate says of itself.
    public func attributes(
        ofCertificate data: Span<UInt8>
    ) throws(KeychainError) -> ItemAttributes {
        try Certificate(der: data).attributes
    }

    /// Returns what a key says of itself; nil for a symmetric key, and if the data is not such a key.
    public func attributes(
        ofKey data: borrowing Secret, _ keyClass: KeyClass, _ keyType: KeyType
    ) -> ItemAttributes? {
        guard let type = AsymmetricKeyType(rawValue: keyType.rawValue) else {
            return nil
        }
        switch keyClass {
        case .private:
            return (try? PrivateKey(externalRepresentation: data, type: type))?.attributes
        case .public:
            return data.withBytes { bytes in
                (try? PublicKey(externalRepresentation: bytes, type: type))?.attributes
            }
        default: return nil
        }
    }

    /// Returns whether a certificate leads to one of the system's trusted roots.
    public func isTrusted(_ data: Span<UInt8>, on date: Timestamp?) -> Bool {
        guard let certificate = try? Certificate(der: data) else {
            return false
        }
        return CertificateTrust(date: date).isTrusted(certificate)
    }
}
