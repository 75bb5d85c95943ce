internal import Cryptography
internal import KeychainServices

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

    /// What stands in it beside tags and boxes.
    var numbers: RowNumbers {
        RowNumbers(
            change: change, id: id, itemClass: itemClass, accessible: accessible,
            metadataGeneration: metadataGeneration, secretGeneration: secretGeneration)
    }
}
