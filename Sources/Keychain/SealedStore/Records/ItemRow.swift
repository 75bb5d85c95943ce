internal import LanyardCryptography
internal import KeychainServices

/// A row of the table `item`, with its parts encrypted as stored.
struct ItemRow {
    /// The number of the change that wrote the row: greater than that of every earlier change.
    var change: Int64
    var id: ItemID
    var itemClass: ItemClass
    var accessible: Accessibility
    /// The generation of the metadata key that encrypts the attributes.
    var metadataGeneration: UInt32
    /// The generation of the class key that encrypts the secret.
    var secretGeneration: UInt32
    var tags: IndexTags
    /// The attributes in a ``SealedBox``.
    var attributes: [UInt8]
    /// The secret in a ``SealedBox``.
    var secret: [UInt8] {
        didSet { secretNonce = Array(secret.prefix(SealedBox.nonceSize)) }
    }
    /// The beginning of the secret's box, to which the attributes' box is bound; known before the
    /// secret is read.
    var secretNonce: [UInt8]

    var reference: ItemReference { ItemReference(itemClass: itemClass, id: id) }

    /// The id of the class key that encrypts the secret.
    var secretKeyID: ClassKeyID {
        ClassKeyID(keyClass: .secrets(accessible), generation: secretGeneration)
    }

    /// A box of a row, or one that an access control adds inside the secret's.
    enum Box: UInt8 {
        case attributes = 1
        case secret = 2
        /// The secret's box with those of an access control in it. Its number differs: without it,
        /// forged attributes could make an inner box pass for a secret.
        case controlledSecret = 5
        /// Under the key of ``ProtectionClass/presence``.
        case presence = 3
        /// Under the application's password.
        case application = 4
    }

    /// Returns the associated data of one of the boxes.
    ///
    /// It has format version (2 bytes), keychain id (16), item id (16), class (4), accessibility
    /// (1), the generation of the class key (4; 0 for the boxes of an access control, which outlive
    /// it) and the box's number (1). Attributes add the number of the change (8) and the nonce of
    /// the secret's box (24). All others add the digest of the item's identity (32).
    ///
    /// - Parameter identity: Nil for attributes.
    func associatedData(
        of box: Box, keychainID: [UInt8], _ identity: ItemIdentity? = nil
    ) -> [UInt8] {
        [UInt8](room: 76) { data in
            data.append(bigEndian: UInt16(2))
            data.append(copying: keychainID)
            data.append(bigEndian: id.high)
            data.append(bigEndian: id.low)
            data.append(bigEndian: itemClass.rawValue.rawValue)
            data.append(accessible.rawValue)
            switch box {
            case .attributes: data.append(bigEndian: metadataGeneration)
            case .secret, .controlledSecret: data.append(bigEndian: secretGeneration)
            case .presence, .application: data.append(bigEndian: UInt32(0))
            }
            data.append(box.rawValue)
            if let identity {
                data.append(copying: KeyedDigest.plain(identity.bytes.span))
            } else {
                data.append(bigEndian: change)
                data.append(copying: secretNonce)
            }
        }
    }
}
