/// An item to add.
public final class NewItem: Sendable {
    /// The item's class.
    public let itemClass: ItemClass
    /// The attributes as the caller gave them.
    public let attributes: ItemAttributes
    /// The secret.
    public let secret: Secret
    /// The identity of the class and the attributes.
    public let identity: ItemIdentity

    /// The size of the texts and the secret in bytes.
    package let size: Int
    /// A hash of the secret, meaningless in another process.
    package let secretDigest: Int
    /// Whether ``check()`` succeeds.
    package let isStorable: Bool

    /// Creates an item of a class with these attributes and this secret.
    public init(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: consuming Secret
    ) {
        var isStorable = secret.count <= Keychain.secretLimit
        do throws(KeychainError) {
            try attributes.check(for: itemClass)
        } catch {
            isStorable = false
        }
        size = secret.count + attributes.textSizes.total
        secretDigest = secret.digest
        identity = ItemIdentity(itemClass, attributes)
        self.isStorable = isStorable
        self.itemClass = itemClass
        self.attributes = attributes
        self.secret = secret
    }
}
