/// The kind of an item. It decides which attributes the item may have, and which of them make it
/// unique.
///
/// A class unknown to this version can be named, but is refused with ``Status/noSuchClass``. The
/// corresponding key is kSecClass.
public struct ItemClass: RawRepresentable, Hashable, Sendable {
    /// The four-character code of the class.
    public let rawValue: FourCharacterCode

    /// Creates the class with this code.
    public init(rawValue: FourCharacterCode) {
        self.rawValue = rawValue
    }

    /// A password for a service. The corresponding constant is kSecClassGenericPassword.
    public static let genericPassword = ItemClass(rawValue: "genp")

    /// A password for a server on a network. The corresponding constant is
    /// kSecClassInternetPassword.
    public static let internetPassword = ItemClass(rawValue: "inet")

    /// A certificate; its data is DER. The corresponding constant is kSecClassCertificate.
    public static let certificate = ItemClass(rawValue: "cert")

    /// A key; ``KeyType`` says what its data is. The corresponding constant is kSecClassKey.
    public static let key = ItemClass(rawValue: "keys")

    /// A certificate together with its private key. It is not stored: a ``Keychain`` finds the identities among
    /// its certificates and keys. The corresponding constant is kSecClassIdentity.
    public static let identity = ItemClass(rawValue: "idnt")

    /// The classes of the items that a store has.
    package static let stored: [ItemClass] = [
        .internetPassword, .genericPassword, .certificate, .key,
    ]

    /// Whether the class is one of ``stored``, without the array.
    package var isStored: Bool { self != .identity && classes != nil }

    /// The class as a set, nil if it is unknown.
    var classes: ItemClasses? {
        switch self {
        case .genericPassword: .generic
        case .internetPassword: .internet
        case .certificate: .certificate
        case .key: .key
        case .identity: [.certificate, .key]
        default: nil
        }
    }

    /// The attributes that make an item of this class unique, in the order of its identity: part of
    /// the file format.
    package var primaryKey: [Attribute] {
        switch self {
        case .internetPassword:
            [
                .accessGroup, .synchronizable, .account, .securityDomain, .server, .protocol,
                .authenticationType, .port, .path,
            ]
        case .certificate:
            [.accessGroup, .synchronizable, .certificateType, .issuer, .serialNumber]
        case .key:
            [
                .accessGroup, .synchronizable, .applicationLabel, .applicationTag, .keyClass,
                .keyType, .keySizeInBits, .effectiveKeySize,
            ]
        default: [.accessGroup, .synchronizable, .account, .service]
        }
    }
}

extension ItemClass: CustomStringConvertible {
    /// The four-character code.
    public var description: String { rawValue.description }
}
