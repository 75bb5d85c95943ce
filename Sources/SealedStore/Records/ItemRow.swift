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
    var secret: [UInt8] {
        didSet { secretNonce = Array(secret.prefix(SealedBox.nonceSize)) }
    }
    /// What the secret's box begins with, which the attributes' box is bound to; known before the secret
    /// is read.
    var secretNonce: [UInt8]

    /// What stands in it beside tags and boxes.
    var numbers: RowNumbers {
        RowNumbers(
            change: change, id: id, itemClass: itemClass, accessible: accessible,
            metadataGeneration: metadataGeneration, secretGeneration: secretGeneration)
    }
}

extension ItemRow {
    /// How many bytes the associated data of a box has.
    static let associatedDataSize = 76

    /// Appends the associated data of one of the boxes: format version (2 bytes), keychain id (16), item
    /// id (16), class (4), accessibility (1), the key's generation (4) and the part (1); for attributes
    /// then the number of the change (8) and the nonce of the secret's box (24), for a secret the digest of
    /// the item's identity (32).
    ///
    /// - Parameters:
    ///   - identity: Nil for attributes.
    ///   - data: Has room for ``associatedDataSize``.
    func appendAssociatedData(
        _ part: RowPart, identity: ItemIdentity?, _ keys: UnlockedKeys,
        to data: inout OutputSpan<UInt8>
    ) {
        data.append(bigEndian: UInt16(2))
        data.append(copying: keys.keybag.keychainID)
        data.append(bigEndian: id.high)
        data.append(bigEndian: id.low)
        data.append(bigEndian: itemClass.rawValue.rawValue)
        data.append(accessible.rawValue)
        data.append(bigEndian: part == .attributes ? metadataGeneration : secretGeneration)
        data.append(part.rawValue)
        if let identity {
            data.append(copying: KeyedDigest.plain(identity.bytes.span))
        } else {
            data.append(bigEndian: change)
            data.append(copying: secretNonce)
        }
    }
}
