import KeychainServices

@testable import LanyardTransfer

/// Comma-separated values: a file that is written from what was read is read as the same.
enum CSVTarget: FuzzTarget {
    static let name = "csv"

    static func run(_ input: [UInt8]) {
        guard let entries = ImportedEntries(CSVFile(), input, group: "login") else {
            return
        }
        check(entries.ranges.isEmpty, "an entry of an export can be cut out")
        var scanner = CSVScanner(input.span)
        var rows: [[[UInt8]]] = []
        while let row = attempt({ () throws(KeychainError) in try scanner.next(in: input.span) }),
            let row
        {
            check(row.fields.count == min(row.count, CSVScanner.fieldLimit), "a field is missing")
            if !row.isMalformed, row.count == row.fields.count {
                rows.append(row.fields.map { $0.secret(in: input.span).array() })
            }
        }
        let written = Array(
            rows.map { row in Array(row.map(quoted).joined(separator: [0x2C])) }
                .joined(separator: [0x0D, 0x0A]))
        var again = CSVScanner(written.span)
        for row in rows {
            let read = attempt { () throws(KeychainError) in try again.next(in: written.span) }
            check(
                read??.fields.map { $0.secret(in: written.span).array() } == row,
                "what was written is read as something else")
        }
    }

    private static func quoted(_ field: [UInt8]) -> [UInt8] {
        [0x22] + field.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] } + [0x22]
    }
}
