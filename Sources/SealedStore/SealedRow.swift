internal import Keychain

/// A row that is ready to be written, its blobs one after the other among those of other rows.
struct SealedRow {
    /// The number of the change that writes it.
    let change: Int64
    /// What it adds to the sum over all rows.
    let digest: RowSet.Digest
    /// Where its blobs begin.
    let start: Int
    /// How many bytes they have.
    let size: Int
    private let itemClass: Int64
    private let accessible: Int64
    private let metadataGeneration: Int64
    private let secretGeneration: Int64
    private let hasServer: Bool
    private let hasService: Bool
    private let attributesSize: Int
    private let secretSize: Int

    private static let idSize = 16
    private static let tagSize = 16

    /// - Parameter bytes: The blobs of the rows before it, to which its own are added.
    init(_ row: ItemRow, _ keys: UnlockedKeys, blobs bytes: inout [UInt8]) {
        change = row.change
        digest = RowSet.digest(row, keys)
        itemClass = Int64(row.itemClass.rawValue.rawValue)
        accessible = Int64(row.accessible.rawValue)
        metadataGeneration = Int64(row.metadataGeneration)
        secretGeneration = Int64(row.secretGeneration)
        hasServer = row.tags.server != nil
        hasService = row.tags.service != nil
        attributesSize = row.attributes.count
        secretSize = row.secret.count
        start = bytes.count
        row.id.high.appendBigEndianBytes(to: &bytes)
        row.id.low.appendBigEndianBytes(to: &bytes)
        bytes += row.tags.identity
        bytes += row.tags.server ?? []
        bytes += row.tags.service ?? []
        bytes += row.tags.account
        bytes += row.tags.accessGroup
        bytes += row.attributes
        bytes += row.secret
        size = bytes.count - start
    }

    /// Fills the parameters of an insertion in, in the order of ``ItemRow/columns``.
    ///
    /// - Parameters:
    ///   - index: The last parameter of the row before it.
    ///   - lend: Binds the next of the blobs.
    func bind(
        to statement: borrowing Statement, after index: Int32,
        _ lend: (_ size: Int?, _ index: Int32) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try statement.bind(change, at: index + 1)
        try lend(SealedRow.idSize, index + 2)
        try statement.bind(itemClass, at: index + 3)
        try statement.bind(accessible, at: index + 4)
        try statement.bind(metadataGeneration, at: index + 5)
        try statement.bind(secretGeneration, at: index + 6)
        try lend(SealedRow.tagSize, index + 7)
        try lend(hasServer ? SealedRow.tagSize : nil, index + 8)
        try lend(hasService ? SealedRow.tagSize : nil, index + 9)
        try lend(SealedRow.tagSize, index + 10)
        try lend(SealedRow.tagSize, index + 11)
        try lend(attributesSize, index + 12)
        try lend(secretSize, index + 13)
    }
}
