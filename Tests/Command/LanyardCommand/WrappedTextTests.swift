import LanyardPrompting
import Testing

@Suite("lines broken for a terminal")
struct WrappedTextTests {
    @Test(
        "as far as the line itself is, where it is; a command at its end breaks between arguments",
        arguments: [
            ("    one two three four", "    one\n    two\n    three\n    four"),
            ("why: git x", "why:\n  git x"), ("why: git x y", "why:\n  git \\\n  x y"),
            ("why: git 'x y' z", "why:\n  git \\\n  'x y' \\\n  z"),
            ("on a git x y", "on a git\n  x y"), ("go on or not? ", "go on or\n  not? "),
            ("note     a b c", "note\n  a b c"),
            // A sentence goes on after it.
            (
                "do: git x y; or z: git a b",
                "do:\n  git \\\n  x y;\n  or z:\n  git \\\n  a b"
            ),
            // A column may begin with one, and another one follow.
            ("x  lanyard y", "x\n  lanyard \\\n  y"),
            ("x  lanyard y  z", "x\n  lanyard \\\n  y  z"),
            ("do: git 'x; y', or z", "do:\n  git \\\n  'x; y',\n  or z"),
        ])
    func indented(text: String, shown: String) {
        #expect(text.wrapped(to: 8) == shown)
    }

    @Test(
        "a command of the shell can be pasted, too",
        arguments: [
            (
                "add: set -a; . /home/ada/a.conf; set +a",
                "add: set \\\n  -a; . \\\n  /home/ada/a.conf; \\\n  set +a"
            ),
            ("do: export A=/home/ada/x", "do: export \\\n  A=/home/ada/x"),
            ("hint: set it to one more", "hint: set it\n  to one\n  more"),
            ("add it: set -a; b", "add it:\n  set -a; b"),
        ])
    func shell(text: String, shown: String) {
        #expect(text.wrapped(to: 12) == shown)
    }

    @Test("only unbreakable text is too wide", arguments: 20...100)
    func widths(columns: Int) {
        let text =
            "warning  the folder of the keychain can be written by other users of the machine"
        let wrapped = text.wrapped(to: columns, indentation: 9)
        let lines = wrapped.split(separator: "\n")
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= columns })
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix(String(repeating: " ", count: 9)) })
        #expect(wrapped.split(whereSeparator: \.isWhitespace) == text.split(separator: " "))
    }

    @Test(
        "between words, and what follows is indented",
        arguments: [
            ("", ""), ("a b\n", "a b\n"), ("one two three", "one two\n  three"),
            ("one two three four five", "one two\n  three\n  four\n  five"),
            ("a_very_long_word x", "a_very_long_word\n  x"),
            ("'/home/ada/x' y", "'/home/\n  ada/x'\n  y"),
            ("/very_long_name/x", "/\n  very_long_name/\n  x"),
            ("x a_very_long_word", "x\n  a_very_long_word"),
            ("k: 漢字 漢字 漢\n\nb\n", "k: 漢字\n  漢字 漢\n\nb\n"),
        ])
    func wrapped(text: String, shown: String) {
        #expect(text.wrapped(to: 9) == shown)
    }
}
