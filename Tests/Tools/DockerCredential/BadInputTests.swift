import StoreConformance
import Testing

@testable import DockerCredential

@Suite("Bad input")
struct BadInputTests {
    @Test(
        "is refused with one line, the keychain untouched",
        arguments: [
            ("store", "", "invalid JSON at byte 0: missing value"),
            ("store", "\n", "invalid JSON at byte 1: missing value"),
            ("store", "hello", "invalid JSON at byte 0: expected a value"),
            ("store", "nonsense", "unexpected JSON at byte 0: expected an object"),
            ("store", "{", "invalid JSON at byte 1: expected a member's name"),
            (
                "store", #"{"ServerURL":"a.b","Username":"u","Secret":"hunter2"#,
                "invalid JSON at byte 51: unterminated string"
            ),
            (
                "store", #"{"ServerURL":"a.b","Username":"u","Secret":"hunter2",}"#,
                "invalid JSON at byte 53: expected a member's name"
            ),
            (
                "store", #"{"ServerURL":"a.b","Username":"u","Secret":"hunter2"}x"#,
                "invalid JSON at byte 53: unexpected text after the value"
            ),
            (
                "store", #"{"ServerURL":"a.b","Username":"u","Secret":"hunter2"}{}"#,
                "invalid JSON at byte 53: unexpected text after the value"
            ),
            ("store", "[]", "unexpected JSON at byte 0: expected an object"),
            (
                "store", #"[{"ServerURL":"a.b","Username":"u","Secret":"p"}]"#,
                "unexpected JSON at byte 0: expected an object"
            ),
            ("store", "null", "unexpected JSON at byte 0: expected an object"),
            ("store", "\"a.b\"", "unexpected JSON at byte 0: expected an object"),
            (
                "store", "\u{FEFF}{}",
                "invalid JSON at byte 0: it begins with a byte order mark"
            ),
            (
                "store", #"{"ServerURL":"a.b","ServerURL":"a.c","Username":"u","Secret":"p"}"#,
                "invalid JSON at byte 19: duplicate name in an object"
            ),
            (
                "store", #"{"ServerURL":"a.b","Username":"u","Secret":"p","secret":"q"}"#,
                "invalid JSON at byte 47: duplicate name in an object"
            ),
            (
                "store", #"{"ServerURL":"a.b","Username":"u","Secret":"p","x":{"y":1,"y":2}}"#,
                "invalid JSON at byte 58: duplicate name in an object"
            ),
            (
                "store", #"{"ServerURL":"a.b","Username":"u","Secret":5}"#,
                "unexpected JSON at byte 43: expected a string"
            ),
            (
                "store", #"{"ServerURL":["a.b"],"Username":"u","Secret":"p"}"#,
                "unexpected JSON at byte 13: expected a string"
            ),
            (
                "store", #"{"ServerURL":"a.b","Username":true,"Secret":"p"}"#,
                "unexpected JSON at byte 30: expected a string"
            ),
            (
                "store", #"{"ServerURL":"a.b","Username":"u","Secret":"\ud800"}"#,
                "invalid JSON at byte 44: invalid escape, or half of a surrogate pair"
            ),
            (
                "store", #"{"ServerURL":"a.b","Username":"\udc00","Secret":"p"}"#,
                "invalid JSON at byte 31: invalid escape, or half of a surrogate pair"
            ),
            (
                "store", "{\"ServerURL\":\"a.b\",\"Username\":\"u\",\"Secret\":\"a\nb\"}",
                "invalid JSON at byte 45: control characters must be escaped"
            ),
            ("store", "{}", "no credentials server URL"),
            ("store", #"{"Username":"u","Secret":"p"}"#, "no credentials server URL"),
            (
                "store", #"{"ServerURL":"","Username":"u","Secret":"p"}"#,
                "no credentials server URL"
            ),
            (
                "store", #"{"ServerURL":" \t\n","Username":"u","Secret":"p"}"#,
                "no credentials server URL"
            ),
            (
                "store", #"{"ServerURL":null,"Username":"u","Secret":"p"}"#,
                "no credentials server URL"
            ),
            ("store", #"{"ServerURL":"a.b","Secret":"p"}"#, "no credentials username"),
            (
                "store", #"{"ServerURL":"a.b","Username":"","Secret":"p"}"#,
                "no credentials username"
            ),
            (
                "store", #"{"ServerURL":"a.b","Username":null,"Secret":"p"}"#,
                "no credentials username"
            ),
            ("get", "", "no credentials server URL"), ("get", "\n", "no credentials server URL"),
            ("get", " \t\r\n", "no credentials server URL"),
            ("erase", "", "no credentials server URL"),
            ("erase", "  \n", "no credentials server URL"),
        ])
    func refused(operation: String, request: String, line: String) throws {
        check(operation, Array(request.utf8), line)
    }

    @Test("bytes that are not UTF-8")
    func notUTF8() {
        check("get", [0x61, 0xFF], "the server URL is not UTF-8")
        check("erase", [0xED, 0xA0, 0x80], "the server URL is not UTF-8")
        let request = Array(#"{"ServerURL":"a.b","Username":"u","Secret":""#.utf8)
        check(
            "store", request + [0xC3, 0x28, 0x22, 0x7D],
            "invalid JSON at byte 44: not UTF-8")
    }

    @Test("too much of everything")
    func tooLarge() {
        func x(_ count: Int) -> String { String(repeating: "x", count: count) }
        for count in [(1 << 20) + 1, 2 << 20, 6 << 20] {
            check(
                "store", Array(DockerRig.request("a.b", "u", x(count)).utf8),
                "the password is longer than 1 MiB")
        }
        check(
            "store", Array(DockerRig.request("a.b", "u", x(8 << 20)).utf8),
            "the JSON text is longer than 7340032 bytes")
        check(
            "store", Array(DockerRig.request(x(RegistryURL.limit + 1), "u", "p").utf8),
            "the server URL is longer than 65510 bytes")
        check(
            "store", Array(DockerRig.request("a.b", x(65_536), "p").utf8),
            "the username is longer than 65535 bytes")
        for operation in ["get", "erase"] {
            check(operation, Array(x(2 << 20).utf8), "the server URL is longer than 65510 bytes")
        }
        let nested = String(repeating: "[", count: 100_000)
        check(
            "store", Array("{\"a\":\(nested)".utf8),
            "invalid JSON at byte 36: nested too deeply")
    }

    private func check(_ operation: String, _ request: [UInt8], _ line: String) {
        let rig = DockerRig()
        #expect(rig.run(operation, request) == "1: \(line)")
        #expect(rig.store.counts == Counts())
        #expect(rig.hints.isEmpty)
    }
}
