package import Secrets

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

    /// Creates a change of an item of a replica.
    package init(_ record: Identifier, _ content: consuming Secret?, in replica: Replica) {
        self.record = record
        self.content = content
        context = replica.items[record]?.context ?? VersionVector()
        clock = replica.items[record]?.clock ?? 0
    }

    /// Creates a new item.
    package convenience init(
        adding content: consuming Secret, in replica: Replica
    ) throws(KeychainError) {
        self.init(try Identifier.random(), content, in: replica)
    }
}
