import Testing
@testable import EndToEndRig

/// What is no request of docker's is refused before the keychain is touched.
@Suite(.timeLimit(.minutes(10)))
struct DockerBadRequestTests {
    let home: ScratchHome
    static let secret = "distinctive-secret"
    private static let good =
        #"{"ServerURL":"example.com","Username":"ada","Secret":"\#(secret)"}"#

    init() throws {
        home = try ScratchHome()
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        var operation = "store"
        let input: [UInt8]
        let line: String

        init(_ input: String, _ line: String) {
            self.init("store", Array(input.utf8), line)
        }

        init(_ operation: String, _ input: [UInt8], _ line: String) {
            self.operation = operation
            self.input = input
            self.line = line
        }

        var testDescription: String {
            "\(line): \(String(decoding: input.prefix(60), as: UTF8.self).debugDescription)"
        }
    }

    private static func login(
        _ url: String = #""example.com""#, _ user: String = #""ada""#,
        _ secret: String = "\"\(secret)\""
    ) -> String {
        #"{"ServerURL":\#(url),"Username":\#(user),"Secret":\#(secret)}"#
    }

    /// A text in quotation marks.
    private static func filled(_ count: Int) -> String {
        "\"\(secret)\(String(repeating: "x", count: count - secret.utf8.count))\""
    }

    private static let noURL = "no credentials server URL"
    private static let noUser = "no credentials username"
    private static let half = "invalid escape, or half of a surrogate pair"

    private static let all = [
        Bad("", "invalid JSON at byte 0: missing value"),
        Bad(secret, "invalid JSON at byte 0: expected a value"),
        Bad("example.com", "invalid JSON at byte 0: expected a value"),
        Bad(
            "protocol=https\nhost=a\npassword=\(secret)\n",
            "invalid JSON at byte 0: expected a value"),
        Bad("[\(good)]", "unexpected JSON at byte 0: expected an object"),
        Bad("[]", "unexpected JSON at byte 0: expected an object"),
        Bad("\"\(secret)\"", "unexpected JSON at byte 0: expected an object"),
        Bad("null", "unexpected JSON at byte 0: expected an object"),
        Bad(String(good.dropLast()), "invalid JSON at byte \(good.utf8.count - 1): "),
        Bad(
            "\(good.dropLast()),}",
            "invalid JSON at byte \(good.utf8.count): expected a member's name"),
        Bad("\(good) \(good)", "invalid JSON at byte \(good.utf8.count + 1): unexpected text"),
        Bad("{'ServerURL':'a'}", "invalid JSON at byte 1: expected a member's name"),
        Bad(
            #"{"ServerURL":"a","ServerURL":"b","Username":"c","Secret":"\#(secret)"}"#,
            "invalid JSON at byte 17: duplicate name in an object"),
        Bad(
            #"{"Secret":"\#(secret)","ServerURL":"a","Username":"c","secret":"d"}"#,
            "invalid JSON at byte \(secret.utf8.count + 44): duplicate name in an object"),
        Bad(#"{"Username":"ada","Secret":"\#(secret)"}"#, noURL),
        Bad(login(#""""#), noURL), Bad(login(#"" \t\n""#), noURL), Bad(login("null"), noURL),
        Bad("{}", noURL), Bad(login(#""""#, #""""#), noURL),
        Bad(#"{"ServerURL":"example.com","Secret":"\#(secret)"}"#, noUser),
        Bad(login(#""example.com""#, #""""#), noUser),
        Bad(login(#""example.com""#, "null"), noUser),
        Bad(login("1"), "unexpected JSON at byte 13: expected a string"),
        Bad(login(#"{"a":"b"}"#), "unexpected JSON at byte 13: expected a string"),
        Bad(login(#""example.com""#, "true"), "unexpected JSON at byte 38: expected a string"),
        Bad(login(#""\ud800""#), "invalid JSON at byte 14: \(half)"),
        Bad(login(#""a""#, #""\udc00""#), "invalid JSON at byte 29: \(half)"),
        Bad(login(#""a""#, #""b""#, #""\#(secret)\ud83d""#), "invalid JSON at byte 60: \(half)"),
        Bad(login(#""a""#, #""b""#, #""\ud83d\ud83d""#), "invalid JSON at byte 42: \(half)"),
        Bad(login(#""a""#, #""b""#, #""\udd11\ud83d""#), "invalid JSON at byte 42: \(half)"),
        Bad(
            login(#""a""#, #""b""#, "\"\(secret)\n\""),
            "invalid JSON at byte 60: control characters must be escaped"),
        Bad(
            login(#""a""#, #""b""#, "\"\(secret)\0\""),
            "invalid JSON at byte 60: control characters must be escaped"),
        Bad(
            "store",
            Array(#"{"ServerURL":"a","Username":"b","Secret":""#.utf8)
                + [0xED, 0xA0, 0x80] + Array(#"\#(secret)"}"#.utf8),
            "invalid JSON at byte 42: not UTF-8"),
        Bad(login(#""a""#, #""b""#, filled(1 << 20 + 1)), "the password is longer than 1 MiB"),
        Bad(login(#""a""#, #""b""#, filled(2 << 20)), "the password is longer than 1 MiB"),
        Bad(
            login(#""a""#, #""b""#, filled(8 << 20)), "the request is longer than 7 MiB"),
        Bad(login(filled(65_511)), "the server URL is longer than 65510 bytes"),
        Bad(login(#""a""#, filled(65_536)), "the username is longer than 65535 bytes"),
        Bad(
            "[\(String(repeating: "[", count: 100_000))",
            "unexpected JSON at byte 0: expected an object"),
        Bad(
            "{\"a\":\(String(repeating: "[", count: 100_000))",
            "invalid JSON at byte 36: nested too deeply"),
        Bad("get", [0x61, 0xFF], "the server URL is not UTF-8"),
        Bad("erase", [0xED, 0xA0, 0x80], "the server URL is not UTF-8"),
        Bad("get", Array(filled(2 << 20).utf8), "the server URL is longer than 65510 bytes"),
        Bad("erase", Array(filled(2 << 20).utf8), "the server URL is longer than 65510 bytes"),
        Bad("get", Array(repeating: 0x20, count: 1 << 16), noURL),
    ]

    @Test(arguments: all)
    func isRefused(_ bad: Bad) async throws {
        // On a fresh home nothing is made …
        try await expectRefusal(bad)
        #expect(try Snapshot(home.lanyard).entries.keys.sorted() == [])

        // … and nothing is changed where something is.
        try await home.storeForDocker(Self.good)
        let before = try Snapshot(home.lanyard)
        try await expectRefusal(bad)
        #expect(try Snapshot(home.lanyard).differences(from: before) == [])
    }

    private func expectRefusal(
        _ bad: Bad, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await home.command(
            "docker-credential-lanyard", [bad.operation], input: bad.input
        ).run()
        expectDockerRefusal(
            outcome, bad.line, secret: Self.secret, sourceLocation: sourceLocation)
        #expect(outcome.errorText == "", "\(outcome)", sourceLocation: sourceLocation)
    }
}
