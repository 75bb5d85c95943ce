internal import Cryptography
internal import KeychainServices

/// What stands in a row beside tags and boxes.
struct RowNumbers {
    /// The number of the change that wrote the row.
    let change: Int64
    let id: ItemID
    let itemClass: ItemClass
    let accessible: Accessibility
    /// The generation of the metadata key.
    let metadataGeneration: UInt32
    /// The generation of the class key.
    let secretGeneration: UInt32

    /// How many bytes ``append(to:)`` appends.
    static let size = 37

    /// Appends the number of the change (8 bytes), the id (16), the class (4), the accessibility (1) and
    /// the generations of the two keys (4 each).
    func append(to output: inout OutputSpan<UInt8>) {
        output.append(bigEndian: change)
        output.append(bigEndian: id.high)
        output.append(bigEndian: id.low)
        output.append(bigEndian: itemClass.rawValue.rawValue)
        output.append(accessible.rawValue)
        output.append(bigEndian: metadataGeneration)
        output.append(bigEndian: secretGeneration)
    }

    /// How many bytes the associated data of a box has at most.
    static let associatedDataRoom = 76

    /// Appends the associated data of one of the boxes: format version (2 bytes), keychain id (16), item
    /// id (16), class (4), accessibility (1), the key's generation (4) and the part (1); for attributes
    /// then the number of the change (8), for a secret the SHA-256 digest of the item's identity (32).
    ///
    /// - Parameters:
    ///   - identity: Nil for attributes.
    ///   - data: Has ``associatedDataRoom``.
    func appendAssociatedData(
        _ part: RowPart, identity: ItemIdentity?, _ keys: UnlockedKeys,
        to data: inout OutputSpan<UInt8>
    ) {
        data.append(bigEndian: UInt16(1))
        data.append(copying: keys.keybag.keychainID)
        data.append(bigEndian: id.high)
        data.append(bigEndian: id.low)
        data.append(bigEndian: itemClass.rawValue.rawValue)
        data.append(accessible.rawValue)
        data.append(bigEndian: part == .attributes ? metadataGeneration : secretGeneration)
        data.append(part.rawValue)
        if let identity {
            data.append(sha256Of: identity.bytes.span)
        } else {
            data.append(bigEndian: change)
        }
    }
}
