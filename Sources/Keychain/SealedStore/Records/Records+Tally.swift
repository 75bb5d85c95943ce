internal import KeychainServices
internal import SQLiteFile

extension Records {
    /// The most group tags to examine; a valid keychain has a few.
    private static let tagLimit = 1000

    /// Counts the items.
    func tally() throws(KeychainError) -> ItemTally {
        var items: [ByteString: Int] = [:]
        var others = 0
        for (tag, count) in try tags() {
            if let name = try groupName(tag) {
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
            items: Int(clamping: rowSet.count), groups: groups, itemsOfOtherGroups: others,
            accessibilities: try accessibilities(),
            isPortable: keys.keybag.hasPassphrase && keys.keybag.isPortable,
            isFirstUnlocked: try keys.find(.secrets(.afterFirstUnlock)) != nil)
    }

    /// Returns the tags of groups, each with its number of rows. A group has one for each class.
    private func tags() throws(KeychainError) -> [(tag: [UInt8], count: Int)] {
        let statement = try database.prepare(
            "SELECT access_group, count(*) FROM item GROUP BY access_group "
                + "LIMIT \(Records.tagLimit)")
        var tags: [(tag: [UInt8], count: Int)] = []
        while try statement.step() {
            tags.append((statement.blob(0), Int(statement.number(1) ?? 0)))
        }
        return tags
    }

    /// Returns the name of the group with a tag, nil if the row examined for it is damaged.
    private func groupName(_ tag: [UInt8]) throws(KeychainError) -> ByteString? {
        let statement = try database.prepare(
            "SELECT \(ItemRow.columns) FROM item WHERE access_group = ?1 LIMIT 1")
        try statement.bind(tag, at: 1)
        do throws(KeychainError) {
            guard try statement.step() else {
                return nil
            }
            let row = try ItemRow(statement)
            return try sealing.openAttributes(row).accessGroup ?? ""
        } catch  where error.status == .decode {
            return nil
        }
    }

    private func accessibilities() throws(KeychainError) -> [Accessibility: Int] {
        let statement = try database.prepare(
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
