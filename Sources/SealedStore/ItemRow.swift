internal import Cryptography
internal import Keychain

/// A row of the table `item`, sealed as it is stored.
struct ItemRow {
    /// The number of the change that wrote the row: greater than that of every earlier change.
    var change: Int64
    var id: ItemID
    var itemClass: ItemClass
    var accessible: Accessibility
    /// The generation of the metadata key that seals the attributes.
    var metadataGeneration: UInt32
    /// The generation of the class key that seals the secret.
    var secretGeneration: UInt32
    var tags: IndexTags
    /// The attributes in a ``SealedBox``.
    var attributes: [UInt8]
    /// The secret in a ``SealedBox``.
    var secret: [UInt8]

    /// Everything in the row, unambiguously: what the sum over all rows is taken of.
    func authenticate(into digest: borrowing HMACSHA256) {
        var prefix = ByteWriter(capacity: 160)
        prefix.number(change)
        prefix.raw(id.bytes)
        prefix.number(itemClass.rawValue.rawValue)
        prefix.number(accessible.rawValue)
        prefix.number(metadataGeneration)
        prefix.number(secretGeneration)
        prefix.counted(tags.identity)
        prefix.counted(tags.server ?? [])
        prefix.counted(tags.service ?? [])
        prefix.counted(tags.account)
        prefix.counted(tags.accessGroup)
        prefix.number(UInt32(attributes.count))
        digest.update(prefix.bytes)
        digest.update(attributes)
        digest.update(UInt64(secret.count))
        digest.update(secret)
    }
}
