import KeychainServices

/// Two different values of an attribute, to see what a store makes of it.
struct AttributeSample: Sendable {
    let name: String
    let itemClass: ItemClass
    /// Whether the attribute is part of its class's identity.
    let isIdentity: Bool
    let set: @Sendable (inout ItemAttributes) -> Void
    let setOther: @Sendable (inout ItemAttributes) -> Void

    /// The attribute with the one value.
    var value: ItemAttributes { ItemAttributes(set) }
    /// The attribute with the other value.
    var other: ItemAttributes { ItemAttributes(setOther) }

    init<Value: Sendable>(
        _ name: String, _ itemClass: ItemClass, isIdentity: Bool,
        _ path: any WritableKeyPath<ItemAttributes, Value?> & Sendable, _ value: Value,
        _ other: Value
    ) {
        self.name = "\(itemClass) \(name)"
        self.itemClass = itemClass
        self.isIdentity = isIdentity
        set = { $0[keyPath: path] = value }
        setOther = { $0[keyPath: path] = other }
    }

    /// Every attribute of both classes but the dates, which can't be set, the access control, of
    /// which there is only one kind, and synchronizable, which a query takes elsewhere.
    static let all: [AttributeSample] =
        TextAttribute.all.map {
            AttributeSample(
                $0.name, $0.itemClass, isIdentity: $0.isIdentity, $0.path, "one", "two")
        }
        + passwordClasses.flatMap { itemClass in
            [
                AttributeSample(
                    "accessible", itemClass, isIdentity: false, \.accessible, .always,
                    .afterFirstUnlock),
                AttributeSample(
                    "creator", itemClass, isIdentity: false, \.creator, "lany", "\0\u{1}~ "),
                AttributeSample("type", itemClass, isIdentity: false, \.type, "note", "\0\0\0\0"),
                AttributeSample(
                    "isInvisible", itemClass, isIdentity: false, \.isInvisible, true, false),
                AttributeSample(
                    "isNegative", itemClass, isIdentity: false, \.isNegative, true, false),
            ]
        }
        + [
            AttributeSample(
                "authenticationType", .internetPassword, isIdentity: true, \.authenticationType,
                .httpBasic, .default),
            AttributeSample("port", .internetPassword, isIdentity: true, \.port, 443, 65535),
        ]
}
