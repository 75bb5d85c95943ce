/// An item that is to be added with others.
public final class NewItem: Sendable {
    /// The item's class.
    public let itemClass: ItemClass
    /// The attributes as they were given.
    public let attributes: ItemAttributes
    /// The secret.
    public let secret: Secret
    /// The identity that these make.
    public let identity: ItemIdentity

    /// An item of a class with these attributes and this secret.
    public init(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: consuming Secret
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.secret = secret
        identity = ItemIdentity(itemClass, attributes)
    }
}
