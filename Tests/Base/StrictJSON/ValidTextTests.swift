import LanyardSecrets
import Testing

@testable import StrictJSON

@Suite("Valid texts")
struct ValidTextTests {
    @Test(
        "values and the white space around them",
        arguments: [
            ("null", .null), ("true", .bool(true)), ("false", .bool(false)),
            (" \t\r\n null \t\r\n ", .null),
            ("\"\"", .string("")), ("\"a\"", .string("a")), (" \"a\"\n", .string("a")),
            ("[]", .array([])), (" [ ] ", .array([])), ("[[]]", .array([.array([])])),
            ("[null]", .array([.null])), ("[1,2]", .array([.integer(1), .integer(2)])),
            ("[ 1 ,\n2 ]", .array([.integer(1), .integer(2)])),
            ("[\"a\",[],{},true]", .array([.string("a"), .array([]), .object([]), .bool(true)])),
            ("{}", .object([])), ("\r{\n}\t", .object([])),
            ("{\"\":0}", .object(["": .integer(0)])),
            ("{\"a\":null}", .object(["a": .null])),
            ("{ \"a\" : 1 , \"b\" : 2 }", .object(["a": .integer(1), "b": .integer(2)])),
            ("{\"b\":1,\"a\":2}", .object(["b": .integer(1), "a": .integer(2)])),
            ("{\"a\":1,\"A\":2}", .object(["a": .integer(1), "A": .integer(2)])),
            (
                "{\"a\":{\"a\":{\"a\":[]}}}",
                .object(["a": .object(["a": .object(["a": .array([])])])])
            ),
            (
                "[{\"a\":1},{\"a\":1}]",
                .array([.object(["a": .integer(1)]), .object(["a": .integer(1)])])
            ),
            ("{\"a\\u0062\":1}", .object(["ab": .integer(1)])),
            ("{\"\\u0000\":1,\"\":2}", .object(["\0": .integer(1), "": .integer(2)])),
        ] as [(String, Value)])
    func values(text: String, value: Value) throws {
        #expect(try Value(text) == value)
        #expect(isValid(Array(text.utf8)))
    }

    @Test(
        "numbers",
        arguments: [
            ("0", 0), ("-0", 0), ("1", 1), ("-1", -1), ("10", 10), ("123456789", 123_456_789),
            ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("9223372036854775808", nil), ("-9223372036854775809", nil),
            ("99999999999999999999999999999999999999", nil),
            ("0.0", nil), ("1.0", nil), ("-1.5", nil), ("0e0", nil), ("0E+1", nil), ("1e10", nil),
            ("1E-2", nil), ("-0.0e-00", nil), ("123.456e+789", nil), ("0e00001", nil),
            ("1.000000000000000000000000000000000000000000000001", nil),
        ] as [(String, Int64?)])
    func numbers(text: String, number: Int64?) throws {
        let value = number.map(Value.integer) ?? .fraction
        #expect(try Value(text) == value)
        #expect(try Value("[\(text)]") == .array([value]))
        #expect(try Value("{\"a\":\(text) }") == .object(["a": value]))
    }

    @Test(
        "strings",
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{08}\u{0C}\n\r\t"),
            (#""\u0000\u001F\u001f\u007f""#, "\0\u{1F}\u{1F}\u{7F}"),
            (
                #""\u0041\u00e9\u20AC\uFFFF\uFFFD\uD7FF\ue000""#,
                "Aé€\u{FFFF}\u{FFFD}\u{D7FF}\u{E000}"
            ),
            (#""\uD834\uDD1E\ud83d\ude00\uDBFF\uDFFF\uD800\uDC00""#, "𝄞😀\u{10FFFF}\u{10000}"),
            (#""\\u0041\\\\""#, "\\u0041\\\\"), (#""\\\"""#, "\\\""), (#""a\\""#, "a\\"),
            ("\"é€😀\"", "é€😀"),
            (
                "\"\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}\"",
                "\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}"
            ),
            (
                "\"\u{D7FF}\u{E000}\u{FEFF}\u{2028}\u{2029}\"",
                "\u{D7FF}\u{E000}\u{FEFF}\u{2028}\u{2029}"
            ),
            ("\"\u{7F}\"", "\u{7F}"), ("\" / /* */ // \"", " / /* */ // "),
            ("\"[{,:}]\"", "[{,:}]"), ("\"null\"", "null"),
        ] as [(String, String)])
    func strings(text: String, string: String) throws {
        #expect(try Value(text) == .string(ByteString(string)))
        let secret = try JSONReader.read(Array(text.utf8).span, limit: 1_000) {
            reader throws(KeychainError) in
            try reader.readSecret()
        }
        #expect(secret.bytes == Array(string.utf8))
        #expect(
            try Value("{\(text):1}") == .object([ByteString(string): .integer(1)]),
            "names are strings like any other")
    }

    @Test("every scalar there is, as it is and escaped")
    func scalars() throws {
        let all = (0...UInt32(0x10FFFF)).compactMap(Unicode.Scalar.init)
        for start in stride(from: 0, to: all.count, by: 4_096) {
            let part = all[start..<min(start + 4_096, all.count)]
            var escaped = "\""
            for scalar in part {
                for unit in UTF16.encode(scalar)! {
                    let digits = String(unit, radix: 16, uppercase: scalar.value % 2 == 0)
                    escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
            var string = ""
            string.unicodeScalars.append(contentsOf: part)
            #expect(try Value(escaped + "\"") == .string(ByteString(string)))
            string.unicodeScalars.removeAll { $0.value < 0x20 || $0 == "\"" || $0 == "\\" }
            #expect(try Value("\"\(string)\"") == .string(ByteString(string)))
        }
    }

    @Test("arrays and objects up to the allowed depth, and no deeper")
    func depth() {
        for (opening, closing, contents) in [
            ("[", "]", ""), ("{\"a\":", "}", "0"), ("[{\"a\":", "}]", "0"),
        ] {
            let step = opening.hasPrefix("[{") ? 2 : 1
            func nested(_ depth: Int) -> [UInt8] {
                let count = depth / step
                return Array(
                    (String(repeating: opening, count: count) + contents
                        + String(repeating: closing, count: count)).utf8)
            }
            #expect(isValid(nested(32)))
            #expect(!isValid(nested(32 + step)))
            #expect(!isValid(nested(100_000)))
            #expect(isValid(nested(2), depth: 2))
            #expect(!isValid(nested(2 + step), depth: 2))
        }
        #expect(isValid(Array("[[],[],[[]],{}]".utf8), depth: 3), "siblings do not add up")
        #expect(isValid(Array("0".utf8), depth: 0))
        #expect(!isValid(Array("[]".utf8), depth: 0))
    }
}
