internal import KeychainServices
internal import LanyardPrompting
internal import SealedStore
internal import StrictJSON

/// A use of an item, with the name of its keychain.
struct ListedUse {
    let use: LoggedUse
    let keychain: String
}

/// The output of `lanyard log`.
struct UseListing {
    /// The uses, the latest last.
    let uses: [ListedUse]

    /// Returns the uses of several keychains in the order of their times. Those of one keychain keep their
    /// order, even if a clock was wrong.
    static func merged(_ uses: [ListedUse]) -> [ListedUse] {
        var latest: [String: Timestamp] = [:]
        var timed: [(time: Timestamp, number: Int, use: ListedUse)] = []
        for (number, use) in uses.enumerated() {
            let time = max(use.use.time, latest[use.keychain] ?? use.use.time)
            latest[use.keychain] = time
            timed.append((time, number, use))
        }
        return timed.sorted { ($0.time, $0.number) < ($1.time, $1.number) }.map(\.use)
    }

    private static let titles = [
        "TIME", "USE", "GROUP", "NAME", "ACCOUNT", "PROGRAM", "FOR", "UNIT", "KEYCHAIN",
    ]

    /// Writes a table, nothing without uses.
    ///
    /// - Parameter terminal: nil if the output is not for users: lines are as long as necessary then.
    /// - Throws: ``Status/io``.
    func write(for terminal: OutputTerminal?) throws(KeychainError) {
        guard !uses.isEmpty else {
            return
        }
        try writeAnswer(Secret(table.text(for: terminal)))
    }

    /// The table of all uses, without the columns that say nothing.
    var table: FittedTable {
        let rows = uses.map(cells)
        let hidden = Set(
            (rows.contains { $0[7] != "-" } ? [] : [7])
                + (uses.contains { $0.keychain != uses[0].keychain } ? [] : [8]))
        var table = FittedTable(
            zip(UseListing.titles, [nil, nil, 3, 8, 4, 7, 5, 6, 4]).map {
                FittedTable.Column($0, leastWidth: $1)
            })
        rows.forEach { table.append($0.map { FittedTable.Cell($0) }) }
        table.hidden = hidden
        return table
    }

    private func cells(_ use: ListedUse) -> [String] {
        let logged = use.use
        let unit = logged.requester.unit.isEmpty ? logged.program.unit : logged.requester.unit
        // Lines have no trailing spaces.
        return [
            logged.time.text, logged.action.name, logged.accessGroup.description,
            logged.name.description + (logged.hasMore ? " and more" : ""),
            logged.account.description, logged.program.text, logged.requester.text,
            unit.isEmpty ? "-" : unit.description, use.keychain,
        ]
    }

    /// Writes an array of objects.
    ///
    /// - Throws: ``Status/io``.
    func writeJSON() throws(KeychainError) {
        try JSONWriter.write(
            invalidText: .replace,
            to: { piece throws(KeychainError) in try writeAnswer(piece) }
        ) { writer throws(KeychainError) in
            try writer.writeObjects(of: uses) { writer, use throws(KeychainError) in
                try writer.members(of: use)
            }
        }
    }
}

extension JSONWriter {
    /// Writes a use as an object's members. Part of the stable output: see lanyard-log(1), "JSON".
    fileprivate mutating func members(of use: ListedUse) throws(KeychainError) {
        let logged = use.use
        try member("time", ByteString(logged.time.text))
        try member("use", ByteString(logged.action.name))
        try member("class", ByteString(logged.itemClass.name))
        try member("name", logged.name)
        try member("account", logged.account)
        try member("group", logged.accessGroup)
        try member("keychain", ByteString(use.keychain))
        try member("program", logged.program)
        try member("for", logged.requester)
        try member("more", logged.hasMore)
    }

    private mutating func member(
        _ name: ByteString, _ program: LoggedUse.Program
    ) throws(KeychainError) {
        try member(object: name) { writer throws(KeychainError) in
            try writer.member("path", program.path.isEmpty ? nil : program.path.description)
            try writer.member("process", program.process == 0 ? nil : Int(program.process))
            try writer.member("unit", program.unit.isEmpty ? nil : program.unit.description)
        }
    }
}

extension LoggedUse.Program {
    /// The program's name, without its folder: the JSON has the whole path.
    fileprivate var text: String {
        path.description.split(separator: "/").last.map(String.init) ?? "unknown"
    }
}

extension LoggedUse.Action {
    /// The word for it.
    fileprivate var name: String {
        switch self {
        case .read: "read"
        case .stored: "stored"
        case .changed: "changed"
        case .deleted: "deleted"
        }
    }
}

extension ItemClass {
    fileprivate var name: String {
        switch self {
        case .internetPassword: "internet-password"
        case .genericPassword: "generic-password"
        case .key: "key"
        default: description
        }
    }
}
