internal import KeychainServices
internal import SQLiteFile
internal import LanyardSecrets
internal import SyncEngine

// What the team changed, and what the next exchange need not read.
extension KeychainChanges {
    /// Calls a function with the identities whose item differs, in the order in which the team's devices made the
    /// versions to show: of several items that match, programs get the one stored last.
    ///
    /// - Parameter version: Returns the version to show, nil if there is none.
    func forEachDiffering(
        by version: (ItemDigest) throws(KeychainError) -> ItemVersion?,
        _ body: (ItemDigest) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try database.execute("DELETE FROM arrival")
        try differing.forEach { key throws(KeychainError) in
            let version = try version(ItemDigest(key))
            // Of one second: a device's numbers grow with each of its changes.
            var number = ByteWriter()
            version?.id.append(to: &number)
            let insertion = try database.prepare(
                "INSERT INTO arrival VALUES(?1, ?2, ?3)", keeps: true)
            try insertion.bind(version?.date.secondsSinceEpoch ?? Int64.min, at: 1)
            try insertion.bind(number.bytes, at: 2)
            try insertion.bind(key, at: 3)
            _ = try insertion.step()
            return true
        }
        let statement = try database.prepare(
            "SELECT identity FROM arrival ORDER BY date, number, identity", keeps: true)
        let total = Int(try database.number("SELECT count(*) FROM arrival"))
        var done = 0
        while try statement.step() {
            try body(ItemDigest(statement.blob(0)))
            done += 1
            state.report(.storing, done, total)
        }
    }

    /// Notes an item that the exchange stored.
    func noteStored(_ item: Item, _ identity: ItemDigest) throws(KeychainError) {
        try note(item.reference, identity, item.digest, stays: false)
        // The next exchange reads it: another program may change it before that.
        let statement = try database.prepare(
            "UPDATE present SET change = NULL WHERE id = ?1", keeps: true)
        try statement.bind(item.reference.id.bytes, at: 1)
        _ = try statement.step()
    }

    /// Notes the items that the replica shows, and those that stay here. The next exchange finds which are gone, and
    /// reads only those that were stored anew, or are not yet as the replica has them.
    ///
    /// Call it in a change of the replica, after the items were shown.
    func noteItems() throws(KeychainError) {
        if hasReadAll {
            try state.replica.rows.removeAll(.noted)
        }
        let statement = try database.prepare(
            "SELECT id, change, noted, identity, digest, stays FROM present ORDER BY id")
        var page: (number: UInt16, before: [NotedItem], now: [NotedItem])?
        while try statement.step() {
            guard let id = ItemID(statement.blob(0)) else {
                throw KeychainError(.decode)
            }
            let number = SharedState.notedPage(of: id)
            if number != page?.number {
                try page.map(write)
                let items = try state.noted(page: number)
                page = (number, items, items)
            }
            page?.now.removeAll { $0.id == id }
            if let item = try notedItem(id, statement) {
                page?.now.append(item)
            }
        }
        try page.map(write)
    }

    private func write(
        _ page: (number: UInt16, before: [NotedItem], now: [NotedItem])
    ) throws(KeychainError) {
        let sorted = page.now.sorted { ($0.id.high, $0.id.low) < ($1.id.high, $1.id.low) }
        if sorted != page.before {
            try state.setNoted(sorted, page: page.number)
        }
    }

    /// Returns what to note of an item, nil for nothing.
    private func notedItem(
        _ id: ItemID, _ statement: borrowing Statement
    ) throws(KeychainError) -> NotedItem? {
        let change = statement.number(1)
        for column in [3, 2] as [Int32] {
            // By its identity now; or by the one before, whose end the team does not know yet.
            guard let bytes = statement.optionalBlob(column) else {
                continue
            }
            let identity = try ItemDigest(bytes)
            let row = try state.row(of: identity)
            if let row, row.reference?.id == id {
                let isShown = column == 3 && statement.optionalBlob(4) == row.digest.bytes
                return NotedItem(
                    id: id, change: isShown ? change ?? NotedItem.unknown : NotedItem.unknown,
                    identity: identity)
            }
            if let change, column == 3, row == nil, statement.number(5) == 1 {
                return NotedItem(id: id, change: change, identity: nil)
            }
        }
        return nil
    }
}
