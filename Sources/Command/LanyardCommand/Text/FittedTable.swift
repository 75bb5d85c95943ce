internal import LanyardPrompting

/// A table that fits a terminal: long cells are cut in the middle.
struct FittedTable {
    struct Column {
        let title: String
        /// The minimum width in terminal columns; nil if it can't be narrowed.
        let leastWidth: Int?

        init(_ title: String, leastWidth: Int? = nil) {
            self.title = title
            self.leastWidth = leastWidth
        }
    }

    struct Cell {
        let text: String
        let style: TextStyle

        init(_ text: String, _ style: TextStyle = .plain) {
            self.text = harmless(text)
            self.style = style
        }
    }

    private let columns: [Column]
    private var rows: [[Cell]] = []
    /// The width of each column's widest cell.
    private var widest: [Int]
    /// The columns to hide.
    var hidden: Set<Int> = []

    private static let gap = 2

    init(_ columns: [Column]) {
        self.columns = columns
        widest = columns.map { _ in 0 }
        append(columns.map { Cell($0.title, .heading) })
    }

    mutating func append(_ cells: [Cell]) {
        measure(cells)
        rows.append(cells)
    }

    /// Widens the columns for a row that is not stored.
    mutating func measure(_ cells: [Cell]) {
        for (column, cell) in cells.enumerated() {
            widest[column] = max(widest[column], DisplayWidth.of(cell.text))
        }
    }

    /// Returns the lines, each with a line feed at its end. If the terminal can't fit the narrowest
    /// columns, it breaks lines itself.
    ///
    /// - Parameter terminal: nil if the output is not for users: lines are as long as necessary then.
    func text(for terminal: OutputTerminal?) -> String {
        guard let terminal else {
            var table = Table(columns.map(\.title))
            rows.dropFirst().forEach { table.append($0.map(\.text)) }
            table.hidden = hidden
            return table.text
        }
        let line = line(for: terminal)
        return rows.map { line($0) }.joined()
    }

    /// Returns a function that formats a measured row.
    func line(for terminal: OutputTerminal) -> ([Cell]) -> String {
        let shown = columns.indices.filter { !hidden.contains($0) }
        let widths = widths(of: Array(shown), in: terminal.columns)
        return { (row: [Cell]) -> String in
            var line = ""
            var blanks = 0
            for (column, width) in zip(shown, widths) {
                let cell = row[column]
                let text = cell.text.cutInTheMiddle(to: width)
                // Lines have no trailing spaces.
                if !text.isEmpty {
                    line += String(repeating: " ", count: blanks)
                    line += terminal.hasColours ? cell.style.applied(to: text) : text
                    blanks = 0
                }
                blanks += width - DisplayWidth.of(text) + FittedTable.gap
            }
            return line + "\n"
        }
    }

    /// Returns the widths of columns: as wide as their widest cell, if all fit; else the widest ones become
    /// narrower.
    private func widths(of shown: [Int], in total: Int) -> [Int] {
        var widths = shown.map { self.widest[$0] }
        let columns = shown.map { self.columns[$0] }
        var excess = widths.reduce(0, +) + (widths.count - 1) * FittedTable.gap - total
        while excess > 0 {
            let widest = widths.indices.filter { widths[$0] > columns[$0].leastWidth ?? Int.max }
                .max { widths[$0] < widths[$1] }
            guard let widest else {
                break
            }
            // Down to the next narrower one at once: a name can have 65,535 bytes.
            let others = widths.indices.filter { $0 != widest && widths[$0] <= widths[widest] }
            let next = others.map { widths[$0] }.max() ?? 0
            let least = max(columns[widest].leastWidth ?? 0, min(next, widths[widest] - 1))
            let step = min(excess, widths[widest] - least)
            widths[widest] -= step
            excess -= step
        }
        return widths
    }
}
