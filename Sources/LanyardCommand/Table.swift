internal import HelperKit

/// Lines of cells in columns.
struct Table {
    private var rows: [[Cell]] = []
    private var widths: [Int]

    private struct Cell {
        let text: String
        /// How many characters it has.
        let width: Int

        init(_ text: String) {
            self.text = harmless(text)
            // Each byte of ASCII is a character; the one exception, CR LF, is not harmless.
            let bytes = self.text.utf8
            width = bytes.allSatisfy { $0 < 0x80 } ? bytes.count : self.text.count
        }
    }

    /// A table with a line of headings.
    init(_ headings: [String]) {
        widths = headings.map { _ in 0 }
        append(headings)
    }

    /// Whether there is nothing but the headings.
    var isEmpty: Bool { rows.count == 1 }

    mutating func append(_ cells: [String]) {
        let row = cells.map { Cell($0) }
        for column in row.indices {
            widths[column] = max(widths[column], row[column].width)
        }
        rows.append(row)
    }

    /// The lines, cells two spaces apart, each line with a line feed at its end.
    var text: String {
        let gap = String(repeating: " ", count: (widths.max() ?? 0) + 2).utf8
        var text: [UInt8] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                text += cell.text.utf8
                if column < row.count - 1 {
                    text += gap.prefix(widths[column] - cell.width + 2)
                }
            }
            text.append(UInt8(ascii: "\n"))
        }
        return String(decoding: text, as: UTF8.self)
    }
}
