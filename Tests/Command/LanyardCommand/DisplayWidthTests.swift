import LanyardPrompting
import TestSupport
import Testing

@testable import LanyardCommand

@Suite("the columns that a text takes on a terminal")
struct DisplayWidthTests {
    @Test(
        "as wcwidth(3) and terminals have them",
        arguments: [
            ("", 0), ("ascii ~", 7), ("é", 1), ("e\u{301}", 1), ("ñandú", 5), ("漢字", 4),
            ("ひらがな", 8), ("ﾊﾝｶｸ", 4), ("Ｆｕｌｌ", 8), ("한국어", 6), ("\u{1112}\u{1161}\u{11AB}", 2),
            ("עִבְרִית", 5), ("ไทย", 3), ("👨", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2),
            ("❤", 1), ("…", 1), ("\u{200B}\u{200D}", 0), ("so\u{AD}ft", 5), ("₿→±", 3), ("𠀀", 2),
        ])
    func columns(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }
}

@Suite("a text cut in its middle")
struct MiddleCutTests {
    @Test(
        "start and end stay",
        arguments: [
            ("short", 5, "short"), ("abcdefghij", 9, "abcd…ghij"), ("abcdefghij", 8, "abcd…hij"),
            ("abcdefghij", 2, "a…"), ("abcdefghij", 1, "…"), ("漢字漢字漢字", 8, "漢字…字"),
            ("漢字漢字漢字", 7, "漢字…字"), ("漢字漢字漢字", 6, "漢…字"),
            ("e\u{301}e\u{301}e\u{301}e\u{301}", 3, "e\u{301}…e\u{301}"),
        ])
    func cut(text: String, columns: Int, shown: String) {
        let cut = text.cutInTheMiddle(to: columns)
        #expect(Array(cut.utf8) == Array(shown.utf8))
        #expect(DisplayWidth.of(cut) <= columns)
    }

    @Test("no text, however it is composed, is wider than there is room")
    func neverTooWide() {
        var random = SeededRandom(seed: 4)
        let parts = ["a", "漢", "e\u{301}", "👩‍👩‍👧", "\u{301}", "🇩🇪", "/", "…"]
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 0...20, using: &random))
                .map { _ in parts.randomElement(using: &random)! }.joined()
            let columns = Int.random(in: 1...12, using: &random)
            #expect(DisplayWidth.of(text.cutInTheMiddle(to: columns)) <= columns)
        }
    }
}
