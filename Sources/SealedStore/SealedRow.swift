internal import KeychainServices

/// A row that is ready to be written, its blobs one after the other among those of other rows.
struct SealedRow {
    private let numbers: RowNumbers
    /// What it adds to the sum over all rows.
    let digest: RowSet.Digest
    /// Where its blobs begin.
    let start: Int
    private let attributesSize: Int
    private let secretSize: Int

    /// How many bytes an id has.
    static let idSize = 16

    /// A row whose blobs stand there: id, tags, attributes and secret.
    init(
        _ numbers: RowNumbers, _ digest: RowSet.Digest, start: Int, attributesSize: Int,
        secretSize: Int
    ) {
        self.numbers = numbers
        self.digest = digest
        self.start = start
        self.attributesSize = attributesSize
        self.secretSize = secretSize
    }

    /// The number of the change that writes it.
    var change: Int64 { numbers.change }

    /// About how many bytes its blobs have.
    var size: Int { attributesSize + secretSize + SealedRow.idSize + IndexTags.room }

    /// Fills the parameters of an insertion in, in the order of ``ItemRow/columns``.
    ///
    /// - Parameters:
    ///   - index: The last parameter of the row before it.
    ///   - lend: Binds the next of the blobs.
    func bind(
        to statement: borrowing Statement, after index: Int32,
        _ lend: (_ size: Int?, _ index: Int32) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        let tags = IndexTags.fields(of: numbers.itemClass)
        try statement.bind(change, at: index + 1)
        try lend(SealedRow.idSize, index + 2)
        try statement.bind(Int64(numbers.itemClass.rawValue.rawValue), at: index + 3)
        try statement.bind(Int64(numbers.accessible.rawValue), at: index + 4)
        try statement.bind(Int64(numbers.metadataGeneration), at: index + 5)
        try statement.bind(Int64(numbers.secretGeneration), at: index + 6)
        for field in tags.indices {
            try lend(tags[field] ? IndexTags.tagSize : nil, index + 7 + Int32(field))
        }
        try lend(attributesSize, index + 12)
        try lend(secretSize, index + 13)
    }
}
