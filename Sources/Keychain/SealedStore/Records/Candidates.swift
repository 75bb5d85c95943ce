internal import KeychainServices
internal import SQLiteFile

/// The rows that may match a query according to the blind index; opening them decides.
struct Candidates {
    /// The conditions, as they follow in the statement, and the values of their parameters.
    private var conditions = ""
    private var values: [[UInt8]] = []
    private let itemClass: ItemClass
    private let order: ItemOrder
    /// Whether the walk reads every row of the file, which reveals missing ones.
    let isWhole: Bool

    init(_ query: Query, _ keys: UnlockedKeys) throws(KeychainError) {
        guard let itemClass = query.itemClass else {
            throw KeychainError(.param)
        }
        self.itemClass = itemClass
        order = query.match.order ?? .newestFirst
        isWhole = query.wantsEverything
        guard !isWhole else {
            return
        }
        let index = BlindIndex(keys)
        let attributes = query.attributes
        if query.ids.isEmpty, let identity = query.wholeIdentity {
            add("identity", index.identity(itemClass, ItemIdentity(itemClass, identity)))
            return
        }
        // The most selective condition comes first, because SQLite looks up that one alone.
        for id in query.ids {
            add("id", id.bytes)
        }
        if let server = attributes.server, query.match.hasWholeServers {
            add("server", index.server(server))
        }
        // Only the server's tag ignores letter case.
        guard query.match.comparesBytes else {
            return
        }
        if let attribute = itemClass.serviceColumn, let value = attributes[attribute]?.text {
            add("service", index.value(itemClass, attribute, value))
        }
        if let value = attributes[itemClass.accountColumn]?.text {
            add("account", index.value(itemClass, itemClass.accountColumn, value))
        }
        if let accessGroup = attributes.accessGroup {
            add("access_group", index.value(itemClass, .accessGroup, accessGroup))
        }
    }

    /// Adds a condition. The plus keeps SQLite from choosing the index of a less selective column.
    private mutating func add(_ column: String, _ value: [UInt8]) {
        values.append(value)
        conditions += " AND \(values.count == 1 ? "" : "+")\(column) = ?\(values.count + 1)"
    }

    /// Returns the candidates in the order of the query.
    ///
    /// - Parameters:
    ///   - changes: The numbers of the changes that wrote the rows.
    ///   - usesIndexes: Whether indexes may find them.
    func select(
        _ database: Database, changes: ClosedRange<Int64> = Int64.min...Int64.max,
        usesIndexes: Bool = true
    ) throws(KeychainError) -> CandidateRows {
        // Without an index, which may be damaged or tampered with; only the table has every row.
        var sql =
            "SELECT \(ItemRow.columns) FROM item "
            + (isWhole || !usesIndexes ? "NOT INDEXED " : "")
            + (isWhole ? "WHERE ?1 NOTNULL" : "WHERE +class = ?1")
        sql += conditions
        var bounds: [Int64] = []
        if changes.lowerBound > Int64.min {
            bounds.append(changes.lowerBound)
            sql += " AND change >= ?\(values.count + 1 + bounds.count)"
        }
        if changes.upperBound < Int64.max {
            bounds.append(changes.upperBound)
            sql += " AND change <= ?\(values.count + 1 + bounds.count)"
        }
        sql += order == .oldestFirst ? " ORDER BY change" : " ORDER BY change DESC"
        let statement = try database.prepare(sql, keeps: true)
        try statement.bind(Int64(itemClass.rawValue.rawValue), at: 1)
        for (position, value) in values.enumerated() {
            try statement.bind(value, at: Int32(position + 2))
        }
        for (position, bound) in bounds.enumerated() {
            try statement.bind(bound, at: Int32(values.count + 2 + position))
        }
        return CandidateRows(statement, of: itemClass, order)
    }
}

extension Query {
    /// Whether it matches all items of a class or of one of its groups, without a limit.
    fileprivate var wantsEverything: Bool {
        guard limit == Int.max, ids.isEmpty else {
            return false
        }
        var others = attributes
        others.accessGroup = nil
        return others == ItemAttributes()
    }
}

/// A walk over candidates.
struct CandidateRows: ~Copyable {
    private let statement: Statement
    private let itemClass: ItemClass
    private let order: ItemOrder
    private var last: Int64?
    /// The number of rows read.
    private(set) var count = 0

    init(_ statement: consuming Statement, of itemClass: ItemClass, _ order: ItemOrder) {
        self.statement = statement
        self.itemClass = itemClass
        self.order = order
    }

    /// Returns the next row without its secret, nil at the end.
    ///
    /// - Throws: What ``step()`` and ``row()`` throw.
    mutating func next() throws(KeychainError) -> ItemRow? {
        try step() ? row() : nil
    }

    /// Moves to the next row.
    ///
    /// - Returns: Whether there is one.
    /// - Throws: ``Status/invalidKeychain`` for a row that came before: a damaged index or tree can
    ///   name one row endlessly.
    mutating func step() throws(KeychainError) -> Bool {
        guard try statement.step() else {
            return false
        }
        let change = statement.number(0)
        if let last {
            guard let change, order == .oldestFirst ? change > last : change < last else {
                throw FormatVersion.notAKeychain
            }
        }
        last = change
        count += 1
        return true
    }

    /// Whether the row is of another class. A row of no class is damaged.
    var isOfOtherClass: Bool {
        guard let code = statement.number(2).flatMap(UInt32.init(exactly:)) else {
            return false
        }
        let rowClass = ItemClass(rawValue: FourCharacterCode(rawValue: code))
        return rowClass != itemClass && rowClass.isStored
    }

    /// Returns the row without its secret.
    ///
    /// - Throws: ``Status/decode`` for an invalid row.
    borrowing func row() throws(KeychainError) -> ItemRow { try ItemRow(statement) }

    /// Returns the secret of the row.
    borrowing func secret() -> [UInt8] {
        statement.blob(ItemRow.secretColumn)
    }
}
