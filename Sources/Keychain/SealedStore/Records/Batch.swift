internal import KeychainServices

/// A few items of a walk.
struct Batch {
    /// An item that can be taken out once.
    final class Entry {
        /// Half of the item's random id, which is enough to tell items apart.
        let key: UInt64
        /// What to log when it is taken out, nil for nothing.
        let use: ItemUse?
        private var item: MatchedItem?

        init(_ id: ItemID, _ item: consuming MatchedItem, _ use: ItemUse?) {
            self.use = use
            key = id.bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
            self.item = consume item
        }

        func take() -> MatchedItem? { item.take() }
    }

    private(set) var items: [Entry] = []
    /// The numbers of the changes whose rows are still to be read. They include the last row read,
    /// which reveals a damaged index that names it twice.
    private(set) var rest: ClosedRange<Int64>
    private var lastRead: Int64?
    /// Whether the last row of the previous batch came again.
    private(set) var hasRepeatedRow = false
    /// Whether this is the last batch.
    var isLast = false
    /// The number of the keychain's last change when the walk began.
    private(set) var changeAtStart: Int64 = -1
    /// The number of the keychain's last change when these items were read.
    private(set) var lastChange: Int64 = -1
    private var size: Int
    private var bytes = 0

    private let order: ItemOrder

    /// Creates a walk over all rows, or over those changed after a change.
    ///
    /// - Parameter readsSeveral: Whether the walk goes on after the first item: most end with it.
    init(_ order: ItemOrder, changedSince change: Int64 = Int64.min, readsSeveral: Bool = false) {
        self.order = order
        size = readsSeveral ? 4 : 1
        rest = (change == Int64.min ? change : change + 1)...Int64.max
    }

    /// Makes room for the next items.
    mutating func begin(_ change: Int64) {
        if changeAtStart == -1 {
            changeAtStart = change
            if order == .oldestFirst {
                // Items changed meanwhile would come again at its end.
                rest = min(rest.lowerBound, change)...change
            }
        } else {
            size = min(size * 4, 256)
        }
        lastChange = change
        hasRepeatedRow = false
        items = []
        bytes = 0
    }

    /// Returns whether a row is new, and records it as read.
    mutating func isNew(_ row: ItemRow) -> Bool {
        defer {
            lastRead = row.change
            rest =
                order == .oldestFirst
                ? min(row.change, rest.upperBound)...rest.upperBound
                : rest.lowerBound...max(rest.lowerBound, row.change)
        }
        guard row.change != lastRead else {
            hasRepeatedRow = true
            return false
        }
        return true
    }

    var isFull: Bool { items.count >= size || bytes >= 1 << 20 }

    mutating func append(
        _ id: ItemID, _ item: consuming MatchedItem, size: Int, use: ItemUse?
    ) {
        items.append(Entry(id, item, use))
        bytes += size
    }
}
