import LanyardPrompting
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
        table.append(["x", "", ""])
        #expect(table.text == "A     LONG  C\nlong  x     y\n      é     last\nx\n")
    }

    @Test("a measured row widens its columns, and a hidden column is left out")
    func measured() {
        var table = Table(["A", "B", "C"])
        table.measure(["long", "hidden", "x"])
        table.hidden = [1]
        #expect(table.text == "A     C\n")
        #expect(table.line(["a", "hidden", "y"]) == "a     y\n")
        table.hidden = [2]
        #expect(table.line(["a", "b", "y"]) == "a     b\n")
    }

    @Test(
        "nothing in a cell is a command to the terminal",
        arguments: [
            ("\u{1B}[31mred", #"\u{1B}[31mred"#), ("a\nb\r\tc", #"a\u{A}b\u{D}\u{9}c"#),
            ("\u{7F}\u{9B}2J", #"\u{7F}\u{9B}2J"#), ("\r\n", #"\u{D}\u{A}"#),
            ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#),
            ("e\u{301}👩‍👩‍👧 العربية", "e\u{301}👩‍👩‍👧 العربية"),
        ])
    func harmlessCells(cell: String, shown: String) {
        var table = Table(["A"])
        table.append([cell])
        #expect(Array(table.text.utf8) == Array("A\n\(shown)\n".utf8))
    }

    @Test("text too wide for the terminal wraps between words")
    func narrow() {
        var table = Table(["NAME", "VALUE", "FROM"])
        table.append(["lanyard.searchList", "secret-service login work", "default"])
        table.append(["lanyard.default", "work", "/home/ada/.config/lanyard/config:2"])
        #expect(table.text(for: nil) == table.text)
        #expect(table.text(for: OutputTerminal(kernelColumns: 83) { _ in nil }) == table.text)
        #expect(
            table.text(for: OutputTerminal(kernelColumns: 56) { _ in nil }) == """
                NAME               VALUE              FROM
                lanyard.           secret-service     default
                searchList         login work
                lanyard.default    work               /home/ada/.config/
                                                      lanyard/config:2

                """)
    }

    @Test("cells of any width")
    func wideCells() {
        var table = Table(["A", "B"])
        table.append([String(repeating: "漢", count: 10_000), String(repeating: "x", count: 10_000)])
        table.append(["\u{301}", "\u{200D}"])
        #expect(table.text.split(separator: "\n").count == 3)
    }
}
