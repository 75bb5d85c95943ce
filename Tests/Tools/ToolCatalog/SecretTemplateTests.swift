import KeychainServices
import TestSupport
import Testing

@testable import ToolCatalog

@Suite("templates")
struct SecretTemplateTests {
    /// The template with each reference replaced by its name and account in brackets.
    private static func filled(_ template: SecretTemplate) -> [UInt8] {
        template.pieces.flatMap { piece in
            switch piece {
            case .text(let text): Array(text)
            case .reference(let reference):
                Array("[\(reference.name)|\(reference.account ?? "")]".utf8)
            }
        }
    }

    @Test(arguments: [
        ("", ""), ("plain\n", "plain\n"), ("{{ lanyard:a }}", "[a|]"), ("{{lanyard:a}}", "[a|]"),
        ("x{{\tlanyard:a/b\t}}{{ lanyard:c }}y\n", "x[a|b][c|]y\n"),
        ("{{ .Values.x }} {{ lanyard }} {{", "{{ .Values.x }} {{ lanyard }} {{"),
        ("{{{ lanyard:a }}}", "{[a|]}"), ("{ { lanyard:a }}", "{ { lanyard:a }}"),
        ("lanyard:a", "lanyard:a"), ("{{ LANYARD:a }}", "{{ LANYARD:a }}"),
    ])
    func replacesReferences(text: String, filled: String) throws {
        let template = try SecretTemplate(FileBytes(text))
        #expect(String(decoding: Self.filled(template), as: UTF8.self) == filled)
        #expect(template.hasReferences == filled.contains("["))
    }

    /// A line of a `.env` file; other texts with the scheme stay.
    @Test(arguments: [
        ("A=lanyard:a", "A=[a|]"), ("A=lanyard:a/b\nB=lanyard:c\n", "A=[a|b]\nB=[c|]\n"),
        ("  export A = lanyard:a b # c\n", "  export A = [a b|] # c\n"),
        ("A=\"lanyard:a/b\" # c", "A=\"[a|b]\" # c"), ("A=lanyard:a\r\nB=1", "A=[a|]\r\nB=1"),
        ("A=lanyard:a#account", "A=[a|]"), ("export=lanyard:a", "export=[a|]"),
        ("A=x\nA.b-c=lanyard:a{b}", "A=x\nA.b-c=[a{b}|]"), ("A=lanyard:\n", nil),
        ("A='lanyard:a'", "A='lanyard:a'"),
        ("A=\"lanyard:a\n", "A=\"lanyard:a\n"), ("=lanyard:a", "=lanyard:a"),
        ("a: lanyard:a", "a: lanyard:a"), ("# A=lanyard:a", "# A=lanyard:a"),
        ("A=xlanyard:a", "A=xlanyard:a"), ("A=LANYARD:a", "A=LANYARD:a"),
        ("{{ lanyard:x }}A=lanyard:a", "[x|]A=lanyard:a"),
    ])
    func replacesAssignedReferences(text: String, filled: String?) throws {
        let template = try? SecretTemplate(FileBytes(text), hasAssignments: true)
        #expect(
            template.map { String(decoding: Self.filled($0), as: UTF8.self) } == filled, "\(text)")
        // The value of a variable is no file.
        let value = try SecretTemplate(FileBytes("A=lanyard:a"))
        #expect(!value.hasReferences)
    }

    @Test func namesTheLinesOfReferences() throws {
        let text = "x\n{{ lanyard:a }}{{ lanyard:b/c }}\n\nA=lanyard:d\nB=lanyard:e"
        let template = try SecretTemplate(FileBytes(text), hasAssignments: true)
        #expect(
            template.references.map { "\($0.reference.text) \($0.line)" }
                == ["lanyard:a 2", "lanyard:b/c 2", "lanyard:d 4", "lanyard:e 5"])
    }

    /// What is quadratic takes hours.
    @Test func parsesManyReferencesOnALine() throws {
        let text = String(repeating: "{{lanyard:a}}", count: 50_000)
        #expect(try SecretTemplate(FileBytes(text)).pieces.count == 50_000)
    }

    @Test(arguments: [
        ("a\n{{ lanyard:a", "line 2: a reference has no '}}' on its line"),
        ("{{ lanyard:a\n}}", "line 1: a reference has no '}}' on its line"),
        ("\n\n{{ lanyard:a/b/c }}", "line 3: invalid reference 'lanyard:a/b/c'"),
        ("{{ lanyard: }}", "line 1: invalid reference 'lanyard:'"),
    ])
    func namesTheLine(text: String, reason: String) {
        let error = #expect(throws: KeychainError.self) { try SecretTemplate(FileBytes(text)) }
        #expect(error?.status == .param && error?.reason == reason)
    }

    /// Bytes around references stay, whatever they are.
    @Test func randomTexts() throws {
        var random = SeededRandom()
        for _ in 0..<2_000 {
            var text: [UInt8] = []
            var expected: [UInt8] = []
            for _ in 0..<random.number(below: 6) {
                if random.chance(50) {
                    let account = random.chance(50) ? "/b\(random.number(below: 9))" : ""
                    text += Array("{{ lanyard:a\(account) }}".utf8)
                    expected += Array("[a|\(account.dropFirst())]".utf8)
                } else {
                    // A brace next to a reference would be another text.
                    let bytes = random.bytes(random.number(below: 9)).map {
                        $0 == UInt8(ascii: "{") ? UInt8(ascii: "}") : $0
                    }
                    text += bytes
                    expected += bytes
                }
            }
            #expect(Self.filled(try SecretTemplate(FileBytes(text))) == expected)
        }
    }

    /// A changed text is refused, or gives its own bytes back but for references.
    @Test func changedTexts() {
        var random = SeededRandom()
        for _ in 0..<2_000 {
            let text = random.mutated(Array("a\n{{ lanyard:service/account#part }}\n{{ b }}".utf8))
            guard let template = try? SecretTemplate(FileBytes(text)) else {
                continue
            }
            guard template.hasReferences else {
                #expect(Self.filled(template) == text)
                continue
            }
            #expect(template.pieces.count <= 3)
        }
    }

    /// The same for the lines of a `.env` file.
    @Test func changedAssignments() {
        var random = SeededRandom()
        var found = 0
        for _ in 0..<4_000 {
            let text = random.mutated(
                Array("a\nA=lanyard:b/c # d\n export B = \"lanyard:e#f\" # g\r\n'x'".utf8))
            let parsed = try? SecretTemplate(FileBytes(text), hasAssignments: true)
            guard let template = parsed else {
                continue
            }
            found += template.references.count
            let again = template.pieces.flatMap { piece in
                switch piece {
                case .text(let text): Array(text)
                case .reference(let reference): Array(reference.text.utf8)
                }
            }
            #expect(again == text)
        }
        #expect(found > 2_000)
    }
}
