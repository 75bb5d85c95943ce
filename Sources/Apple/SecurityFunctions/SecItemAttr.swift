/// The attributes of items in a ``SecKeychainAttributeList``, by their four-character codes. The C
/// type is SecItemAttr.
public enum SecItemAttr: UInt32, Sendable {
    /// When the item was created: `cdat`.
    case creationDateItemAttr = 0x6364_6174
    /// When the item was last changed: `mdat`.
    case modDateItemAttr = 0x6D64_6174
    /// A description of the kind of item: `desc`.
    case descriptionItemAttr = 0x6465_7363
    /// The user's comment: `icmt`.
    case commentItemAttr = 0x6963_6D74
    /// The program that created the item: `crtr`.
    case creatorItemAttr = 0x6372_7472
    /// A type that the creator defines: `type`.
    case typeItemAttr = 0x7479_7065
    /// The item's name as users see it: `labl`.
    case labelItemAttr = 0x6C61_626C
    /// Whether lists omit the item: `invi`.
    case invisibleItemAttr = 0x696E_7669
    /// Whether the item records the absence of a password: `nega`.
    case negativeItemAttr = 0x6E65_6761
    /// The account's name: `acct`.
    case accountItemAttr = 0x6163_6374
    /// The service that the password is for: `svce`.
    case serviceItemAttr = 0x7376_6365
    /// Arbitrary data: `gena`.
    case genericItemAttr = 0x6765_6E61
    /// The security domain: `sdmn`.
    case securityDomainItemAttr = 0x7364_6D6E
    /// The server's name or address: `srvr`.
    case serverItemAttr = 0x7372_7672
    /// How the server checks the login: `atyp`.
    case authenticationTypeItemAttr = 0x6174_7970
    /// The port: `port`.
    case portItemAttr = 0x706F_7274
    /// The path on the server: `path`.
    case pathItemAttr = 0x7061_7468
    /// The protocol: `ptcl`.
    case protocolItemAttr = 0x7074_636C
}

/// The class of an item. The C type is SecItemClass.
public struct SecItemClass: RawRepresentable, Hashable, Sendable {
    /// The four characters as a number, most significant first.
    public let rawValue: UInt32

    /// Creates the class with this code.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// A password for a server: `inet`.
    public static let internetPasswordItemClass = SecItemClass(rawValue: 0x696E_6574)
    /// A password for a service: `genp`.
    public static let genericPasswordItemClass = SecItemClass(rawValue: 0x6765_6E70)
}
