internal import KeychainServices
internal import SQLiteFile

/// A walk over all rows of a file that may be damaged: an unreadable row does not hide the others.
struct RowWalk: ~Copyable {
    /// A row, or the reason why it can't be read.
    enum Step {
        case row(ItemRow)
        case unreadable(Int64, KeychainError)
        case end
    }

    private let numbers: Statement
    private let rows: Statement
    private var last: Int64?

    /// Begins the walk, in the order of the rows' numbers.
    init(_ database: Database) throws(KeychainError) {
        self.init(
            numbers: try database.prepare("SELECT change FROM item ORDER BY change"),
            rows: try database.prepare("SELECT \(ItemRow.columns) FROM item WHERE change = ?1"))
    }

    private init(numbers: consuming Statement, rows: consuming Statement) {
        self.numbers = numbers
        self.rows = rows
    }

    /// Returns the next row with its secret.
    ///
    /// - Throws: ``Status/invalidKeychain`` if the tree of rows can't be followed any further, and
    ///   errors other than damage, such as ``Status/io``.
    mutating func next() throws(KeychainError) -> Step {
        guard try numbers.step() else {
            return .end
        }
        // A damaged tree can contain a cycle.
        guard let number = numbers.number(0), number > last ?? Int64.min || last == nil else {
            throw FormatVersion.notAKeychain
        }
        last = number
        do throws(KeychainError) {
            return .row(try row(number))
        } catch {
            guard RowWalk.isDamage(error) else {
                throw error
            }
            return .unreadable(number, error)
        }
    }

    private borrowing func row(_ number: Int64) throws(KeychainError) -> ItemRow {
        defer { rows.reset() }
        try rows.bind(number, at: 1)
        guard try rows.step() else {
            throw FormatVersion.notAKeychain
        }
        return try ItemRow(whole: rows)
    }

    /// Returns whether an error reports damage to the file.
    static func isDamage(_ error: KeychainError) -> Bool {
        [.decode, .dataTooLarge, .invalidKeychain].contains(error.status)
    }
}
