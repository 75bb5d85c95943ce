import TestSupport
import LanyardSecrets
import Testing

@testable import PlainTextFormats

/// The values of each format, and where they are.
@Suite("values of plain-text files")
struct PlainTextValuesTests {
    private func values(_ text: String, _ format: PlainTextFormat) -> [String] {
        let bytes = Array(text.utf8)
        return PlainTextValues.search(bytes.span, format).map { value in
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
            d:	x=y
            //e:f=x
            "b" = "q\\"r"
            [ "two.x" ]
            c=
            """
        #expect(
            values(text, .ini)
                == [
                    "2 KEY v 1", "4 one/a x=y", "5 one/d x=y", "6 one///e:f x",
                    "7 one/\"b\" q\\\"r", "9 \"two.x\"/c ",
                ])
        #expect(
            values("[a.\"b.c\"]\nd.e = 'x' # y\n\"a: b\" = \"s\"\n[[f]]\ng = \"z\"\r\n", .toml)
                == ["2 a/b.c/d/e x", "3 a/b.c/a: b s", "5 f//g z"])
        #expect(
            values(
                "a = [\"x\", {b = 'y', c = 1}] # z\n[[d]]\n[d.e]\nf = \"\"\"\nx\ny\"\"\"\n", .toml)
                == ["1 a/ x", "1 a//b y", "1 a//c 1", "4 d//e/f x\ny"])
    }

    /// A value of which a tool would take less or more is not read: an import names it, and leaves the file.
    @Test(arguments: [
        ("a = x#y", PlainTextFormat.ini), ("a = x;y", .ini), ("a = x\t# y", .ini),
    ])
    func valuesThatEndDifferently(text: String, format: PlainTextFormat) throws {
        let found = try #require(PlainTextValues.search(Array(text.utf8).span, format).first)
        #expect(!found.isVerbatim && !found.range.isEmpty)
    }

    @Test func blanksAroundValues() {
        #expect(values("a: x\t# y\nb: {c: x\t}\n", .yaml) == ["1 a x", "2 b/c x"])
        #expect(
            values("h:1:d:u:x \r\n \nh:1:d:v:y\t\nh:1:d:w:z\r\r\n\r\r\nh:1:d:x:\r\r\n", .pgpass)
                .filter { $0.contains("password") }
                == ["1 password x ", "3 password y\t", "4 password z"])
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
        #expect(
            values("x\nMachine a password \"p q\" default login \"l", .netrc) == [
                "2 a/password p q", "2 /login \"l",
            ])
        #expect(values("\n  x \r\ny\n", .singleLine) == ["2  x"])
        // A sign that begins a comment, and a mark that ends a text, may be in one.
        #expect(values("a: x#y # z\n", .yaml) == ["1 a x#y"])
        #expect(
            values("a: {b: x, \"c\": 'y, z' , d: } # w\ne:\n- {f: g#h}\n- {i: j}\nk: {}\n", .yaml)
                == ["1 a/b x", "1 a/c y, z", "3 e//f g#h", "4 e//i j"])
        #expect(
            values("machine a password \"p\\\"q\" login l\n", .netrc) == [
                "1 a/password p\\\"q", "1 a/login l",
            ])
    }

    @Test(
        "references of stripe and doppler to the Secret Service are no secrets; similar texts are",
        arguments: [
            ("sk_live_************abcd", false), ("rk_test_*abcd", false),
            ("secret-01234567-89ab-cdef-0123-456789abcdef", false),
            ("Abcdefgh*1234", true), ("sk_live_*******x****abcd", true), ("sk_live_abcd", true),
            ("secret-0123456789abcdef0123456789abcdef0123", true), ("secret-0123-4567", true),
        ])
    func secrets(text: String, isSecret: Bool) {
        #expect(Array(text.utf8).span.isSecret == isSecret)
    }

    @Test func xml() {
        #expect(
            values(
                "<?xml version='1.0'?>\n<a><!-- x -->\n<b>x</b><c d='e'> y z </c><f/>\n"
                    + "<g><![CDATA[<&]]></g><add key='h' value='i&amp;'/></a>", .xml)
                == ["3 a/b x", "3 a/c/d e", "3 a/c  y z ", "4 a/g <&", "4 a/h i&amp;"])
        let text = "<a>\n  <s>\n    <b>x&lt;</b><c>y</c>\n  </s>\n  <b>p<i>q</i></b>\n</a>\n"
        let bytes = Array(text.utf8)
        let found = PlainTextValues.search(bytes.span, .xml)
        #expect(found.map(\.path.last) == ["b", "c", "i"])
        #expect(found.map(\.isVerbatim) == [false, true, true])
        #expect(found[0].parent == found[1].parent && found[0].parent != found[2].parent)
        // All of the entry, with its lines.
        #expect(
            String(decoding: bytes[found[0].removal], as: UTF8.self).split(separator: "\n").count
                == 3)
        #expect(found[0].removal == found[1].removal && found[0].removal.lowerBound == 4)
    }

    /// What comes after an error is left out of a search.
    @Test(arguments: [
        ("<a><b>x</b></c>", false), ("<a><b>x</b><d", true), ("<a><b>x</b>&#0;<", true),
        ("<a><b>x</b><!-- </a>", true), ("<a><b>x</b><![CDATA[ </a>", true),
        ("<a><b>x</b><e f=g/></a>", false), ("<a><b>x</b><e f='<'/></a>", false),
        ("<a><b>x</b></a>y", false),
    ])
    func invalidXML(text: String, isCut: Bool) {
        #expect(values(text, .xml) == ["1 a/b x"])
        #expect(
            reason(text, .xml)
                == (isCut
                    ? "it ends too early, in line 1"
                    : "line 1 is invalid XML, or of a form that is not read"))
    }

    private func reason(_ text: String, _ format: PlainTextFormat) -> String? {
        let bytes = Array(text.utf8)
        return #expect(throws: KeychainError.self) {
            _ = try PlainTextValues.read(bytes.span, format)
        }?.reason
    }

    @Test(arguments: [
        "{\"a\": \"x\",\n", "{\"a\": \"x\", \"b\n", "{\"a\": \"x\", \"b\": \n [1",
        "{\"a\": \"x\" /* }\n", "{\"a\": \"x\" //}\n",
    ])
    func cutJSON(text: String) {
        #expect(values(text, .json).first == "1 a x")
        #expect(reason(text, .json) == "it ends too early, in line 2")
    }

    @Test(arguments: ["{\"a\": \"x\"}}", "{\"a\": \"x\"]", "[{\"a\": \"x\"}}, \"c\": \"y\"]"])
    func wrongBrackets(text: String) {
        #expect(values(text, .json).first?.hasSuffix("a x") == true)
        #expect(reason(text, .json) == "a bracket is out of place in line 1")
    }

    @Test(arguments: ["", " \n"], [PlainTextFormat.json, .xml])
    func anEmptyFileHasNothing(text: String, format: PlainTextFormat) throws {
        #expect(try PlainTextValues.read(Array(text.utf8).span, format).isEmpty)
    }

    /// As editors accept them.
    @Test(arguments: [
        "\u{FEFF}{\"a\": \"x\"}", "{\r\n\"a\": \"x\",\r\n}\r\n",
        "// {\n{\"a\": \"x\" // [\n}", "/* { \"a\": \"y\"\n*/{/**/\"a\": \"x\"/* \" */}/*",
    ])
    func jsonWithComments(text: String) throws {
        let bytes = Array(text.utf8)
        let found = try PlainTextValues.read(bytes.span, .json)
        #expect(found.map(\.path) == [["a"]])
        #expect(found.map { String(decoding: bytes[$0.range], as: UTF8.self) } == ["x"])
    }

    /// Both are found: which one counts is the tool's rule.
    @Test func aKeyThatIsThereTwice() throws {
        #expect(values("{\"a\": \"x\", \"a\": \"y\"}", .json) == ["1 a x", "1 a y"])
        #expect(values("a: x\na: y\n", .yaml) == ["1 a x", "2 a y"])
        #expect(values("[b]\na=x\n[b]\na=y\n", .ini) == ["2 b/a x", "4 b/a y"])
    }

    @Test func documentTypesAndDeepElementsAreRefused() {
        #expect(values("<!DOCTYPE a [<!ENTITY b 'x'>]><a><b>&b;</b></a>", .xml) == [])
        let deep = (String(repeating: "<a>", count: 65), String(repeating: "</a>", count: 65))
        #expect(values("\(deep.0)x\(deep.1)", .xml) == [])
        #expect(values("\(deep.0.dropLast(3))x\(deep.1.dropLast(4))", .xml).count == 1)
    }

    /// Each value has the names that lead to it: those of many deep values would fill the memory.
    @Test func deepValuesAreRefused() {
        func nested(_ count: Int, _ open: String, _ close: String = "") -> String {
            String(repeating: open, count: count) + "\"x\"" + String(repeating: close, count: count)
        }
        #expect(values(nested(64, "[", "]"), .json).count == 1)
        #expect(reason(nested(65, "[", "]"), .json) == "line 1 is nested too deep")
        #expect(values(nested(64, "- "), .yaml).count == 1)
        #expect(reason("a: b\nc:\n" + nested(64, "- "), .yaml) == "line 3 is nested too deep")
        #expect(values("a: b\nc:\n" + nested(64, "- "), .yaml) == ["1 a b"])
        #expect(reason("a = \(nested(64, "[", "]"))", .toml) == "line 1 is nested too deep")
        let names = Array(repeating: "a", count: 66).joined(separator: ".")
        #expect(reason("b = 1\n[\(names)]", .toml) == "line 2 is nested too deep")
    }

    @Test(arguments: [
        ("a&amp;&lt;&gt;&quot;&apos;", "a&<>\"'"), ("&#65;&#x1F511;", "A\u{1F511}"),
        ("\r\n\r", "\n\n"), ("&b;", nil), ("&", nil), ("&#0;", nil), ("&#xD800;", nil), ("<", nil),
        ("&#-1;", nil), ("&amp", nil),
    ])
    func references(text: String, characters: String?) throws {
        let bytes = Array(text.utf8)
        var read: String?
        if let secret = bytes.span.xmlCharacters {
            read = secret.withBytes { ByteString(copying: $0).description }
        }
        #expect(read == characters)
    }

    /// Whatever the bytes, ranges are within the file.
    @Test func randomBytes() {
        var random = SeededRandom()
        let pieces = [
            "[", "]", "=", "<a>", "</a>", "<b/>", "<", ">", "&amp;", "key='k' ", "value='v'",
            "<![CDATA[", "]]>", "\"", "'", "\n", "\r\n", "a", "- ", "machine ", "password ", "\\",
            "{", "}", "/*", "*/", "//", "${", "a = \"x\" ", ":", ": ", "#", ";", " ", "\u{0}",
            "\u{ff}", "export ", "default ", "macdef ", ",",
        ]
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0..<30, using: &random))
                .flatMap { _ in Array((pieces.randomElement(using: &random) ?? "").utf8) }
            for format in PlainTextFormat.allCases {
                for value in PlainTextValues.search(bytes.span, format) {
                    #expect(value.range.upperBound <= bytes.count && value.line > 0)
                    #expect(value.removal.upperBound <= bytes.count)
                }
            }
        }
    }
}
