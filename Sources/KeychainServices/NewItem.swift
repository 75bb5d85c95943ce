/// An item that is to be added.
public final class NewItem: Sendable {
    /// The item's class.
    public let itemClass: ItemClass
    /// The attributes as they were given.
    public let attributes: ItemAttributes
    /// The secret.
    public let secret: Secret
    /// The identity that these make.
    public let identity: ItemIdentity

    /// How many bytes the texts and the secret have.
    package let size: Int
    /// A number that the secret makes, worth nothing in another process.
    package let secretDigest: Int
    /// Whether ``check()`` throws nothing.
    package let isStorable: Bool

    /// An item of a class with these attributes and this secret.
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

    /// Throws what keeps the item from being stored, whatever else it gets.
    ///
    /// - Throws: ``Status/noSuchClass``, ``Status/noSuchAttribute``, ``Status/dataTooLarge``.
    package func check() throws(KeychainError) {
        if !isStorable {
            try attributes.check(for: itemClass)
            try Keychain.check(secret)
        }
    }
}
