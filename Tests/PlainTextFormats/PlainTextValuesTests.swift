import RandomNumbers
import Secrets
import Testing

@testable import PlainTextFormats

/// The values of each format, and where they are.
@Suite("values of plain-text files")
struct PlainTextValuesTests {
    private func values(_ text: String, _ format: PlainTextFormat) -> [String] {
        let bytes = Array(text.utf8)
        return PlainTextValues.read(bytes.span, format).map { value in
            "\(value.line) \(value.path.joined(separator: "/"))"
                + " \(String(decoding: bytes[value.range], as: UTF8.self))"
        }
    }

    @Test func settings() {
        let text = """
            # a = 1
            export KEY='v 1' # c
            [one]
            a: x=y
            "b" = "q\\"r"
            [ "two.x" ]
            c=
            """
        #expect(
            values(text, .ini)
                == ["2 KEY v 1", "4 one/a: x y", "5 one/\"b\" q\\\"r", "7 \"two.x\"/c "])
        #expect(
            values("[a.\"b.c\"]\nd.e = 'x' # y\n[[f]]\ng = \"z\"\r\n", .toml)
                == ["2 a/b.c/d/e x", "4 f//g z"])
    }

    @Test func others() {
        #expect(
            values("{\"a\": [\"x\", {\"b\": \"y\\\"\"}]} // z", .json) == [
                "1 a/ x", "1 a//b y\\\"",
            ])
        #expect(
            values("a:\n  - b: x\n    c: 'y' # z\n  - d\r\n", .yaml) == [
                "2 a//b x", "3 a//c y", "4 a/ d",
            ])
        #expect(
            values("machine a login l\n password \"p\"\n", .netrc) == [
                "1 a/login l", "2 a/password p",
            ])
        #expect(values("\n  x \r\ny\n", .singleLine) == ["2  x"])
    }

    /// Whatever the bytes, ranges are within the file.
    @Test func randomBytes() {
        var random = SeededRandom()
        let pieces = [
            "[", "]", "=", "\"", "'", "\n", "\r\n", "a", "- ", "machine ", "password ", "\\", "{",
            "}",
            ":", ": ", "#", ";", " ", "\u{0}", "\u{ff}", "export ", "default ", "macdef ", ",",
        ]
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0..<30, using: &random))
                .flatMap { _ in Array((pieces.randomElement(using: &random) ?? "").utf8) }
            for format in PlainTextFormat.allCases {
                for value in PlainTextValues.read(bytes.span, format) {
                    #expect(value.range.upperBound <= bytes.count && value.line > 0)
                }
            }
        }
    }
}
