/// A table in Markdown whose columns are as wide as they have to be.
struct Table {
    var rows: [[String]]

    /// A table with these names of columns.
    init(_ header: String...) {
        rows = [header]
    }

    /// The lines of the table.
    var lines: [String] {
        let widths = rows[0].indices.map { column in
            max(3, rows.map { $0[column].count }.max() ?? 0)
        }
        func line(_ fields: [String]) -> String {
            let padded = zip(fields, widths).map { field, width in
                field + String(repeating: " ", count: width - field.count)
            }
            return "| " + padded.joined(separator: " | ") + " |"
        }
        let rule = line(widths.map { String(repeating: "-", count: $0) })
        return [line(rows[0]), rule] + rows.dropFirst().map(line)
    }
}
