public import Keychain
internal import LinuxSystem

extension SealedStore {
    /// Adds items in their order, up to the first one that can't be added, inside a transaction alone.
    /// An item of the same identity shows when the row is written, and is not looked for before. Where this
    /// throws, the whole transaction is undone.
    ///
    /// - Throws: ``Status/diskFull``, ``Status/io``, ``Status/invalidKeychain``.
    public func add(
        _ items: ArraySlice<NewItem>,
        attributes: (NewItem) throws(KeychainError) -> ItemAttributes
    ) throws(KeychainError) -> Int? {
        guard let rowSet = openRowSet else {
            return nil
        }
        guard rowSet.count == 0, items.count > SealedStore.indexedAtOnce else {
            return try add(items, to: rowSet, sortsIDs: false, attributes)
        }
        return try transaction { () throws(KeychainError) in
            try withoutLookupIndexes { () throws(KeychainError) in
                try add(items, to: rowSet, sortsIDs: true, attributes)
            }
        }
    }

    /// Whether there is no item in the keychain. Only inside a transaction.
    public func isKnownEmpty() -> Bool { openRowSet?.count == 0 }

    /// How many items are added to an empty keychain with all of its indexes.
    private static let indexedAtOnce = 4096

    private func add(
        _ items: ArraySlice<NewItem>, to rowSet: RowSet, sortsIDs: Bool,
        _ attributes: (NewItem) throws(KeychainError) -> ItemAttributes
    ) throws(KeychainError) -> Int {
        try checkTransaction()
        var addition = try Addition(
            items, sortsIDs: sortsIDs, to: database, try openKeys(), rowSet, now: now())
        let line = SealingLine(addition.keys)
        // To start a thread takes the time in which a few items are sealed.
        let thread = items.count > SealingLine.groupSize ? WorkerThread { line.run() } : nil
        let result = Result { () throws(KeychainError) in try addition.run(line, attributes) }
        line.end()
        thread?.join()
        openRowSet = addition.rowSet
        do throws(KeychainError) {
            return try result.get()
        } catch {
            // Rows may be there that the row set does not have.
            end()
            throw error
        }
    }
}

/// How far the adding of many items has come.
private struct Addition: ~Copyable {
    let keys: UnlockedKeys
    private let insertion: RowInsertion
    private let now: Timestamp
    private var rest: ArraySlice<NewItem>
    /// Those of the next items.
    private var ids: ArraySlice<ItemID>
    /// The number of the change that writes the next item.
    private var nextChange: Int64
    /// The class key of the accessibility that items had last.
    private var classKey: ClassKey?
    /// The rows as the items that were added leave them.
    private(set) var rowSet: RowSet

    init(
        _ items: ArraySlice<NewItem>, sortsIDs: Bool, to database: Database,
        _ keys: UnlockedKeys, _ rowSet: RowSet, now: Timestamp
    ) throws(KeychainError) {
        guard rowSet.change < Int64.max - Int64(items.count) else {
            throw FormatVersion.notAKeychain
        }
        // In ascending order each goes to the end of their index.
        let ids = sortsIDs ? try Addition.ids(items.count).sorted() : []
        self.init(items, ids, try RowInsertion(database), keys, rowSet, now: now)
    }

    private init(
        _ items: ArraySlice<NewItem>, _ ids: [ItemID], _ insertion: consuming RowInsertion,
        _ keys: UnlockedKeys, _ rowSet: RowSet, now: Timestamp
    ) {
        self.insertion = insertion
        self.keys = keys
        self.now = now
        self.rowSet = rowSet
        rest = items
        self.ids = ids[...]
        nextChange = rowSet.change + 1
    }

    /// New ids.
    private static func ids(_ count: Int) throws(KeychainError) -> [ItemID] {
        let bytes = try RandomBytes.make(count * 16)
        return stride(from: 0, to: bytes.count, by: 16).map { start in
            ItemID(Array(bytes[start..<(start + 16)]))!
        }
    }

    /// - Returns: How many items were added.
    mutating func run(
        _ line: SealingLine, _ attributes: (NewItem) throws(KeychainError) -> ItemAttributes
    ) throws(KeychainError) -> Int {
        var count = 0
        var groups: [SealingGroup] = []
        while true {
            while groups.count < SealingLine.lead, let group = nextGroup(attributes) {
                line.add(group)
                groups.append(group)
            }
            guard !groups.isEmpty else {
                return count
            }
            let group = groups.removeFirst()
            line.finish(group)
            let inserted = try insertion.insert(group)
            for row in group.rows[..<inserted] {
                rowSet.insert(row.digest, change: row.change)
            }
            count += inserted
            guard inserted == group.rows.count else {
                return count
            }
            guard group.isWhole else {
                return count
            }
        }
    }

    /// The next items; nil where there is none, or none that can be added.
    private mutating func nextGroup(
        _ attributes: (NewItem) throws(KeychainError) -> ItemAttributes
    ) -> SealingGroup? {
        var entries: [SealingGroup.Entry] = []
        entries.reserveCapacity(SealingLine.groupSize)
        while entries.count < SealingLine.groupSize, let item = rest.first {
            do throws(KeychainError) {
                if ids.isEmpty {
                    ids = try Addition.ids(min(rest.count, SealingLine.groupSize))[...]
                }
                var attributes = try attributes(item)
                attributes.setDates(now: now)
                // The keychain's own group may have been missing.
                let identity =
                    attributes.accessGroup == item.attributes.accessGroup
                    ? item.identity : ItemIdentity(item.itemClass, attributes)
                entries.append(
                    SealingGroup.Entry(
                        item: item, id: ids.removeFirst(), attributes: attributes,
                        identity: identity,
                        classKey: try classKey(attributes.accessible ?? .whenUnlocked)))
                rest.removeFirst()
            } catch {
                rest = []
            }
        }
        guard !entries.isEmpty else {
            return nil
        }
        defer { nextChange += Int64(entries.count) }
        return SealingGroup(entries, firstChange: nextChange)
    }

    private mutating func classKey(
        _ accessible: Accessibility
    ) throws(KeychainError) -> ClassKey {
        if let classKey, classKey.id.keyClass == .secrets(accessible) {
            return classKey
        }
        let found = try keys.classKey(accessible)
        classKey = found
        return found
    }
}
