package import KeychainServices

extension SealedStore {
    /// Counts the items by group and accessibility, without unlocking what is locked.
    ///
    /// Groups are told apart by their tags, and one item of each is opened for the name, so that
    /// 100,000 items are counted in some 50 ms. The numbers are what the file says; only
    /// ``verify()`` authenticates every item.
    ///
    /// - Returns: nil if nothing can be told before the keychain is unlocked: one that was brought here
    ///   from another machine.
    /// - Throws: ``Status/invalidKeychain``, ``Status/databaseLocked``; what ``init(at:provider:)``
    ///   throws.
    package func tally() throws(KeychainError) -> ItemTally? {
        try withSession { session throws(KeychainError) in
            if case .locked = session {
                return nil
            }
            return try tally(session.state)
        }
    }

    /// How many tags of groups are looked at; an honest keychain has a few.
    private static let tagLimit = 1000

    private func tally(_ state: Records) throws(KeychainError) -> ItemTally {
        var items: [ByteString: Int] = [:]
        var others = 0
        for (tag, count) in try tags() {
            if let name = try groupName(tag, state) {
                items[name, default: 0] += count
            } else {
                others += count
            }
        }
        let groups = items.map { ItemTally.Group(name: $0.key, items: $0.value) }.sorted {
            $0.items != $1.items
                ? $0.items > $1.items : $0.name.bytes.lexicographicallyPrecedes($1.name.bytes)
        }
        return ItemTally(
            items: Int(clamping: state.rowSet.count), groups: groups, itemsOfOtherGroups: others,
            accessibilities: try accessibilities(),
            isPortable: state.keys.keybag.hasPassphrase && state.keys.keybag.isPortable,
            isFirstUnlocked: try state.keys.find(.secrets(.afterFirstUnlock)) != nil)
    }

    /// The tags of groups, each with the number of its rows. A group has one for each class.
    private func tags() throws(KeychainError) -> [(tag: [UInt8], count: Int)] {
        let statement = try file.database.prepare(
            "SELECT access_group, count(*) FROM item GROUP BY access_group "
                + "LIMIT \(SealedStore.tagLimit)")
        var tags: [(tag: [UInt8], count: Int)] = []
        while try statement.step() {
            tags.append((statement.blob(0), Int(statement.number(1) ?? 0)))
        }
        return tags
    }

    /// The name of the group with a tag, nil if the row that is looked at for it is damaged.
    private func groupName(
        _ tag: [UInt8], _ state: Records
    ) throws(KeychainError) -> ByteString? {
        let statement = try file.database.prepare(
            "SELECT \(ItemRow.columns) FROM item WHERE access_group = ?1 LIMIT 1")
        try statement.bind(tag, at: 1)
        do throws(KeychainError) {
            guard try statement.step() else {
                return nil
            }
            let row = try ItemRow(statement)
            return try state.sealing.openAttributes(row).accessGroup ?? ""
        } catch {
            guard error.status == .decode else {
                throw error
            }
            return nil
        }
    }

    private func accessibilities() throws(KeychainError) -> [Accessibility: Int] {
        let statement = try file.database.prepare(
            "SELECT accessible, count(*) FROM item GROUP BY accessible LIMIT 256")
        var counts: [Accessibility: Int] = [:]
        while try statement.step() {
            let number = statement.number(0).flatMap(UInt8.init(exactly:))
            if let accessible = number.flatMap(Accessibility.init(rawValue:)) {
                counts[accessible] = Int(statement.number(1) ?? 0)
            }
        }
        return counts
    }
}
