internal import Keychain

/// A row that is ready to be written, its blobs in one piece of memory.
struct SealedRow {
    /// The number of the change that writes it.
    let change: Int64
    /// What it adds to the sum over all rows.
    let digest: RowSet.Digest
    private let itemClass: Int64
    private let accessible: Int64
    private let metadataGeneration: Int64
    private let secretGeneration: Int64
    private let hasServer: Bool
    private let hasService: Bool
    private let secretSize: Int
    private let bytes: [UInt8]

    private static let idSize = 16
    private static let tagSize = 16

    init(_ row: ItemRow, _ keys: UnlockedKeys) {
        change = row.change
        digest = RowSet.digest(row, keys)
        itemClass = Int64(row.itemClass.rawValue.rawValue)
        accessible = Int64(row.accessible.rawValue)
        metadataGeneration = Int64(row.metadataGeneration)
        secretGeneration = Int64(row.secretGeneration)
        hasServer = row.tags.server != nil
        hasService = row.tags.service != nil
        secretSize = row.secret.count
        let size =
            SealedRow.idSize + 5 * SealedRow.tagSize + row.attributes.count + row.secret.count
        bytes = [UInt8](room: size) { bytes in
            bytes.append(bigEndian: row.id.high)
            bytes.append(bigEndian: row.id.low)
            bytes.append(copying: row.tags.identity)
            bytes.append(copying: row.tags.server ?? [])
            bytes.append(copying: row.tags.service ?? [])
            bytes.append(copying: row.tags.account)
            bytes.append(copying: row.tags.accessGroup)
            bytes.append(copying: row.attributes)
            bytes.append(copying: row.secret)
        }
    }

    /// Runs ``ItemRow/insertion`` with the row.
    func write(with statement: borrowing Statement) throws(KeychainError) {
        try statement.bind(change, at: 1)
        try statement.bind(itemClass, at: 3)
        try statement.bind(accessible, at: 4)
        try statement.bind(metadataGeneration, at: 5)
        try statement.bind(secretGeneration, at: 6)
        try statement.run(lending: bytes) { lend throws(KeychainError) in
            try lend(SealedRow.idSize, 2)
            try lend(SealedRow.tagSize, 7)
            try lend(hasServer ? SealedRow.tagSize : nil, 8)
            try lend(hasService ? SealedRow.tagSize : nil, 9)
            try lend(SealedRow.tagSize, 10)
            try lend(SealedRow.tagSize, 11)
            let tags = 3 + (hasServer ? 1 : 0) + (hasService ? 1 : 0)
            try lend(
                bytes.count - SealedRow.idSize - tags * SealedRow.tagSize - secretSize, 12)
            try lend(secretSize, 13)
        }
    }
}
