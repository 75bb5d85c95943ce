import KeychainServices

/// A text attribute of a class.
struct TextAttribute: Sendable {
    let name: String
    let itemClass: ItemClass
    /// Whether the attribute is part of its class's identity.
    let isIdentity: Bool
    let path: any WritableKeyPath<ItemAttributes, ByteString?> & Sendable

    private init(
        _ name: String, _ itemClass: ItemClass,
        _ path: any WritableKeyPath<ItemAttributes, ByteString?> & Sendable, isIdentity: Bool
    ) {
        self.name = name
        self.itemClass = itemClass
        self.path = path
        self.isIdentity = isIdentity
    }

    /// The row's attribute.
    var attribute: Attribute { Attribute(named: ByteString(name))! }

    /// The attributes with this one alone.
    func callAsFunction(_ value: ByteString) -> ItemAttributes {
        ItemAttributes { $0[keyPath: path] = value }
    }

    /// The text attributes of both classes.
    static let all: [TextAttribute] =
        passwordClasses.flatMap { itemClass in
            [
                TextAttribute("accessGroup", itemClass, \.accessGroup, isIdentity: true),
                TextAttribute("account", itemClass, \.account, isIdentity: true),
                TextAttribute("label", itemClass, \.label, isIdentity: false),
                TextAttribute("itemDescription", itemClass, \.itemDescription, isIdentity: false),
                TextAttribute("comment", itemClass, \.comment, isIdentity: false),
            ]
        }
        + [
            TextAttribute("service", .genericPassword, \.service, isIdentity: true),
            TextAttribute("generic", .genericPassword, \.generic, isIdentity: false),
            TextAttribute("securityDomain", .internetPassword, \.securityDomain, isIdentity: true),
            TextAttribute("server", .internetPassword, \.server, isIdentity: true),
            TextAttribute("protocol", .internetPassword, \.protocolText, isIdentity: true),
            TextAttribute("path", .internetPassword, \.path, isIdentity: true),
        ]
}
