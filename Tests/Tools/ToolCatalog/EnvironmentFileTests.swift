import KeychainServices
import TestSupport
import Testing

@testable import ToolCatalog

@Suite("a .env file")
struct EnvironmentFileTests {
    private static func values(_ text: String) throws(KeychainError) -> [String] {
        try EnvironmentFile(FileBytes(text)).entries.map { entry in
            let value = entry.value.pieces.map { piece in
                switch piece {
                case .text(let text): String(decoding: text, as: UTF8.self)
                case .reference(let reference): "<\(reference.name)>"
                }
            }
            return "\(entry.name)=\(value.joined())"
        }
    }

    @Test(arguments: [
        ("", []), ("# only a comment\n\n  \n", []), ("A=b", ["A=b"]), ("A=", ["A="]),
        ("\u{FEFF}A=b\r\nB=c\r\n", ["A=b", "B=c"]), ("export A=b\n  B = c \n", ["A=b", "B=c"]),
        ("export=1\n", ["export=1"]), ("A=b # c\nB=b#c\nC=#c\n", ["A=b", "B=b#c", "C="]),
        ("A=\"b # c\" # d\nB='x \\n \"'\n", ["A=b # c", "B=x \\n \""]),
        (#"A="\n\t\r\"\\\$\x""#, ["A=\n\t\r\"\\$\\x"]), ("A=\"b\nc\"\nB=d\n", ["A=b\nc", "B=d"]),
        ("A='b\nc'\n", ["A=b\nc"]), ("A=$B ${C}\n", ["A=$B ${C}"]), ("a.b-c=d\n", ["a.b-c=d"]),
        ("A=b=c\n", ["A=b=c"]), ("A=b\nA=c\n", ["A=b", "A=c"]),
        ("A=lanyard:stripe/live\n", ["A=<stripe>"]), ("A=\"lanyard:stripe\"\n", ["A=<stripe>"]),
        ("A='lanyard:stripe'\n", ["A=lanyard:stripe"]), ("A=x lanyard:a\n", ["A=x lanyard:a"]),
        ("A=lanyard:datadog#app-key # c\n", ["A=<datadog/app-key>"]),
        ("A=\"u:{{ lanyard:db }}@h\"\n", ["A=u:<db>@h"]),
        ("A='{{ lanyard:db }}'\n", ["A={{ lanyard:db }}"]),
    ])
    func valid(text: String, values: [String]) throws {
        #expect(try Self.values(text) == values)
    }

    /// An error never shows the line, which may contain a password.
    @Test(arguments: [
        ("hunter2", "line 1 is not NAME=VALUE"), ("A=b\n=c\n", "line 2 is not NAME=VALUE"),
        ("1A=b\n", "line 1 is not NAME=VALUE"), ("A B=c\n", "line 1 is not NAME=VALUE"),
        ("A=\"b\nc\n", "line 1 has no closing quotation mark"),
        ("A='b\n", "line 1 has no closing quotation mark"),
        ("\nA=\"b\" c\n", "line 2 has text after its quotation mark"),
        ("A=a\u{0}b\n", "line 1 contains a NUL"),
        ("A=lanyard:a/\n", "line 1: invalid reference 'lanyard:a/'"),
        ("\nA=\"x {{ lanyard:a\"\n", "line 2: a reference has no '}}' on its line"),
    ])
    func invalid(text: String, reason: String) {
        let error = #expect(throws: KeychainError.self) { try EnvironmentFile(FileBytes(text)) }
        #expect(error?.status == .param && error?.reason == reason)
    }

    /// Written with quotes, every value reads back.
    @Test func randomValues() throws {
        var random = SeededRandom()
        let characters = Array("ab #'\"\\$\n\t{}:=/é").map { Array(String($0).utf8) }
        for _ in 0..<2_000 {
            var text: [UInt8] = []
            var expected: [EnvironmentFile.Entry] = []
            for number in 0..<random.number(below: 4) {
                let value = (0..<random.number(below: 12)).flatMap { _ in
                    random.element(of: characters)
                }
                let line = text.count { $0 == 10 } + 1
                text += Array("V\(number)=\"".utf8)
                for byte in value {
                    if "\"\\$".utf8.contains(byte) {
                        text.append(UInt8(ascii: "\\"))
                    }
                    text.append(byte)
                }
                text += Array("\"\n".utf8)
                expected.append(
                    EnvironmentFile.Entry(
                        name: "V\(number)", value: SecretTemplate(text: FileBytes(value)),
                        line: line))
            }
            #expect(try EnvironmentFile(FileBytes(text)).entries == expected)
        }
    }

    /// Whatever the bytes are, they are refused with an error, or give entries with names.
    @Test func changedFiles() {
        var random = SeededRandom()
        let file = "# c\nexport A=\"b\\n{{ lanyard:c/d }}\" # e\nF='g'\nH=lanyard:i#j\n"
        for _ in 0..<5_000 {
            var text = Array(file.utf8)
            for _ in 0...random.number(below: 3) {
                text = random.mutated(text)
            }
            do throws(KeychainError) {
                let entries = try EnvironmentFile(FileBytes(text)).entries
                #expect(entries.allSatisfy { !$0.name.isEmpty && !$0.name.contains("=") })
            } catch {
                #expect(error.status == .param && error.reason.hasPrefix("line "))
            }
        }
    }
}
