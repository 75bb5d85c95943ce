import TestSupport
import KeychainServices
import Testing

@testable import LanyardConfiguration

/// The real git is the judge of what a file says.
@Suite("git's syntax of configuration files")
struct ConfigurationSyntaxTests {
    @Test(
        "odd files are read as git reads them",
        arguments: [
            "", "\n", "\r\n", "# note", "; note\n", "\t \n", "[a]", "[a]\n", "[a]k=1", "[a] k",
            "[a]\nk=1", "[a]\nk=1\n", "[a]\nk = 1 \n", "[a]\nk=\n", "[a]\nk = \n", "[a]\nk\n",
            "[a]\nk", "[a]\nK=V", "[A]\nk=1", "[a \"B\"]\nk=1", "[A.B]\nk=1", "[a.B \"C\"]\nk=1",
            "[a.b.c]\nk=1", "[.a]\nk=1", "[a.]\nk=1", "[a]\nk=1\nk=2", "[a]\nk=1\n[a]\nk=2",
            "[a]\nk # c\n", "[a]\nk ; c", "[a]\nk= # c", "[a]\nk=#", "[a]\nk=1;2", "[a]\nk=a#b",
            "[a]\nk=\"a#b\"", "[a]\nk=\"a;b\" ; c", "[a]\nk=a\\#b", "[a ]\nk=1", "[ a]\nk=1",
            "[]\n",
            "[]\nk=1", "[a", "[a\n", "[a\n]", "[a \"b", "[a \"b\"", "[a \"b\" ]", "[a \"b\"c]",
            "[a\"b\"]\nk=1", "[a  \"b\"]\nk=1", "[a\t\"b\"]\nk=1", "[a\n\"b\"]\nk=1",
            "[a \"\"]\nk=1", "[a \"b c\"]\nk=1", "[a \"b.c\"]\nk=1", "[a \"b\\\"c\"]\nk=1",
            "[a \"b\\\\c\"]\nk=1", "[a \"b\\nc\"]\nk=1", "[a \"b\\\n\"]\nk=1", "[a \"b\\",
            "[a \"]\"]\nk=1", "[a_b]\nk=1", "[a-b]\nk=1", "[1]\nk=1", "[ä]\nk=1", "[a \"ä\"]\nk=1",
            "[a] # c\nk=1", "[a] k=1 [b]", "[a][b]\nk=1", "[a]=1", "[a]\n=1", "[a]\n1k=1",
            "[a]\nk1=1", "[a]\n-k=1", "[a]\nk-1=1", "[a]\nk_1=1", "[a]\nk.l=1", "[a]\nä=1",
            "[a]\nk\t=\t1", "[a]\nk\r=1", "[a]\nk\u{B}=1", "[a]\n\u{C}k=1", "[a]\nk==1",
            "[a]\nk x", "[a]\nk=\"", "[a]\nk=\"\"", "[a]\nk=\"a\" b", "[a]\nk=\"a\"\"b\"",
            "[a]\nk=\"x", "[a]\nk=\"x\ny\"", "[a]\nk=a \"  \" \n", "[a]\nk=\" a \"",
            "[a]\nk=\"\" x",
            "[a]\nk=a  b", "[a]\nk=\"a\tb\"", "[a]\nk=a\\tb\\nc\\bd", "[a]\nk=\\q",
            "[a]\nk=\\\"x\\\"",
            "[a]\nk=\\\\", "[a]\nk=x\\", "[a]\nk=\\", "[a]\nk=x\\\n", "[a]\nk=a\\\nb",
            "[a]\nk=a \\\n b", "[a]\nk=\\\n  x", "[a]\nk=a \\\n\nz=1", "[a]\nk=a # c \\\nz=1",
            "[a]\n# c \\\nz=1", "[a]\nk=\"a\\\nb\"", "[a]\nk=a\\\r\nb", "[a]\r\nk=1\r\n",
            "[a]\r\nk\r\n", "[a]\nk=a\rb", "[a]\nk=a\r", "[a]\nk=\"a\r\"", "[a]\nk=a\r\r\n",
            "[a\r\n]", "\u{FEFF}[a]\nk=1", "\u{FEFF}", "[a]\n\u{FEFF}k=1", "[a]\nk=ä𝄞",
            "[a]\nk=\u{7F}", "[include]\npath=/nonexistent", "[a]\nk=\u{1}\u{2}",
        ])
    func oddFiles(text: String) throws {
        try expectAsGit(Array(text.utf8))
    }

    @Test("random files are read as git reads them")
    func randomFiles() throws {
        var random = SeededRandom()
        var readable = 0
        for _ in 0..<500 {
            readable += try expectAsGit(OddFile.random(&random)) ? 1 : 0
        }
        // Else the comparison would say little.
        #expect(readable > 100, "LANYARD_TEST_SEED=\(SeededRandom.seed)")
    }

    @Test("a byte order mark counts only as a whole")
    func partOfAByteOrderMark() throws {
        try expectAsGit([0xEF, 0xBB] + Array("[a]\nk=1".utf8))
    }

    @Test(
        "accepted by git but not by us: entries without a section, NUL, other encodings",
        arguments: [
            Array("k=1".utf8), Array("[a]\nk=x\0y".utf8), Array("[a]\nk=".utf8) + [0xFF],
            Array("[a \"".utf8) + [0xE4] + Array("\"]\nk=1".utf8),
        ])
    func refused(bytes: [UInt8]) throws {
        #expect(try Git.entries(bytes) != nil)
        #expect(throws: KeychainError(.param)) { try ConfigurationSyntax(bytes).entries }
    }

    @Test("a tab inside a value stays one, as in git since 2.45")
    func tab() throws {
        let entries = try ConfigurationSyntax(Array("[a]\nk = x\t y\t\n".utf8)).entries
        #expect(entries.map(\.value) == ["x\t y"])
    }

    @Test(
        "an error names the line that can't be read",
        arguments: [
            ("[a]\nk=1\n[b\n", 3), ("[a]\r\n\r\nk=\"x\r\n", 3), ("[a]\nk=a\\\nb\n!", 4), ("!", 1),
        ])
    func lineOfError(text: String, line: Int) {
        let error = #expect(throws: KeychainError.self) {
            try ConfigurationSyntax(Array(text.utf8)).entries
        }
        #expect(error?.reason == "line \(line) of the configuration is invalid")
    }

    @Test("an entry knows its line")
    func lineOfEntry() throws {
        let text = "# note\r\n[a]\r\nk=a\\\r\nb\r\n\r\nl\r\n"
        let entries = try ConfigurationSyntax(Array(text.utf8)).entries
        #expect(entries.map(\.line) == [3, 6])
    }

    /// - Returns: Whether the file can be read.
    @discardableResult
    private func expectAsGit(_ bytes: [UInt8]) throws -> Bool {
        var theirs = try Git.entries(bytes)
        // Where git has entries without a section we refuse.
        if theirs?.contains(where: { !$0.name.contains(".") }) == true {
            theirs = nil
        }
        let ours = (try? ConfigurationSyntax(bytes).entries).map(names)
        let text = String(decoding: bytes, as: UTF8.self).debugDescription
        #expect(
            ours?.map(\.withSpaces) == theirs?.map(\.withSpaces),
            "\(text), LANYARD_TEST_SEED=\(SeededRandom.seed)")
        return ours != nil
    }
}

/// Our entries as git lists them.
func names(_ entries: [ConfigurationSyntax.Entry]) -> [Git.Entry] {
    entries.map {
        Git.Entry(
            name: [$0.section, $0.subsection, $0.key].compactMap(\.self).joined(separator: "."),
            value: $0.value)
    }
}
