public import KeychainServices
internal import LinuxSystem

extension SealedStore {
    /// Adds items in their order, up to the first one that can't be added, inside a transaction alone.
    /// An item of the same identity shows when the row is written, and is not looked for before. Where this
    /// throws, the whole transaction is undone.
    ///
    /// - Throws: ``Status/diskFull``, ``Status/io``, ``Status/invalidKeychain``.
    public func add(
        _ items: ArraySlice<NewItem>, more: (_ added: Int) -> ArraySlice<NewItem>,
        accessible: Accessibility, storable: (NewItem) throws(KeychainError) -> NewItem
    ) throws(KeychainError) -> Int? {
        guard let rowSet = openRowSet else {
            return nil
        }
        guard rowSet.count == 0, items.count > SealedStore.indexedAtOnce else {
            return try add(items, more, to: rowSet, accessible, storable)
        }
        return try transaction { () throws(KeychainError) in
            try withoutLookupIndexes(for: items) { () throws(KeychainError) in
                try add(items, more, to: rowSet, accessible, storable)
            }
        }
    }

    /// Whether there is no item in the keychain. Only inside a transaction.
    public func isKnownEmpty() -> Bool { openRowSet?.count == 0 }

    /// How many items are added to an empty keychain with all of its indexes.
    private static let indexedAtOnce = 1024

    private func add(
        _ items: ArraySlice<NewItem>, _ more: (Int) -> ArraySlice<NewItem>, to rowSet: RowSet,
        _ accessible: Accessibility, _ storable: (NewItem) throws(KeychainError) -> NewItem
    ) throws(KeychainError) -> Int {
        try checkTransaction()
        var addition = try Addition(
            items, accessible, to: database, try openKeys(), rowSet, now: now())
        let line = SealingLine(addition.keys, now: addition.now)
        // To start a thread takes the time in which a few items are sealed.
        let thread = items.count > SealingLine.groupSize ? WorkerThread { line.run() } : nil
        let result = Result { () throws(KeychainError) in
            try addition.run(line, more, storable)
        }
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
    /// The accessibility of the items that say nothing of it.
    private let accessible: Accessibility
    /// When the items are made that do not say it.
    let now: Timestamp
    private var rest: ArraySlice<NewItem>
    /// How many items were added.
    private var added = 0
    /// Whether nothing more is added.
    private var isAtEnd = false
    private var ids = AscendingIDs()
    /// The number of the change that writes the next item.
    private var nextChange: Int64
    /// The class keys of the accessibilities that items have.
    private var classKeys: [ClassKey] = []
    /// The rows as the items that were added leave them.
    private(set) var rowSet: RowSet
    /// Groups whose items were added.
    private var done: [SealingGroup] = []

    init(
        _ items: ArraySlice<NewItem>, _ accessible: Accessibility, to database: Database,
        _ keys: UnlockedKeys, _ rowSet: RowSet, now: Timestamp
    ) throws(KeychainError) {
        self.init(
            items, accessible, try RowInsertion(database, count: items.count), keys, rowSet,
            now: now)
    }

    private init(
        _ items: ArraySlice<NewItem>, _ accessible: Accessibility,
        _ insertion: consuming RowInsertion, _ keys: UnlockedKeys, _ rowSet: RowSet, now: Timestamp
    ) {
        self.insertion = insertion
        self.accessible = accessible
        self.keys = keys
        self.now = now
        self.rowSet = rowSet
        rest = items
        nextChange = rowSet.change + 1
    }

    /// - Returns: How many items were added.
    mutating func run(
        _ line: SealingLine, _ more: (Int) -> ArraySlice<NewItem>,
        _ storable: (NewItem) throws(KeychainError) -> NewItem
    ) throws(KeychainError) -> Int {
        var groups: [SealingGroup] = []
        while true {
            while groups.count < SealingLine.lead, let group = nextGroup(more, storable) {
                line.add(group)
                groups.append(group)
            }
            guard !groups.isEmpty else {
                return added
            }
            let group = groups.removeFirst()
            line.finish(group)
            let inserted = try insertion.insert(group)
            for row in group.rows[..<inserted] {
                rowSet.insert(row.digest, change: row.change)
            }
            added += inserted
            guard inserted == group.count else {
                return added
            }
            done.append(group)
        }
    }

    /// The next items; nil where there is none, or none that can be added.
    private mutating func nextGroup(
        _ more: (Int) -> ArraySlice<NewItem>,
        _ storable: (NewItem) throws(KeychainError) -> NewItem
    ) -> SealingGroup? {
        var entries: [SealingGroup.Entry] = []
        entries.reserveCapacity(SealingLine.groupSize)
        let firstChange = nextChange
        while !isAtEnd, entries.count < SealingLine.groupSize {
            if rest.isEmpty {
                rest = more(added)
            }
            do throws(KeychainError) {
                guard let item = rest.popFirst(), nextChange < Int64.max else {
                    isAtEnd = true
                    break
                }
                entries.append(try entry(item, storable))
                nextChange += 1
            } catch {
                isAtEnd = true
            }
        }
        guard !entries.isEmpty else {
            return nil
        }
        let group = done.popLast() ?? SealingGroup()
        group.begin(entries, classKeys, firstChange: firstChange)
        return group
    }

    private mutating func entry(
        _ item: NewItem, _ storable: (NewItem) throws(KeychainError) -> NewItem
    ) throws(KeychainError) -> SealingGroup.Entry {
        let item = try storable(item)
        let accessible = item.accessible ?? accessible
        return SealingGroup.Entry(
            item: item, id: try ids.next(), accessible: accessible,
            classKey: try classKey(accessible))
    }

    /// - Returns: The place of its key among the class keys.
    private mutating func classKey(
        _ accessible: Accessibility
    ) throws(KeychainError) -> Int {
        for index in classKeys.indices
        where classKeys[index].id.keyClass == .secrets(accessible) {
            return index
        }
        classKeys.append(try keys.classKey(accessible))
        return classKeys.count - 1
    }
}
