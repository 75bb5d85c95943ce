/// The form of a file with keys and certificates. The C type is SecExternalFormat.
///
/// What says so can't be read or written here: errSecUnimplemented.
public enum SecExternalFormat: UInt32, Sendable {
    /// Whichever fits: kSecFormatUnknown.
    case formatUnknown = 0
    /// A key as OpenSSL has it: PKCS #1, SEC 1 or PKCS #8, and SubjectPublicKeyInfo.
    case formatOpenSSL = 1
    /// A key of SSH 1, which can't be written here.
    case formatSSH = 2
    /// An RSA key in PKCS #1.
    case formatBSAFE = 3
    /// The bytes of a symmetric key.
    case formatRawKey = 4
    /// A private key in PKCS #8 with a passphrase.
    case formatWrappedPKCS8 = 5
    /// A private key in OpenSSL's older encryption, which can't be written here.
    case formatWrappedOpenSSL = 6
    /// A key of SSH 1 with a passphrase, which can't be written here.
    case formatWrappedSSH = 7
    /// A key of lsh, which can't be written here.
    case formatWrappedLSH = 8
    /// A certificate, DER.
    case formatX509Cert = 9
    /// Certificates and keys, PEM.
    case formatPEMSequence = 10
    /// Certificates in PKCS #7, which can't be written here.
    case formatPKCS7 = 11
    /// A private key with its certificates and a passphrase.
    case formatPKCS12 = 12
    /// Certificates as Netscape had them, which can't be written here.
    case formatNetscapeCertSequence = 13
    /// A public key as OpenSSH has it.
    case formatSSHv2 = 14
}

/// What a file has. The C type is SecExternalItemType.
public enum SecExternalItemType: UInt32, Sendable {
    /// Not known yet.
    case itemTypeUnknown = 0
    /// A private key.
    case itemTypePrivateKey = 1
    /// A public key.
    case itemTypePublicKey = 2
    /// A symmetric key.
    case itemTypeSessionKey = 3
    /// A certificate.
    case itemTypeCertificate = 4
    /// Several of these.
    case itemTypeAggregate = 5
}

/// How to write a file. The C type is SecItemImportExportFlags.
public struct SecItemImportExportFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Creates a set from its bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// As PEM: kSecItemPemArmour.
    public static let pemArmour = SecItemImportExportFlags(rawValue: 1)
}

/// How to treat a private key. The C type is SecKeyImportExportFlags.
public struct SecKeyImportExportFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Creates a set from its bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Only the first private key: kSecKeyImportOnlyOne.
    public static let importOnlyOne = SecKeyImportExportFlags(rawValue: 1)
    /// Ask for the passphrase, which is errSecUnimplemented: kSecKeySecurePassphrase.
    public static let securePassphrase = SecKeyImportExportFlags(rawValue: 2)
    /// No access control, as always here: kSecKeyNoAccessControl.
    public static let noAccessControl = SecKeyImportExportFlags(rawValue: 4)
}
