internal import KeychainServices
internal import LinuxSystem

/// A few new items that are sealed one after the other.
///
/// Sendable, as it is one thread's after the other's, which the lock of a ``SealingLine`` sees to.
final class SealingGroup: @unchecked Sendable {
    /// An item that is to be sealed.
    struct Entry {
        let item: NewItem
        let id: ItemID
        let accessible: Accessibility
        /// Which of the class keys is that of its accessibility.
        let classKey: Int
    }

    private var entries: [Entry] = []
    private var classKeys: [ClassKey] = []
    private var firstChange: Int64 = 0
    /// How many items there are.
    private(set) var count = 0
    /// The rows of the items; where one could not be sealed, of those before it.
    private(set) var rows: [SealedRow] = []
    /// The blobs of the rows.
    private(set) var blobs = BlobBuffer()
    /// Whether another thread has sealed it. Under the line's lock.
    var isSealed = false

    /// Takes the place of the items that were in it.
    ///
    /// - Parameter firstChange: The number of the change that writes the first one.
    func begin(_ entries: [Entry], _ classKeys: [ClassKey], firstChange: Int64) {
        self.entries = entries
        self.classKeys = classKeys
        self.firstChange = firstChange
        count = entries.count
        rows.removeAll(keepingCapacity: true)
        blobs.removeAll()
        isSealed = false
    }

    /// Seals the items, and lets go of them and of the keys.
    func seal(_ keys: UnlockedKeys, now: Timestamp) {
        var sealing = NewItemSealing(keys, classKeys, now: now)
        var blobs = BlobBuffer()
        swap(&blobs, &self.blobs)
        var rows: [SealedRow] = []
        rows.reserveCapacity(count)
        let entries = entries
        let all = entries.span
        for index in all.indices {
            do throws(KeychainError) {
                rows.append(
                    try sealing.seal(
                        all[index], change: firstChange + Int64(index), into: &blobs))
            } catch {
                // What kept it from being sealed shows when it is added by itself.
                break
            }
        }
        self.entries = []
        self.classKeys = []
        self.rows = rows
        self.blobs = blobs
    }
}
