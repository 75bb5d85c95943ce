internal import LanyardCryptography
internal import LanyardSecrets

/// The changes of a device that count after it lost the right to make more. It still has its keys, and could
/// sign other changes with the same numbers: these are named one by one.
package struct LastChanges: Hashable, Sendable {
    /// The number of the last one.
    let counter: UInt64
    /// The sum that its head has to have.
    let changes: DigestSum
    /// The tags of those that count.
    let tags: Set<Identifier>
    /// The highest number of a change of it that a version names: those of the others that name it are no lies.
    let named: UInt64

    /// Those of a device that never made a change.
    static let none = LastChanges(counter: 0, changes: DigestSum(), tags: [], named: 0)

    init(counter: UInt64, changes: DigestSum, tags: Set<Identifier>, named: UInt64) {
        self.counter = counter
        self.changes = changes
        self.tags = tags
        self.named = named
    }

    func append(to writer: inout ByteWriter) {
        writer.number(counter)
        changes.append(to: &writer)
        writer.number(UInt32(tags.count))
        for tag in tags.sorted() {
            writer.raw(tag.bytes)
        }
        writer.number(named)
    }

    /// Reads changes.
    ///
    /// - Throws: ``Status/decode`` for anything that ``append(to:)`` does not write.
    init(reading reader: inout ByteReader) throws(KeychainError) {
        counter = try reader.number()
        changes = try DigestSum(reading: &reader)
        var tags: Set<Identifier> = []
        var last: Identifier?
        for _ in 0..<(try reader.number(UInt32.self)) {
            let tag = try Identifier(reading: &reader)
            if let last, last >= tag {
                throw KeychainError(.decode)
            }
            tags.insert(tag)
            last = tag
        }
        self.tags = tags
        named = try reader.number()
        guard counter < SyncLimits.number, named < SyncLimits.number else {
            throw KeychainError(.decode)
        }
    }
}
