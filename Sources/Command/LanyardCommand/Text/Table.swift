internal import LanyardPrompting

/// Lines of cells in columns.
struct Table {
    private var rows: [[Cell]] = []
    private var widths: [Int]
    /// The columns to hide.
    var hidden: Set<Int> = []

    private struct Cell {
        let text: String
        /// The number of characters.
        let width: Int

        init(_ text: String) {
            self.text = harmless(text)
            // Each byte of ASCII is a character; the one exception, CR LF, is not harmless.
            let bytes = self.text.utf8
            width = bytes.allSatisfy { $0 < 0x80 } ? bytes.count : self.text.count
        }
    }

    /// Creates a table with a line of headings.
    init(_ headings: [String]) {
        widths = headings.map { _ in 0 }
        append(headings)
    }

    /// Whether the table has only headings.
    var isEmpty: Bool { rows.count == 1 }

    mutating func append(_ cells: [String]) {
        rows.append(measured(cells))
    }

    /// Widens the columns for a row that is not stored.
    mutating func measure(_ cells: [String]) {
        _ = measured(cells)
    }

    private mutating func measured(_ cells: [String]) -> [Cell] {
        let row = cells.map { Cell($0) }
        for column in row.indices {
            widths[column] = max(widths[column], row[column].width)
        }
        return row
    }

    /// The lines, with cells two spaces apart and a line feed at each end.
    var text: String {
        var text: [UInt8] = []
        for row in rows {
            append(row, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the line of a measured row.
    func line(_ cells: [String]) -> String {
        var line: [UInt8] = []
        append(cells.map { Cell($0) }, to: &line)
        return String(decoding: line, as: UTF8.self)
    }

    private func append(_ row: [Cell], to text: inout [UInt8]) {
        var shown = row.indices.filter { !hidden.contains($0) }
        // Lines have no trailing spaces.
        while let last = shown.last, row[last].text.isEmpty {
            shown.removeLast()
        }
        for column in shown {
            text += row[column].text.utf8
            if column != shown.last {
                text += repeatElement(
                    UInt8(ascii: " "), count: widths[column] - row[column].width + 2)
            }
        }
        text.append(UInt8(ascii: "\n"))
    }

    /// Returns the lines for users: on a narrow terminal, the widest columns shrink, and their text
    /// continues on further lines, between words if possible.
    ///
    /// - Parameter terminal: nil if the output is not for users.
    func text(for terminal: OutputTerminal?) -> String {
        let all = rows.indices.map { row in rows[row].map(\.text) }
        let natural = widths.indices.map { column in
            all.map { DisplayWidth.of($0[column]) }.max() ?? 0
        }
        let gaps = 2 * (widths.count - 1)
        guard let terminal, natural.reduce(gaps, +) > terminal.columns else {
            return text
        }
        let narrow = Table.narrowed(natural, by: natural.reduce(gaps, +) - terminal.columns)
        return all.map { Table.lines($0, narrow) }.joined()
    }

    /// The minimum width of a column.
    private static let leastWidth = 12

    private static func narrowed(_ widths: [Int], by excess: Int) -> [Int] {
        var widths = widths
        for _ in 0..<excess {
            guard let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
                widths[widest] > leastWidth
            else {
                break
            }
            widths[widest] -= 1
        }
        return widths
    }

    /// Returns a row in as many lines as its longest cell needs.
    private static func lines(_ cells: [String], _ widths: [Int]) -> String {
        let pieces = zip(cells, widths).map { $0.pieces(of: $1) }
        var text = ""
        for number in 0..<(pieces.map(\.count).max() ?? 0) {
            var line = ""
            var end = 0
            for (column, width) in widths.enumerated() {
                let piece = number < pieces[column].count ? pieces[column][number] : ""
                if !piece.isEmpty {
                    line += String(repeating: " ", count: end - DisplayWidth.of(line)) + piece
                }
                end += width + 2
            }
            text += "\(line)\n"
        }
        return text
    }
}

extension String {
    /// Returns the text in pieces that fit a column: broken at spaces, else after slashes or dots, else
    /// anywhere.
    fileprivate func pieces(of width: Int) -> [String] {
        var pieces: [String] = []
        var rest = self[...]
        while DisplayWidth.of(rest) > width {
            var fitting = rest.startIndex
            var columns = 0
            while fitting < rest.endIndex {
                columns += DisplayWidth.of(rest[fitting])
                guard columns <= width || fitting == rest.startIndex else {
                    break
                }
                fitting = rest.index(after: fitting)
            }
            let piece = rest[..<fitting]
            let isWhole = rest[fitting...].first == " "
            let end =
                isWhole
                ? fitting
                : ([" ", "/", "."] as [Character]).compactMap { piece.lastIndex(of: $0) }.first.map(
                    rest.index(after:))
                    ?? fitting
            pieces.append(String(rest[..<end]).droppingBlanksAtEnd)
            rest = rest[end...].drop { $0 == " " }
        }
        return pieces + [String(rest)]
    }

    private var droppingBlanksAtEnd: String {
        String(prefix(upTo: lastIndex { $0 != " " }.map(index(after:)) ?? startIndex))
    }
}
