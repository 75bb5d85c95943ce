internal import KeychainServices

/// What a walk over all items has read, to be compared with the authenticated count: an incomplete answer
/// is never called complete.
struct WalkTally {
    private var rows = 0
    private var damaged = 0
    /// Why the first damaged item can't be read.
    private var damage: KeychainError?
    /// What the walk began with.
    private var start: RowSet?
    /// How many items there should be and how many there are, if these differ.
    private var difference: (expected: Int, found: Int)?

    /// Takes note of the rows that a part of the walk reads from.
    mutating func begin(_ rowSet: RowSet) {
        start = start ?? rowSet
    }

    /// Takes note of an item that can't be read.
    mutating func note(_ error: KeychainError) {
        damaged += 1
        damage = damage ?? error
    }

    /// Counts rows that were read for the first time.
    mutating func add(rows count: Int) {
        rows += count
    }

    /// Compares, inside the transaction that read the last row.
    mutating func finish(_ rowSet: RowSet, _ database: Database) throws(KeychainError) {
        var found = rows
        if rowSet != start {
            // Others changed something meanwhile: then only what is there now can be compared.
            let statement = try database.prepare("SELECT count(*) FROM item NOT INDEXED")
            found = try statement.step() ? Int(clamping: statement.number(0) ?? 0) : 0
        }
        let expected = Int(clamping: rowSet.count)
        difference = found == expected ? nil : (expected, found)
    }

    /// Throws if the walk was not complete.
    ///
    /// - Throws: ``Status/decode``.
    func check() throws(KeychainError) {
        if let difference {
            throw KeychainError(
                .decode,
                "the keychain should have \(WalkTally.items(difference.expected)), but its file has "
                    + "\(difference.found)", hint: "lanyard verify")
        }
        guard let damage else {
            return
        }
        throw KeychainError(
            .decode,
            damaged == 1
                ? damage.reason
                : "\(WalkTally.items(damaged)) are damaged or were tampered with",
            hint: "lanyard verify")
    }

    private static func items(_ count: Int) -> String {
        count == 1 ? "1 item" : "\(count) items"
    }
}
