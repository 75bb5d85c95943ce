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
        let tags = [
            tags.identity, tags.server ?? [], tags.service ?? [], tags.account, tags.accessGroup,
        ]
        let prefix = [UInt8](room: 61 + tags.reduce(0) { $0 + $1.count }) { prefix in
            prefix.append(bigEndian: change)
            prefix.append(bigEndian: id.high)
            prefix.append(bigEndian: id.low)
            prefix.append(bigEndian: itemClass.rawValue.rawValue)
            prefix.append(accessible.rawValue)
            prefix.append(bigEndian: metadataGeneration)
            prefix.append(bigEndian: secretGeneration)
            for tag in tags {
                prefix.append(bigEndian: UInt32(tag.count))
                prefix.append(copying: tag)
            }
            prefix.append(bigEndian: UInt32(attributes.count))
        }
        digest.update(prefix)
        digest.update(attributes)
        digest.update(UInt64(secret.count))
        digest.update(secret)
    }
}
