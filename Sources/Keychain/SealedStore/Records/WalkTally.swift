internal import KeychainServices
internal import SQLiteFile

/// The rows that a walk over all items has read, to compare with the authenticated count: Lanyard
/// never calls an incomplete answer complete.
struct WalkTally {
    private var rows = 0
    private var damaged = 0
    /// The error of the first damaged item.
    private var damage: KeychainError?
    /// The row set at the beginning of the walk.
    private var start: RowSet?
    /// The expected and the found number of items, if these differ.
    private var difference: (expected: Int, found: Int)?

    /// Records the row set from which a part of the walk reads.
    mutating func begin(_ rowSet: RowSet) {
        start = start ?? rowSet
    }

    /// Records an item that can't be read.
    mutating func note(_ error: KeychainError) {
        damaged += 1
        damage = damage ?? error
    }

    /// Counts rows that are read for the first time.
    mutating func add(rows count: Int) {
        rows += count
    }

    /// Compares inside the transaction that read the last row.
    mutating func finish(_ rowSet: RowSet, _ database: Database) throws(KeychainError) {
        var found = rows
        if rowSet != start {
            // After changes by other processes, only the present rows can be compared.
            let statement = try database.prepare("SELECT count(*) FROM item NOT INDEXED")
            found = try statement.step() ? Int(clamping: statement.number(0) ?? 0) : 0
        }
        let expected = Int(clamping: rowSet.count)
        difference = found == expected ? nil : (expected, found)
    }

    /// Throws if the walk was incomplete.
    ///
    /// - Parameter keychain: The keychain's name.
    /// - Throws: ``Status/decode``.
    func check(_ keychain: String) throws(KeychainError) {
        if let difference {
            throw WalkTally.incomplete(difference.expected, difference.found, keychain)
        }
        if let damage {
            throw WalkTally.damage(damaged, damage, keychain)
        }
    }

    /// Returns the error for a file that has more or fewer items than it should.
    static func incomplete(_ expected: Int, _ found: Int, _ keychain: String) -> KeychainError {
        KeychainError(
            .decode,
            "the keychain should have \(WalkTally.items(expected)), but its file has \(found)",
            hint: "lanyard verify --keychain \(keychain)")
    }

    /// Returns the error for damaged items, of which the first one has this error.
    static func damage(
        _ count: Int, _ first: KeychainError, _ keychain: String
    ) -> KeychainError {
        KeychainError(
            .decode,
            count == 1
                ? first.reason : "\(WalkTally.items(count)) are damaged or were tampered with",
            hint: "lanyard verify --keychain \(keychain)")
    }

    private static func items(_ count: Int) -> String {
        count == 1 ? "1 item" : "\(count) items"
    }
}
