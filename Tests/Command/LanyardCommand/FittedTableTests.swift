import LanyardPrompting
import Testing

@testable import LanyardCommand

@Suite("a table that fits the terminal")
struct FittedTableTests {
    private func table(_ rows: [String]...) -> FittedTable {
        var table = FittedTable([
            .init("GROUP", leastWidth: 5), .init("WHAT", leastWidth: 12),
            .init("ACCOUNT", leastWidth: 8), .init("AGE"),
        ])
        for row in rows {
            table.append(row.map { .init($0) })
        }
        return table
    }

    private func terminal(_ columns: Int, colours: Bool = false) -> OutputTerminal {
        OutputTerminal(kernelColumns: columns) { $0 == "TERM" && colours ? "xterm" : nil }
    }

    private static let long = "https://git.example.com/a/long/path/to/some/repository.git"

    @Test("text that fits takes no more room than it needs")
    func fits() {
        let table = table(["git", "https://example.com", "ada", "3 d"], ["", "x", "", "2 mo"])
        let text = """
            GROUP  WHAT                 ACCOUNT  AGE
            git    https://example.com  ada      3 d
                   x                             2 mo

            """
        #expect(table.text(for: terminal(41)) == text)
        #expect(table.text(for: terminal(200)) == text)
    }

    @Test("text that is too long is cut in the middle, the widest column first")
    func cut() {
        let table = table(
            ["git", FittedTableTests.long, "ada.lovelace@example.com", "3 d"],
            ["docker", "漢字.example.com", "bob", "1 y"])
        #expect(
            table.text(for: terminal(60)) == """
                GROUP   WHAT                    ACCOUNT                  AGE
                git     git.example.com/…y.git  ada.lovelac…example.com  3 d
                docker  漢字.example.com        bob                      1 y

                """)
    }

    @Test("a measured row widens its columns, and a hidden column is left out")
    func measured() {
        var table = table()
        table.measure(["", "https://example.com", "hidden", ""].map { .init($0) })
        table.hidden = [2]
        #expect(table.text(for: terminal(80)) == "GROUP  WHAT                 AGE\n")
        let line = table.line(for: terminal(80))
        #expect(
            line(["g", "w", "a", "3 d"].map { .init($0) }) == "g      w                    3 d\n")
    }

    @Test(
        "a URL that is too long keeps its host, and of other names no word is cut where that can be",
        arguments: [
            ("https://git.example.com/a/b/notes.git", 37, "https://git.example.com/a/b/notes.git"),
            ("https://git.example.com/a/b/notes.git", 36, "https://git.example.com/…b/notes.git"),
            ("https://git.example.com/a/b/notes.git", 26, "git.example.com/…notes.git"),
            ("https://git.example.com/a/b/notes.git", 25, "git.example.com/…otes.git"),
            ("https://git.example.com/a/b/notes.git", 17, "git.example.com…"),
            ("https://git.example.com/a/b/notes.git", 15, "git.example.com"),
            ("https://git.example.com/a/b/notes.git", 12, "…example.com"),
            ("http://git.example.com/a/b/notes.git", 26, "http://git.example.com/…it"),
            ("ssh://git.example.com/a/b/notes.git", 21, "ssh://git.example.com"),
            ("ssh://git.example.com/a/b/notes.git", 18, "ssh://…example.com"),
            ("ssh://git.example.com/a/b/notes.git", 12, "…example.com"),
            ("https://git.example.com", 20, "git.example.com"),
            ("https://registry.example.com:5000", 30, "registry.example.com:5000"),
            ("https://example.com.evil.example/a", 21, "…ple.com.evil.example"),
            ("the mail server of the office", 20, "the mail … office"),
            ("://git.example.com/a", 12, "://git…com/a"),
        ])
    func cutName(name: String, columns: Int, shown: String) {
        #expect(name.cutInTheMiddle(to: columns) == shown)
    }

    private func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n")
    }

    @Test("no line is wider than the terminal, down to the narrowest columns", arguments: 38...130)
    func width(columns: Int) {
        let table = table(
            ["git", FittedTableTests.long, "ada.lovelace@example.com", "3 d"],
            [
                String(repeating: "g", count: 500), String(repeating: "漢", count: 65_535 / 3), "",
                "1 y",
            ])
        let lines = lines(table.text(for: terminal(columns)))
        #expect(lines.count == 3)
        for line in lines {
            #expect(DisplayWidth.of(line) <= columns)
        }
        // The end of the account is there, or the mark of what is not.
        #expect(lines[1].contains("ada.lovelace@example.com") || lines[1].contains(/ad\S*…\S*com/))
    }

    @Test("a terminal that is too narrow for everything gets the narrowest columns")
    func tooNarrow() {
        let table = table(["git", FittedTableTests.long, "ada.lovelace@example.com", "3 d"])
        #expect(table.text(for: terminal(1)) == table.text(for: terminal(34)))
        #expect(table.text(for: terminal(34)).contains("…example.com"))
    }

    @Test("headings are dim, alarms are red, and colors don't widen columns")
    func colours() {
        var table = FittedTable([.init("A", leastWidth: 5), .init("B")])
        table.append([.init("long name"), .init("expired", .alarming)])
        table.append([.init("\u{1B}[31m"), .init("")])
        #expect(
            table.text(for: terminal(80, colours: true))
                == "\u{1B}[2mA\u{1B}[0m           \u{1B}[2mB\u{1B}[0m\n"
                + "long name   \u{1B}[31mexpired\u{1B}[0m\n\\u{1B}[31m\n")
    }

    @Test(
        "colours: only where they are wanted",
        arguments: [
            (["TERM": "xterm"], true), ([:], false), (["TERM": "dumb"], false),
            (["TERM": "xterm", "NO_COLOR": "1"], false),
            (["TERM": "xterm", "NO_COLOR": "0"], false),
            (["TERM": "xterm", "NO_COLOR": ""], true),
        ])
    func wanted(variables: [String: String], hasColours: Bool) {
        let terminal = OutputTerminal(kernelColumns: 80) { variables[$0] }
        #expect(terminal.hasColours == hasColours)
    }

    @Test(
        "the width: COLUMNS, else the kernel's, else 80",
        arguments: [
            (nil, nil, 80), (120, nil, 120), (120, "60", 60), (nil, "60", 60), (120, "", 120),
            (120, "0", 120), (120, "-3", 120), (nil, "x", 80),
        ] as [(Int?, String?, Int)])
    func columns(kernel: Int?, variable: String?, columns: Int) {
        let terminal = OutputTerminal(kernelColumns: kernel) { $0 == "COLUMNS" ? variable : nil }
        #expect(terminal.columns == columns)
    }
}
