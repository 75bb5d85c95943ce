internal import LanyardCryptography
internal import KeychainServices

/// The authentication of the rows as a set: the sum modulo 2^256 of each row's keyed digest, the
/// number of rows, and the number of the last change. It reveals a row that was removed, repeated
/// or put back from an older file.
struct RowSet: Equatable {
    private var sum = DigestSum()
    private(set) var count: UInt64 = 0
    /// The number of the last change; the first is 1.
    var change: Int64 = 0

    init() {}

    mutating func insert(_ row: ItemRow, _ keys: UnlockedKeys) {
        sum.add(RowSet.digest(row, keys))
        count &+= 1
    }

    mutating func remove(_ row: ItemRow, _ keys: UnlockedKeys) {
        sum.subtract(RowSet.digest(row, keys))
        count &-= 1
    }

    /// Returns the digest of a row.
    ///
    /// It covers the row's numbers (37 bytes: the change, the id, the class, the accessibility and
    /// the generations of the two keys), its tags, the attributes and the secret. A length precedes
    /// each tag and the attributes (4 bytes) and the secret (8 bytes). An absent tag counts as an
    /// empty one.
    ///
    /// - Parameter row: A complete row.
    static func digest(_ row: ItemRow, _ keys: UnlockedKeys) -> InlineArray<32, UInt8> {
        let tags = row.tags
        let all = [
            tags.identity, tags.server ?? [], tags.service ?? [], tags.account, tags.accessGroup,
        ]
        let room = all.reduce(37 + 4) { $0 + 4 + $1.count }
        let prefix = [UInt8](room: room) { prefix in
            prefix.append(bigEndian: row.change)
            prefix.append(bigEndian: row.id.high)
            prefix.append(bigEndian: row.id.low)
            prefix.append(bigEndian: row.itemClass.rawValue.rawValue)
            prefix.append(row.accessible.rawValue)
            prefix.append(bigEndian: row.metadataGeneration)
            prefix.append(bigEndian: row.secretGeneration)
            for tag in all {
                prefix.append(bigEndian: UInt32(tag.count))
                prefix.append(copying: tag)
            }
            prefix.append(bigEndian: UInt32(row.attributes.count))
        }
        let size = UInt64(row.secret.count).bigEndianBytes
        return KeyedDigest.make(
            under: keys.rowSetKey, prefix.span, row.attributes.span, size.span, row.secret.span)
    }

    /// Returns sum (32 bytes), count (8) and last change (8) in a ``SealedBox``.
    func seal(_ keys: UnlockedKeys) throws(KeychainError) -> [UInt8] {
        var writer = ByteWriter()
        sum.append(to: &writer)
        writer.number(count)
        writer.number(change)
        return try SealedBox.seal(
            writer.bytes.span, under: keys.rowSetSumKey,
            associatedData: RowSet.associatedData(keys))
    }

    /// - Throws: ``Status/decode`` if the stored sum is not from this keychain.
    init(opening box: [UInt8], _ keys: UnlockedKeys) throws(KeychainError) {
        let content: [UInt8]
        do throws(KeychainError) {
            let opened = try SealedBox.open(
                box.span, under: keys.rowSetSumKey,
                associatedData: RowSet.associatedData(keys))
            content = opened.withBytes { ByteString(copying: $0).bytes }
        } catch {
            throw KeychainError(
                .decode, "the keychain's list of items is damaged or was tampered with",
                hint: "restore the keychain file from a backup")
        }
        var reader = ByteReader(content)
        sum = try DigestSum(reading: &reader)
        count = try reader.number()
        change = try reader.number()
        try reader.end()
    }

    /// Returns format version (2 bytes), keychain id (16) and the metadata key's generation (4).
    private static func associatedData(_ keys: UnlockedKeys) -> [UInt8] {
        var data = ByteWriter()
        data.number(UInt16(2))
        data.raw(keys.keybag.keychainID)
        data.number(keys.metadata.id.generation)
        return data.bytes
    }
}
