/// What a terminal of some width shows in the end of the bytes that were written to it, as far as simple
/// programs go: what begins a line, erases its rest or wraps at the last column.
struct TerminalScreen {
    let columns: Int
    /// The lines, without blanks at their ends.
    var lines: [String] { cells.map { String(trimmed($0)) } }
    /// How often a line was full, and what followed was written on the next one.
    private(set) var wraps = 0
    private var cells: [[Character]] = [[]]
    private var column = 0

    /// - Parameter text: ASCII.
    init(_ text: String, columns: Int) {
        self.columns = columns
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\r": column = 0
            case "\n": cells.append([])
            case "\u{1B}" where rest.starts(with: "[K".unicodeScalars):
                rest = rest.dropFirst(2)
                cells[cells.count - 1].removeLast(max(0, cells[cells.count - 1].count - column))
            default: put(Character(scalar))
            }
        }
    }

    private mutating func put(_ character: Character) {
        if column == columns {
            cells.append([])
            column = 0
            wraps += 1
        }
        let line = cells.count - 1
        while cells[line].count <= column {
            cells[line].append(" ")
        }
        cells[line][column] = character
        column += 1
    }

    private func trimmed(_ line: [Character]) -> ArraySlice<Character> {
        line.prefix((line.lastIndex { $0 != " " } ?? -1) + 1)
    }
}
