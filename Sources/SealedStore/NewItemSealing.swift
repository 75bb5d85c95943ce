internal import Cryptography
internal import KeychainServices

/// Seals new items, one after the other, where the blobs of their rows are to stand.
struct NewItemSealing: ~Copyable {
    private let keys: UnlockedKeys
    private let classKeys: [ClassKey]
    private let now: Timestamp
    private let index: BlindIndex
    private var boxes = SealedBox.Line()

    /// - Parameters:
    ///   - keys: What several threads use of them never changes.
    ///   - now: When items are made that do not say it.
    init(_ keys: UnlockedKeys, _ classKeys: [ClassKey], now: Timestamp) {
        self.keys = keys
        self.classKeys = classKeys
        self.now = now
        index = BlindIndex(keys, LastTags())
    }

    /// Seals an item.
    ///
    /// - Parameters:
    ///   - change: The number of the change that writes its row.
    ///   - blobs: To which those of the row are added.
    /// - Throws: ``Status/io`` where the system gives no random numbers.
    mutating func seal(
        _ entry: borrowing SealingGroup.Entry, change: Int64, into blobs: inout BlobBuffer
    ) throws(KeychainError) -> SealedRow {
        // Where plaintexts are written nothing may fail.
        try boxes.prepare(boxes: 2)
        let item = entry.item
        let classKey = classKeys[entry.classKey]
        let numbers = RowNumbers(
            change: change, id: entry.id, itemClass: item.itemClass, accessible: entry.accessible,
            metadataGeneration: keys.metadata.id.generation,
            secretGeneration: classKey.id.generation)
        let start = blobs.count
        var attributesStart = 0
        var secretStart = 0
        blobs.append(room: NewItemSealing.room(for: item)) { blobs in
            blobs.append(bigEndian: numbers.id.high)
            blobs.append(bigEndian: numbers.id.low)
            index.appendTags(item.itemClass, item.attributes, item.identity, to: &blobs)
            attributesStart = start + blobs.count
            append(item.attributes, numbers, to: &blobs)
            secretStart = start + blobs.count
            appendSecret(of: item, numbers, under: classKey, to: &blobs)
        }
        let all = blobs.bytes.span
        let attributes = all.extracting(attributesStart..<secretStart)
        let secret = all.extracting(secretStart..<blobs.count)
        let digest = RowSet.digest(
            numbers, tagsRoom: IndexTags.room, attributes: attributes, secret: secret, keys
        ) { prefix in
            let tags = all.extracting((start + SealedRow.idSize)..<attributesStart)
            NewItemSealing.appendTags(tags, numbers.itemClass, to: &prefix)
        }
        return SealedRow(
            numbers, digest, start: start, attributesSize: attributes.count,
            secretSize: secret.count)
    }

    /// How many bytes the blobs have at most.
    private static func room(for item: NewItem) -> Int {
        SealedRow.idSize + IndexTags.room + 2 * SealedBox.overhead
            + Padding.bucket(AttributesCoding.room(texts: item.size - item.secret.count))
            + Padding.bucket(item.secret.count)
    }

    private mutating func append(
        _ attributes: ItemAttributes, _ numbers: RowNumbers, to blobs: inout OutputSpan<UInt8>
    ) {
        let dates = ItemDates(of: attributes, now: now)
        appendBox(numbers, .attributes, identity: nil, under: keys.metadata.key, to: &blobs) {
            AttributesCoding.append(attributes, dates, to: &$0)
        }
    }

    private mutating func appendSecret(
        of item: NewItem, _ numbers: RowNumbers, under classKey: ClassKey,
        to blobs: inout OutputSpan<UInt8>
    ) {
        appendBox(numbers, .secret, identity: item.identity, under: classKey.key, to: &blobs) {
            item.secret.append(to: &$0)
        }
    }

    /// - Parameter plaintext: Appends what is padded and sealed.
    private mutating func appendBox(
        _ numbers: RowNumbers, _ part: RowPart, identity: ItemIdentity?,
        under key: borrowing Secret, to blobs: inout OutputSpan<UInt8>,
        _ plaintext: (inout OutputSpan<UInt8>) -> Void
    ) {
        OutputSpan.temporary(room: RowNumbers.associatedDataRoom) {
            numbers.appendAssociatedData(part, identity: identity, keys, to: &$0)
        } _: { associatedData in
            boxes.append(
                to: &blobs, under: key, use: part.use, associatedData: associatedData
            ) {
                Padding.append(to: &$0, plaintext)
            }
        }
    }

    /// Appends the tags of a row, each with its length before it.
    private static func appendTags(
        _ tags: Span<UInt8>, _ itemClass: ItemClass, to output: inout OutputSpan<UInt8>
    ) {
        let has = IndexTags.fields(of: itemClass)
        var position = 0
        for field in has.indices {
            let size = has[field] ? IndexTags.tagSize : 0
            output.append(bigEndian: UInt32(size))
            output.append(copying: tags.extracting(position..<(position + size)))
            position += size
        }
    }
}
