internal import Keychain
internal import LinuxSystem

/// A few new items that are sealed one after the other.
///
/// Sendable, as it is one thread's after the other's, which the lock of a ``SealingLine`` sees to.
final class SealingGroup: @unchecked Sendable {
    /// An item that is to be sealed.
    struct Entry {
        let item: NewItem
        let id: ItemID
        /// All that it gets.
        let attributes: ItemAttributes
        let identity: ItemIdentity
        /// The key of its accessibility.
        let classKey: ClassKey
    }

    private let entries: [Entry]
    private let firstChange: Int64
    /// The rows of the items; where one could not be sealed, of those before it.
    private(set) var rows: [SealedRow] = []
    /// The blobs of the rows.
    private(set) var bytes: [UInt8] = []
    /// Whether another thread has sealed it. Under the line's lock.
    var isSealed = false

    /// - Parameter firstChange: The number of the change that writes the first one.
    init(_ entries: [Entry], firstChange: Int64) {
        self.entries = entries
        self.firstChange = firstChange
    }

    func seal(_ keys: UnlockedKeys) {
        rows.reserveCapacity(entries.count)
        bytes.reserveCapacity(entries.count * 512)
        var random = RandomReserve()
        let sealing = ItemSealing(keys, lastTags: LastTags())
        for (index, entry) in entries.enumerated() {
            do throws(KeychainError) {
                var row = ItemRow(
                    ItemReference(itemClass: entry.item.itemClass, id: entry.id),
                    change: firstChange + Int64(index))
                try sealing.seal(
                    entry.attributes, entry.identity, entry.item.secret, under: entry.classKey,
                    &random, into: &row)
                rows.append(SealedRow(row, keys, blobs: &bytes))
            } catch {
                // What kept it from being sealed shows when it is added by itself.
                return
            }
        }
    }

    /// Whether all items were sealed.
    var isWhole: Bool { rows.count == entries.count }
}
