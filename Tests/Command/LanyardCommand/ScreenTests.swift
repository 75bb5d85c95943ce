import LanyardPrompting
import Testing

@testable import LanyardCommand

@Suite("screens")
struct ScreenTests {
    private var screen: Screen {
        var screen = Screen()
        screen.addBlankLine()
        screen.add(.warning, "a file of '/home/ada' has\u{1B}[0m logins", "fix: lanyard import x y")
        screen.add("state", "")
        screen.add("in use", [])
        screen.addBlankLine()
        screen.add("result", "1 warning")
        return screen
    }

    private func terminal(_ columns: Int, colours: Bool = false) -> OutputTerminal {
        OutputTerminal(kernelColumns: columns) { $0 == "TERM" && colours ? "xterm" : nil }
    }

    @Test("for a program, lines are as long as necessary")
    func withoutATerminal() {
        #expect(
            screen.text(for: nil) == #"""
                warning   a file of '/home/ada' has\u{1B}[0m logins
                          fix: lanyard import x y
                state

                result    1 warning

                """#)
    }

    @Test("a long text continues below itself, and a command stays whole")
    func narrow() {
        #expect(
            screen.text(for: terminal(40)) == #"""
                warning   a file of '/home/ada'
                          has\u{1B}[0m logins
                          fix: lanyard import x y
                state

                result    1 warning

                """#)
    }

    @Test("without room for two columns, texts continue below their labels")
    func veryNarrow() {
        #expect(
            screen.text(for: terminal(24)) == #"""
                warning  a file of
                  '/home/ada'
                  has\u{1B}[0m logins
                  fix:
                  lanyard import x y
                state

                result  1 warning

                """#)
    }

    @Test("warnings, errors and passed checks have a colour, on a terminal with colours")
    func colours() {
        var screen = screen
        screen.add(.error, "e")
        screen.add(.note, "n")
        screen.add(.good, "g")
        let lines = screen.text(for: terminal(80, colours: true)).split(separator: "\n")
        #expect(lines[0].hasPrefix("\u{1B}[33mwarning\u{1B}[0m   a file"))
        #expect(
            lines.suffix(4) == [
                "result    1 warning", "\u{1B}[31merror\u{1B}[0m     e", "note      n",
                "\u{1B}[32mok\u{1B}[0m        g",
            ])
        #expect(!screen.text(for: terminal(80)).contains("\u{1B}"))
    }
}
