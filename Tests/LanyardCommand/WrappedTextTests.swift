import Testing

@testable import LanyardCommand

@Suite("lines broken for a terminal")
struct WrappedTextTests {
    @Test(
        "between words, and what follows is indented",
        arguments: [
            ("", ""), ("a b\n", "a b\n"), ("one two three", "one two\n  three"),
            ("one two three four five", "one two\n  three\n  four\n  five"),
            ("a_very_long_word x", "a_very_long_word\n  x"),
            ("x a_very_long_word", "x\n  a_very_long_word"),
            ("k: 漢字 漢字 漢\n\nb\n", "k: 漢字\n  漢字 漢\n\nb\n"),
        ])
    func wrapped(text: String, shown: String) {
        #expect(text.wrapped(to: 9) == shown)
    }
}
