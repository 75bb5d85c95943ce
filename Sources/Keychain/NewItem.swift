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

    // What is asked of many items, maybe by another thread, is found out where they are made: there they
    // are in the processor's cache.

    /// How many bytes the texts and the secret have.
    package let size: Int
    /// A number that the secret makes, worth nothing in another process.
    package let secretDigest: Int
    /// The accessibility that the attributes say.
    package let accessible: Accessibility?
    /// Whether nothing is missing of the attributes but the accessibility, nor is anything in them that
    /// would not go with one.
    package let isComplete: Bool
    /// Whether ``check()`` throws nothing.
    package let isStorable: Bool

    /// An item of a class with these attributes and this secret.
    public init(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: consuming Secret
    ) {
        size = secret.count + attributes.textSizes.total
        secretDigest = secret.digest
        do throws(KeychainError) {
            try NewItem.check(itemClass, attributes, secret)
            isStorable = true
        } catch {
            isStorable = false
        }
        self.itemClass = itemClass
        self.attributes = attributes
        self.secret = secret
        identity = ItemIdentity(itemClass, attributes)
        accessible = attributes.accessible
        isComplete =
            attributes.accessGroup != nil && attributes.accessControl == nil
            && attributes.synchronizable != true
    }

    /// Throws what keeps the item from being stored, whatever else it gets.
    private static func check(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, _ secret: borrowing Secret
    ) throws(KeychainError) {
        try attributes.check(for: itemClass)
        try Keychain.check(secret)
    }

    /// Throws what keeps the item from being stored, whatever else it gets.
    ///
    /// - Throws: ``Status/noSuchClass``, ``Status/noSuchAttribute``, ``Status/dataTooLarge``.
    package func check() throws(KeychainError) {
        if !isStorable {
            try NewItem.check(itemClass, attributes, secret)
        }
    }
}
