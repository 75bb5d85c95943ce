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

    /// The class as a set, nil if its items can't be stored.
    var classes: ItemClasses? {
        switch self {
        case .genericPassword: .generic
        case .internetPassword: .internet
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
        default: [.accessGroup, .synchronizable, .account, .service]
        }
    }
}

extension ItemClass: CustomStringConvertible {
    /// The four-character code.
    public var description: String { rawValue.description }
}
