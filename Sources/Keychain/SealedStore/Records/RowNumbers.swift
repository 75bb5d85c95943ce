internal import KeychainServices
internal import SQLiteFile

/// The numbers of all rows, to find those of a table that can't be read in order.
struct RowNumbers {
    /// In ascending order.
    private(set) var rest: ArraySlice<Int64>

    /// Reads the numbers: from both ends of the table up to what can't be read, and from two indexes, which have every
    /// row, too.
    init(_ database: Database) throws(KeychainError) {
        var all: Set<Int64> = []
        for source in [
            "NOT INDEXED ORDER BY change", "NOT INDEXED ORDER BY change DESC",
            "INDEXED BY item_access_group", "INDEXED BY item_account",
        ] {
            var found: Set<Int64> = []
            do throws(KeychainError) {
                let statement = try database.prepare("SELECT change FROM item \(source)")
                // A damaged tree can name a number endlessly.
                while try statement.step(), let number = statement.number(0),
                    found.insert(number).inserted
                {}
            } catch {
                guard RowWalk.isDamage(error) else {
                    throw error
                }
            }
            all.formUnion(found)
        }
        rest = all.sorted()[...]
    }

    /// Removes and returns the next number in an order, nil after the last one.
    mutating func next(_ order: ItemOrder) -> Int64? {
        order == .oldestFirst ? rest.popFirst() : rest.popLast()
    }
}
