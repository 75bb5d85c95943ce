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

    private let database: Database
    private let numbers: Statement
    private let rows: Statement
    private var last: Int64?
    /// The numbers of the rows behind the table's first page that can't be read; nil if all can be.
    private(set) var rest: ArraySlice<Int64>?

    /// Begins the walk, in the order of the rows' numbers.
    init(_ database: Database) throws(KeychainError) {
        self.init(
            database,
            numbers: try database.prepare("SELECT change FROM item ORDER BY change"),
            rows: try database.prepare("SELECT \(ItemRow.columns) FROM item WHERE change = ?1"))
    }

    private init(
        _ database: Database, numbers: consuming Statement, rows: consuming Statement
    ) {
        self.database = database
        self.numbers = numbers
        self.rows = rows
    }

    /// Returns the next row with its secret.
    ///
    /// - Throws: Errors other than damage, such as ``Status/io``.
    mutating func next() throws(KeychainError) -> Step {
        guard let number = try nextNumber() else {
            return .end
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

    private mutating func nextNumber() throws(KeychainError) -> Int64? {
        if rest == nil {
            do throws(KeychainError) {
                guard try numbers.step() else {
                    return nil
                }
                // A damaged tree can contain a cycle.
                if let number = numbers.number(0), number > last ?? Int64.min || last == nil {
                    return number
                }
            } catch {
                guard RowWalk.isDamage(error) else {
                    throw error
                }
            }
            rest = try RowNumbers(database).rest.drop { number in
                last.map { number <= $0 } ?? false
            }
        }
        return rest?.popFirst()
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
