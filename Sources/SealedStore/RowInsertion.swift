internal import KeychainServices

/// Inserts many rows, some with each run of a statement, which takes less time than one by one.
struct RowInsertion: ~Copyable {
    private let database: Database
    private let one: Statement
    /// Nil where there are too few.
    private let several: Statement?

    private static let rowsAtOnce = 64
    /// How many bytes a row may have that is inserted with others. How many were inserted before one that
    /// is too large for SQLite, it does not tell.
    private static let rowSize = 1 << 16

    /// - Parameter count: About how many rows there are.
    init(_ database: Database, count: Int) throws(KeychainError) {
        let one = try database.prepare(ItemRow.insertion, keeps: true)
        guard count >= RowInsertion.rowsAtOnce else {
            self.init(database, one, nil)
            return
        }
        // What was inserted before one whose identity is there is to stay.
        let several = try database.prepare(
            "INSERT OR FAIL INTO item (\(ItemRow.columns)) VALUES "
                + (0..<RowInsertion.rowsAtOnce).map(RowInsertion.parameters).joined(separator: ","),
            keeps: true)
        self.init(database, one, several)
    }

    private init(
        _ database: Database, _ one: consuming Statement, _ several: consuming Statement?
    ) {
        self.database = database
        self.one = one
        self.several = several
    }

    private var hasSeveral: Bool {
        switch several {
        case .some: true
        case .none: false
        }
    }

    /// The parameters of one of several rows, which follow those of the row before it.
    private static func parameters(_ row: Int) -> String {
        let first = row * Int(ItemRow.columnCount) + 1
        let numbers = first..<first + Int(ItemRow.columnCount)
        return "(\(numbers.map { "?\($0)" }.joined(separator: ",")))"
    }

    /// Inserts the rows of a group, in their order.
    ///
    /// - Returns: How many: all of those before one whose identity is there, or that is too large.
    /// - Throws: ``Status/diskFull``, ``Status/io``, ``Status/invalidKeychain``. Then it is not known how
    ///   many were inserted.
    func insert(_ group: SealingGroup) throws(KeychainError) -> Int {
        var count = 0
        while count < group.rows.count {
            let next = group.rows[count...].prefix(RowInsertion.rowsAtOnce)
            let isOne =
                !hasSeveral || next.count < RowInsertion.rowsAtOnce
                || next.contains { $0.size > RowInsertion.rowSize }
            let rows = isOne ? next.prefix(1) : next
            let inserted = try run(rows, of: group.blobs.bytes)
            count += inserted
            guard inserted == rows.count else {
                break
            }
        }
        return count
    }

    private func run(
        _ rows: ArraySlice<SealedRow>, of bytes: [UInt8]
    ) throws(KeychainError) -> Int {
        switch several {
        case .some(let several) where rows.count > 1: try run(several, rows, of: bytes)
        default: try run(one, rows, of: bytes)
        }
    }

    private func run(
        _ statement: borrowing Statement, _ rows: ArraySlice<SealedRow>, of bytes: [UInt8]
    ) throws(KeychainError) -> Int {
        do throws(KeychainError) {
            try statement.run(lending: bytes, from: rows[rows.startIndex].start) {
                lend throws(KeychainError) in
                var parameters = Int32(0)
                for row in rows {
                    try row.bind(to: statement, after: parameters, lend)
                    parameters += ItemRow.columnCount
                }
            }
        } catch {
            switch error.status {
            case .duplicateItem: return database.changes
            // It shows before anything is inserted, or of the one row that there is.
            case .dataTooLarge: return 0
            default: throw error
            }
        }
        guard database.changes == rows.count else {
            throw FormatVersion.notAKeychain
        }
        return rows.count
    }
}
