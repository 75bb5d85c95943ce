internal import Glibc
package import KeychainServices
internal import LinuxSystem
internal import SQLiteFile

/// What a watcher last saw of a sealed keychain. The difference to the present state tells what other
/// programs have changed.
///
/// Each row has the number of the change that wrote it, so added and updated items are those with a higher
/// number than the last one seen. A deletion leaves no trace but the authenticated number of items: if
/// that differs, the ids tell which items are gone. Attributes are readable while the keychain is locked.
package struct KeychainSnapshot {
    /// An item that was added, updated or deleted.
    package struct Change: Sendable {
        /// The item.
        package let reference: ItemReference
        /// Its attributes when it was last seen; nil if it is new.
        package fileprivate(set) var before: ItemAttributes?
        /// Its present attributes; nil if it was deleted.
        package let after: ItemAttributes?

        /// Creates a change.
        package init(
            reference: ItemReference, before: ItemAttributes?, after: ItemAttributes?
        ) {
            self.reference = reference
            self.before = before
            self.after = after
        }
    }

    /// The difference between two states.
    package struct Difference: Sendable {
        /// Deleted items first, then the others in the order of their changes.
        package fileprivate(set) var changes: [Change] = []
        /// Whether its secrets are locked; nil if there is no keychain, or it can't be read.
        package fileprivate(set) var isLocked: Bool?
        /// Whether it can lock, because it has a passphrase; nil as above.
        package fileprivate(set) var hasPassphrase: Bool?
        /// Why not everything could be read; nil if it could.
        package fileprivate(set) var failure: KeychainError?
    }

    private struct Item {
        let itemClass: ItemClass
        let accessible: Accessibility
        let change: Int64
        /// As ``AttributesCoding`` writes them, which takes less memory.
        let attributes: [UInt8]
    }

    private struct FileID: Equatable {
        let device: UInt64
        let inode: UInt64
    }

    /// The keychain's place, which the configuration may change.
    package var location: KeychainLocation
    private var file: FileID?
    private var keychainID: [UInt8] = []
    private var lastChange = Int64.min
    private var items: [ItemID: Item] = [:]
    /// Why the attributes of some of them can't be read.
    private var damaged: [ItemID: KeychainError] = [:]

    /// How many rows to read in a transaction, which writers wait for.
    private static let batchSize = 256
    /// In milliseconds. A watcher looks again later instead of waiting.
    private static let busyTimeout: Int64 = 100

    /// Creates the snapshot of an empty keychain.
    package init(of location: KeychainLocation) {
        self.location = location
    }

    /// Takes over the present state. It asks for no passphrase, and takes none from the environment.
    ///
    /// An item changed several times since the last look has one change. One that was added and
    /// deleted has none.
    ///
    /// - Returns: The difference to what was seen before; all items at the first time.
    package mutating func update() -> Difference {
        var news = News()
        do throws(KeychainError) {
            guard let store = try open() else {
                forget(Array(items.keys), &news)
                self = KeychainSnapshot(of: location)
                return news.finished
            }
            var isWhole = false
            while !isWhole {
                isWhole = try store.withoutUnlocking { records throws(KeychainError) in
                    try read(records, &news)
                }
            }
        } catch {
            news.difference.isLocked = nil
            news.difference.failure = error
        }
        return news.finished
    }

    /// Opens the keychain anew: another file may have replaced it.
    ///
    /// - Returns: nil if there is none.
    private mutating func open() throws(KeychainError) -> SealedStore? {
        do throws(KeychainError) {
            let found = try? SystemCalls.lstat(location.file)
            let store = try SealedStore(
                at: location, now: SystemCalls.now, busyTimeout: KeychainSnapshot.busyTimeout)
            let file = found.map {
                FileID(device: UInt64($0.st_dev), inode: UInt64($0.st_ino))
            }
            if file != self.file {
                self.file = file
                lastChange = Int64.min
            }
            return store
        } catch  where error.status == .noSuchKeychain {
            try SealedStore.checkNotVanished(at: location)
            return nil
        }
    }

    /// Reads the next rows.
    ///
    /// - Returns: Whether they were the last ones.
    private mutating func read(
        _ records: Records, _ news: inout News
    ) throws(KeychainError) -> Bool {
        let id = records.keys.keybag.keychainID
        if id != keychainID || records.rowSet.change < lastChange {
            // Another keychain, or an older copy of this one: every row has to be compared.
            keychainID = id
            lastChange = Int64.min
        }
        let statement = try records.database.prepare(
            "SELECT \(ItemRow.columns) FROM item WHERE change > ?1 ORDER BY change "
                + "LIMIT \(KeychainSnapshot.batchSize)")
        try statement.bind(lastChange, at: 1)
        var count = 0
        while try statement.step() {
            count += 1
            // A damaged tree can contain a cycle.
            guard let change = statement.number(0), change > lastChange else {
                throw FormatVersion.notAKeychain
            }
            lastChange = change
            if let row = try KeychainSnapshot.row(statement) {
                try take(row, records.sealing, &news)
            }
        }
        guard count < KeychainSnapshot.batchSize else {
            return false
        }
        lastChange = records.rowSet.change
        let lockState = try records.keys.lockState()
        news.difference.isLocked = lockState == .locked
        news.difference.hasPassphrase = lockState != .noPassphrase
        news.difference.failure = try findDeleted(records, &news)
        if let first = damaged.values.first {
            news.difference.failure = WalkTally.damage(damaged.count, first, location.name)
        }
        return true
    }

    /// Returns a statement's row, nil if it is so damaged that it has no id.
    private static func row(
        _ statement: borrowing Statement
    ) throws(KeychainError) -> ItemRow? {
        do throws(KeychainError) {
            return try ItemRow(statement)
        } catch  where error.status == .decode {
            return nil
        }
    }

    private mutating func take(
        _ row: ItemRow, _ sealing: ItemSealing, _ news: inout News
    ) throws(KeychainError) {
        let known = items[row.id]
        guard known?.change != row.change else {
            return
        }
        var attributes: ItemAttributes?
        do throws(KeychainError) {
            attributes = try sealing.openAttributes(row)
            damaged[row.id] = nil
        } catch  where error.status == .decode {
            damaged[row.id] = error
        }
        let reference = ItemReference(itemClass: row.itemClass, id: row.id)
        if let attributes {
            news.note(
                Change(
                    reference: reference, before: try known.flatMap(attributes(of:)),
                    after: attributes))
        }
        items[row.id] = Item(
            itemClass: row.itemClass, accessible: row.accessible, change: row.change,
            attributes: attributes.map(AttributesCoding.encode) ?? known?.attributes ?? [])
    }

    /// Finds the items that are not in the file any more, and compares their number with the authenticated
    /// one.
    ///
    /// - Returns: Why some items are not known; nil if all are.
    private mutating func findDeleted(
        _ records: Records, _ news: inout News
    ) throws(KeychainError) -> KeychainError? {
        let expected = Int(clamping: records.rowSet.count)
        guard items.count != expected else {
            return nil
        }
        let statement = try records.database.prepare("SELECT id FROM item")
        var present: Set<ItemID> = []
        while try statement.step() {
            guard let id = ItemID(statement.blob(0)) else {
                throw FormatVersion.notAKeychain
            }
            present.insert(id)
        }
        forget(items.keys.filter { !present.contains($0) }, &news)
        guard present.count == expected else {
            return WalkTally.incomplete(expected, present.count, location.name)
        }
        return items.count == expected
            ? nil
            : WalkTally.damage(expected - items.count, KeychainError(.decode), location.name)
    }

    /// Forgets deleted items, oldest first.
    private mutating func forget(_ ids: [ItemID], _ news: inout News) {
        var deleted: [(id: ItemID, item: Item)] = []
        for id in ids {
            if let item = items[id] {
                deleted.append((id, item))
            }
        }
        for (id, item) in deleted.sorted(by: { $0.item.change < $1.item.change }) {
            items[id] = nil
            damaged[id] = nil
            news.noteDeletion(
                Change(
                    reference: ItemReference(itemClass: item.itemClass, id: id),
                    before: try? attributes(of: item), after: nil))
        }
    }

    private func attributes(of item: Item) throws(KeychainError) -> ItemAttributes? {
        item.attributes.isEmpty
            ? nil
            : try AttributesCoding.decode(item.attributes.span, accessible: item.accessible)
    }
}

/// The changes that a look has found so far, at most one for each item.
private struct News {
    var difference = KeychainSnapshot.Difference()
    private var deleted: [KeychainSnapshot.Change] = []
    private var changed: [KeychainSnapshot.Change?] = []
    private var positions: [ItemID: Int] = [:]

    /// Records an added or updated item, which replaces an earlier change of it.
    mutating func note(_ change: KeychainSnapshot.Change) {
        var change = change
        if let earlier = take(change.reference.id) {
            change.before = earlier.before
        }
        positions[change.reference.id] = changed.count
        changed.append(change)
    }

    /// Records a deleted item, unless it was added since the last look.
    mutating func noteDeletion(_ change: KeychainSnapshot.Change) {
        var change = change
        if let earlier = take(change.reference.id) {
            change.before = earlier.before
        }
        if change.before != nil {
            deleted.append(change)
        }
    }

    private mutating func take(_ id: ItemID) -> KeychainSnapshot.Change? {
        guard let position = positions.removeValue(forKey: id) else {
            return nil
        }
        defer { changed[position] = nil }
        return changed[position]
    }

    var finished: KeychainSnapshot.Difference {
        var finished = difference
        finished.changes = deleted + changed.compactMap { $0 }
        return finished
    }
}
