import Testing

@testable import LanyardCommand

@Suite("a table")
struct TableTests {
    @Test("the columns are as wide as their widest cell, and no blank ends a line")
    func widths() {
        var table = Table(["A", "LONG", "C"])
        #expect(table.isEmpty)
        table.append(["long", "x", "y"])
        table.append(["", "é", "last"])
        #expect(!table.isEmpty)
        #expect(table.text == "A     LONG  C\nlong  x     y\n      é     last\n")
    }

    @Test(
        "nothing in a cell is a command to the terminal",
        arguments: [
            ("\u{1B}[31mred", "?[31mred"), ("a\nb\r\tc", "a?b??c"), ("\u{7F}\u{9B}2J", "??2J"),
            ("\u{202E}evil\u{2066}", "?evil?"), ("\u{2028}\u{2029}", "??"), ("\r\n", "??"),
            ("e\u{301}👩‍👩‍👧 العربية", "e\u{301}👩‍👩‍👧 العربية"),
        ])
    func harmlessCells(cell: String, shown: String) {
        var table = Table(["A"])
        table.append([cell])
        #expect(Array(table.text.utf8) == Array("A\n\(shown)\n".utf8))
    }

    @Test("cells of any width")
    func wideCells() {
        var table = Table(["A", "B"])
        table.append([String(repeating: "漢", count: 10_000), String(repeating: "x", count: 10_000)])
        table.append(["\u{301}", "\u{200D}"])
        #expect(table.text.split(separator: "\n").count == 3)
    }
}
