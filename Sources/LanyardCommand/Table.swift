internal import HelperKit

/// Lines of cells in columns.
struct Table {
    private var rows: [[String]]

    /// A table with a line of headings.
    init(_ headings: [String]) {
        rows = [headings]
    }

    /// Whether there is nothing but the headings.
    var isEmpty: Bool { rows.count == 1 }

    mutating func append(_ cells: [String]) {
        rows.append(cells.map(harmless))
    }

    /// The lines, cells two spaces apart, each line with a line feed at its end.
    var text: String {
        let widths = rows[0].indices.map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell
                if column < row.count - 1 {
                    line += String(repeating: " ", count: widths[column] - cell.count + 2)
                }
            }
            return line + "\n"
        }.joined()
    }
}
