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
}
