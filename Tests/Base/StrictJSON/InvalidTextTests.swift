import LanyardSecrets
import Testing

@testable import StrictJSON

@Suite("Invalid texts")
struct InvalidTextTests {
    @Test(
        "are refused with the place of the mistake",
        arguments: [
            // Nothing, or not enough.
            ("", 0), (" ", 1), ("\n\t", 2), ("[", 1), ("{", 1), ("[1", 2), ("[1,", 3), ("[[]", 3),
            ("{\"a\"", 4), ("{\"a\":", 5), ("{\"a\":1", 6), ("{\"a\":1,", 7), ("\"", 1), ("\"a", 2),
            ("\"\\\"", 3), ("[\"a", 3), ("{\"a", 3), ("{\"a\":\"", 6),
            // Too much.
            ("1 2", 2), ("[] []", 3), ("{}{}", 2), ("[]]", 2), ("{}}", 2), ("null,", 4),
            ("\"a\"\"b\"", 3), ("[]\0", 2), ("[]x", 2), ("{} #", 3), ("[] // end", 3),
            ("1\u{FEFF}", 1),
            // Commas and colons.
            ("[,]", 1), ("[1,]", 3), ("[1,,2]", 3), ("[,1]", 1), ("[1 2]", 3), ("[1;2]", 2),
            ("[1:2]", 2), ("[]:", 2), ("{,}", 1), ("{\"a\":1,}", 7), ("{\"a\":1,,\"b\":2}", 7),
            ("{\"a\":1 \"b\":2}", 7), ("{\"a\" 1}", 5), ("{\"a\":}", 5), ("{\"a\"}", 4),
            ("{\"a\"::1}", 5), ("{\"a\":1:2}", 6), ("{\"a\",1}", 4), ("{:1}", 1), (",", 0),
            (":", 0),
            // Brackets.
            ("]", 0), ("}", 0), ("[}", 1), ("{]", 1), ("[{]}", 2), ("[1}", 2), ("{\"a\":1]", 6),
            ("(1)", 0), ("<null>", 0), ("[[[[", 4), ("{\"a\":[}", 6),
            // Names of members.
            ("{a:1}", 1), ("{'a':1}", 1), ("{1:1}", 1), ("{null:1}", 1), ("{[]:1}", 1),
            ("{\"a\nb\":1}", 3), ("{\"a\":1,b:2}", 7), ("{\"\\x\":1}", 2),
            // Literals.
            ("nul", 0), ("nulll", 4), ("Null", 0), ("NULL", 0), ("True", 0), ("tru", 0),
            ("truE", 0), ("falsey", 5), ("fals", 0), ("n", 0), ("t", 0), ("nan", 0), ("NaN", 0),
            ("Infinity", 0), ("-Infinity", 1), ("undefined", 0), ("true1", 4), ("[true false]", 6),
            ("[nu]", 1),
            // Numbers.
            ("-", 1), ("+1", 0), ("--1", 1), ("- 1", 1), ("01", 1), ("-01", 2), ("00", 1),
            ("1.", 2), (".5", 0), ("-.5", 1), ("1.e5", 2), ("1e", 2), ("1e+", 3), ("1e-", 3),
            ("1E", 2), ("1e1.5", 3), ("1ee5", 2), ("1e+-5", 3), ("1.2.3", 3), ("0x10", 1),
            ("0b1", 1), ("1_000", 1), ("1a", 1), ("1,000", 1), ("[-]", 2), ("[1.]", 3), ("[.1]", 1),
            ("[0e]", 3), ("[012]", 2), ("1\u{A0}", 1), ("\u{FF11}", 0), ("∞", 0),
            // Strings and escapes.
            ("'a'", 0), ("a", 0), ("\"\\", 1), ("\"\\\"", 3), ("\"\\a\"", 1), ("\"\\x41\"", 1),
            ("\"\\'\"", 1), ("\"\\0\"", 1), ("\"\\v\"", 1), ("\"\\e\"", 1), ("\"\\U0041\"", 1),
            ("\"\\ \"", 1), ("\"\\\n\"", 1), ("\"\\u\"", 1), ("\"\\u0\"", 1), ("\"\\u00\"", 1),
            ("\"\\u004\"", 1), ("\"\\u004", 1), ("\"\\u00g1\"", 1), ("\"\\u00G1\"", 1),
            ("\"\\u00@1\"", 1), ("\"\\u00`1\"", 1), ("\"\\u00:1\"", 1), ("\"\\u00/1\"", 1),
            ("\"\\u+041\"", 1), ("\"\\u-041\"", 1), ("\"\\u 041\"", 1), ("\"\\u{41}\"", 1),
            ("\"\\é\"", 1), ("\"\\😀\"", 1), ("\"ab\\q\"", 3),
            // Surrogates.
            ("\"\\uD800\"", 1), ("\"\\uDBFF\"", 1), ("\"\\uDC00\"", 1), ("\"\\uDFFF\"", 1),
            ("\"\\uD800a\"", 1), ("\"\\uD800\\n\"", 1), ("\"\\uD800\\u\"", 1),
            ("\"\\uD800\\u0041\"", 1), ("\"\\uD800\\uD800\"", 1), ("\"\\uDC00\\uD800\"", 1),
            ("\"\\uD800\\uDC0\"", 1), ("\"\\uD800uDC00\"", 1), ("\"\\uD834\\uDD1E\\uDD1E\"", 13),
            ("\"\\uD800", 1), ("\"\\uD800\\", 1), ("\"\\uD800\\\\uDC00\"", 1),
            // Control characters.
            ("\"\0\"", 1), ("\"\u{01}\"", 1), ("\"\t\"", 1), ("\"\n\"", 1), ("\"\r\"", 1),
            ("\"a\u{1F}\"", 2), ("\u{0C}null", 0), ("\u{0B}null", 0), ("null\0", 4), ("\0", 0),
            ("[\u{0C}]", 1), ("[\u{A0}]", 1), ("[\u{2028}]", 1), ("[\u{3000}1]", 1), ("\u{1}[]", 0),
            ("\u{7F}", 0),
            // Beyond JSON.
            ("\u{FEFF}null", 0), ("\u{FEFF}{}", 0), ("// x\n1", 0), ("/* x */1", 0), ("[1/**/]", 2),
            ("#\n1", 0), ("{\"a\":1}//", 7), ("[1]\u{1A}", 3), ("{\"a\":/**/1}", 5), ("[<a>]", 1),
            ("*", 0), ("[...]", 1), ("{\"a\":`b`}", 5),
            // Names that stand twice.
            ("{\"a\":1,\"a\":1}", 7), ("{\"a\":1,\"\\u0061\":2}", 7), ("{\"\":1,\"\":2}", 6),
            ("{\"a\":1,\"b\":2,\"a\":3}", 13), ("[{\"a\":1,\"a\":1}]", 8),
            ("{\"x\":{\"a\":1,\"a\":1}}", 12), ("{\"\\ud83d\\ude00\":1,\"😀\":2}", 18),
            ("{\"\\/\":1,\"/\":2}", 8),
        ] as [(String, Int)])
    func refused(text: String, place: Int) {
        check(Array(text.utf8), place: place)
    }

    @Test(
        "bytes that are not UTF-8",
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xC2, 0xC2],
            [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xE2, 0x82], [0xE2, 0x28, 0xA1],
            [0xE2, 0x82, 0x28],
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80],
            [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98],
            [0xF0, 0x9F, 0x98, 0x41],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
            [0xFC],
            [0xFE], [0xFF], [0xE9],
        ] as [[UInt8]])
    func notUTF8(bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        check([quote, 0x61] + bytes + [quote], place: 2)
        check([quote, 0x61] + bytes, place: 2)
        check(Array("{\"".utf8) + bytes + Array("\":1}".utf8), place: 2)
        check(bytes, place: 0)
        check(Array("[]".utf8) + bytes, place: 2)
        check(Array("[".utf8) + bytes + Array("]".utf8), place: 1)
    }

    @Test("other encodings of Unicode")
    func otherEncodings() {
        check([0xFF, 0xFE, 0x31, 0x00], place: 0)
        check([0xFE, 0xFF, 0x00, 0x31], place: 0)
        check([0x31, 0x00], place: 1)
        check([0x00, 0x31], place: 0)
        check([0xEF, 0xBB, 0xBF, 0x31], place: 0)
    }

    @Test("a byte order mark is named")
    func byteOrderMark() {
        let told = reason { () throws(KeychainError) in _ = try Value("\u{FEFF}{}") }
        #expect(told == "invalid JSON at byte 0: it begins with a byte order mark")
    }

    @Test("every start of a valid text, unless it is a number, is invalid")
    func starts() throws {
        let text = Array(
            #"{"a\n😀":[1,-2.5e+3,"é\ud83d\ude00\"",true,false,null,{},[]], "b" : {"c":"d"}}"#.utf8)
        #expect(isValid(text))
        for count in 0..<text.count {
            #expect(!isValid(Array(text[..<count])), "the first \(count) bytes")
        }
    }

    @Test("errors contain nothing of the text")
    func contents() {
        for text in [
            "{\"hunter2\":1,\"hunter2\":2}", "\"hunter2", "\"hunter2\\q\"",
            "[\"hunter2\" \"hunter2\"]",
            "hunter2", "{\"a\":\"hunter2\"}hunter2", "\"hunter2\u{01}\"", "[\"hunter2\",]",
        ] {
            let told = reason { () throws(KeychainError) in _ = try Value(text) }
            #expect(told?.contains("hunter2") == false, "\(told ?? "valid")")
        }
    }

    /// Both reading and skipping find the mistake, at the same place.
    private func check(_ text: [UInt8], place: Int) {
        let shown = String(decoding: text.prefix(80), as: UTF8.self)
        let read = reason { () throws(KeychainError) in _ = try Value(text) }
        #expect(
            read?.hasPrefix("invalid JSON at byte \(place): ") == true,
            "\(shown): \(read ?? "valid")")
        let skipped = reason { () throws(KeychainError) in
            try JSONReader.read(text.span, limit: .max) { _ in }
        }
        #expect(skipped == read, "\(shown)")
        #expect(throws: KeychainError(.decode)) { try Value(text) }
    }
}
