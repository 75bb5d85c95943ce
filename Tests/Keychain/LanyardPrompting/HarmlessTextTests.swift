import LanyardPrompting
import Testing

@Suite("texts made safe for a terminal")
struct HarmlessTextTests {
    @Test(
        "invisible and bidirectional characters are shown as numbers",
        arguments: [
            ("git\u{200B}hub.com", #"git\u{200B}hub.com"#), ("\u{202E}moc", #"\u{202E}moc"#),
            ("a\u{200E}\u{200F}\u{61C}b", #"a\u{200E}\u{200F}\u{61C}b"#),
            ("\u{2066}x\u{2069}", #"\u{2066}x\u{2069}"#), ("\u{FEFF}a", #"\u{FEFF}a"#),
            ("soft\u{AD}ware", #"soft\u{AD}ware"#), ("a\u{200D}b", #"a\u{200D}b"#),
            ("x\u{FE0F}", #"x\u{FE0F}"#), ("\u{3164}", #"\u{3164}"#),
            ("\u{1F3F4}\u{E0067}", "\u{1F3F4}" + #"\u{E0067}"#),
            ("\u{1F469}\u{200D}", "\u{1F469}" + #"\u{200D}"#),
            ("\u{1B}[2J\n", #"\u{1B}[2J\u{A}"#), ("\u{2028}", #"\u{2028}"#),
        ])
    func shown(text: String, expected: String) {
        // By bytes: a String takes signs that look the same for one.
        #expect(Array(harmless(text).utf8) == Array(expected.utf8))
    }

    @Test(
        "visible characters stay",
        arguments: [
            "", "backup", "naïve", "e\u{301}", "العربية", "漢字", "👩‍👩‍👧", "❤️", "👍🏽", "🇫🇷",
            "a\u{A0}b", "\\u{200B}",
        ])
    func kept(text: String) {
        #expect(Array(harmless(text).utf8) == Array(text.utf8))
    }

    @Test("no shown text is invisible")
    func everything() {
        let values = [UInt32(0)...0x1FFFF, 0xE0000...0xE1000].joined()
        let invisible = values.filter { value in
            let shown = Unicode.Scalar(value).map { harmless(String($0)).unicodeScalars }
            return shown?.contains {
                $0.properties.isDefaultIgnorableCodePoint
                    || $0.properties.generalCategory == .control
            } == true
        }
        #expect(invisible == [])
    }
}
