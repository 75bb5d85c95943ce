package import LanyardSecrets

/// A change of an item that was made on this device and is not part of its replica yet.
package final class LocalChange: Sendable {
    /// The item's record.
    package let record: Identifier
    /// The item's new content; nil if it was deleted.
    let content: Secret?
    /// The versions that were known when the change was made.
    let context: VersionVector
    /// The highest Lamport time of these.
    let clock: UInt64
    /// Whether the item was here before this device was in the team: then it loses against the team's, if that has one.
    let isFromBefore: Bool

    /// The size of the content in bytes.
    package var size: Int {
        switch content {
        case .some(let content): content.count
        case .none: 0
        }
    }

    /// Creates a change of an item.
    ///
    /// - Parameters:
    ///   - content: nil to delete the item.
    ///   - base: The state that was changed, nil for a new item.
    ///   - isFromBefore: Whether the item was here before this device was in the team.
    package init(
        _ record: Identifier, _ content: consuming Secret?, base: ItemBase?,
        isFromBefore: Bool = false
    ) {
        self.record = record
        self.content = content
        context = base?.context ?? VersionVector()
        clock = base?.clock ?? 0
        self.isFromBefore = isFromBefore
    }

    /// Whether it makes the item's content this one.
    func has(_ other: borrowing Secret) -> Bool {
        switch content {
        case .some(let content): content.isEqual(to: other)
        case .none: false
        }
    }
}

/// Which state of an item a change was made on.
package struct ItemBase: Hashable, Sendable {
    let context: VersionVector
    let clock: UInt64

    /// Creates the base of a change that was made after a version.
    package init(of version: ItemVersion) {
        context = version.context
        clock = version.clock
    }

    /// Creates the base on which an item's winning version is stored again.
    init(again item: SharedItem) {
        context = item.winner.context
        clock = item.clock
    }

    /// Creates the base that an item is now.
    package init(of item: SharedItem) {
        context = item.context
        clock = item.clock
    }

    /// The stored form.
    package var bytes: [UInt8] {
        var writer = ByteWriter()
        append(to: &writer)
        return writer.bytes
    }

    /// Appends the stored form.
    package func append(to writer: inout ByteWriter) {
        context.append(to: &writer)
        writer.number(clock)
    }

    /// Reads a base that is all there is.
    ///
    /// - Throws: ``Status/decode`` if there is none.
    package init(_ bytes: [UInt8]) throws(KeychainError) {
        var reader = ByteReader(bytes)
        try self.init(reading: &reader)
        try reader.end()
    }

    /// Reads a base.
    ///
    /// - Throws: ``Status/decode`` if there is none.
    package init(reading reader: inout ByteReader) throws(KeychainError) {
        context = try VersionVector(reading: &reader)
        clock = try reader.number()
    }
}
