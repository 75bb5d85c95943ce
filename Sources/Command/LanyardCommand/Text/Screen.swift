internal import KeychainServices
internal import LanyardPrompting

/// What a command shows users: a column of labels, and next to each one or more lines of text, which
/// continue in their own column if the terminal is narrow.
struct Screen {
    /// The word that says what a text is about, at most eight columns wide.
    struct Label: ExpressibleByStringLiteral {
        let text: String
        let style: TextStyle

        static let good = Label("ok", .good)
        static let note: Label = "note"
        static let warning = Label("warning", .cautious)
        static let error = Label("error", .alarming)

        private init(_ text: String, _ style: TextStyle) {
            self.text = text
            self.style = style
        }

        init(stringLiteral text: String) {
            self.init(text, .plain)
        }
    }

    fileprivate struct Line {
        let label: Label
        let text: String
    }

    /// Where the texts begin.
    private static let textColumn = 10
    /// Where they begin in a window that has no room for two columns.
    private static let narrowTextColumn = 2
    private static let narrowestColumns = 40

    fileprivate static func textColumn(for terminal: OutputTerminal?) -> Int {
        terminal.map { $0.columns < narrowestColumns } == true ? narrowTextColumn : textColumn
    }

    private var lines: [Line] = []

    var isEmpty: Bool { lines.isEmpty }

    /// Adds a label and its texts, each on a line of its own.
    mutating func add(_ label: Label, _ texts: String...) {
        add(label, texts)
    }

    /// Adds a label and its texts, each on a line of its own; nothing without texts.
    mutating func add(_ label: Label, _ texts: [String]) {
        for (number, text) in texts.enumerated() {
            lines.append(Line(label: number == 0 ? label : "", text: text))
        }
    }

    /// Separates what follows, if there is anything to separate it from.
    mutating func addBlankLine() {
        if !lines.isEmpty {
            lines.append(Line(label: "", text: ""))
        }
    }

    /// Returns the lines, each with a line feed at its end.
    ///
    /// - Parameter terminal: nil if the output is not for users: lines are as long as necessary then.
    func text(for terminal: OutputTerminal?) -> String {
        lines.map { $0.text(for: terminal) + "\n" }.joined()
    }

    /// Prints the lines.
    ///
    /// - Throws: ``Status/io``.
    func show() throws(KeychainError) {
        guard !isEmpty else {
            return
        }
        try writeAnswer(Secret(text(for: .current)))
    }
}

extension Screen.Line {
    fileprivate func text(for terminal: OutputTerminal?) -> String {
        guard !text.isEmpty else {
            return label.text
        }
        let column = Screen.textColumn(for: terminal)
        let labelWidth = label.text.utf8.count
        let blanks = String(
            repeating: " ", count: max(labelWidth == 0 ? 0 : 2, column - labelWidth))
        var line = label.text + blanks + harmless(text)
        guard let terminal else {
            return line
        }
        line = line.wrapped(to: terminal.columns, indentation: column)
        guard terminal.hasColours, !label.text.isEmpty else {
            return line
        }
        return label.style.applied(to: label.text) + line.dropFirst(label.text.count)
    }
}

/// Prints lines without labels for users, broken between words at the width of the terminal.
func show(_ lines: [String]) throws(KeychainError) {
    guard !lines.isEmpty else {
        return
    }
    let text = lines.map { harmless($0) + "\n" }.joined()
    try writeAnswer(Secret(OutputTerminal.current.map { text.wrapped(to: $0.columns) } ?? text))
}
