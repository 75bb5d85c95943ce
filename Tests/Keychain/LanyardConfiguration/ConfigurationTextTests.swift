import TestSupport
import KeychainServices
import Testing

@testable import LanyardConfiguration

/// Changes of a configuration file, and that git reads what was written.
@Suite("changes of a configuration file")
struct ConfigurationTextTests {
    private func text(_ string: String) throws -> ConfigurationText {
        try ConfigurationText(Array(string.utf8))
    }

    private func string(_ text: ConfigurationText) -> String {
        String(decoding: text.bytes, as: UTF8.self)
    }

    @Test(
        "a value goes where it belongs, and everything else stays",
        arguments: [
            ("", "[lanyard]\n\tdefault = new\n"),
            ("# note", "# note\n[lanyard]\n\tdefault = new\n"),
            ("# note\r\n", "# note\r\n[lanyard]\r\n\tdefault = new\r\n"),
            ("[lanyard]\ndefault=old", "[lanyard]\ndefault=new"),
            ("[Lanyard]\n\tDefault = old # mine\n", "[Lanyard]\n\tDefault = new # mine\n"),
            ("[lanyard]\n default = \"o ld\"\t;x\r\n", "[lanyard]\n default = new\t;x\r\n"),
            ("[lanyard]\ndefault\n", "[lanyard]\ndefault = new\n"),
            ("[lanyard]\ndefault = # none\n", "[lanyard]\ndefault = new # none\n"),
            ("[lanyard]\ndefault = o\\\n  ld # x\nk=1\n", "[lanyard]\ndefault = new # x\nk=1\n"),
            ("[lanyard]\ndefault=a\ndefault=b\n", "[lanyard]\ndefault=a\ndefault=new\n"),
            ("[lanyard] default = old\n", "[lanyard] default = new\n"),
            ("[lanyard] # mine\n[a]\n", "[lanyard] # mine\n\tdefault = new\n[a]\n"),
            ("[lanyard]\r\n[a]\r\n", "[lanyard]\r\n\tdefault = new\r\n[a]\r\n"),
            ("[lanyard]\nk=1 # x\n\n[a]\n", "[lanyard]\nk=1 # x\n\tdefault = new\n\n[a]\n"),
            ("[lanyard][a]\nk=1\n", "[lanyard][a]\nk=1\n[lanyard]\n\tdefault = new\n"),
            ("[a]\nk = v\\\n", "[a]\nk = v\\\n\n[lanyard]\n\tdefault = new\n"),
            ("[a]\nk = v\\", "[a]\nk = v\\\n\n[lanyard]\n\tdefault = new\n"),
            ("[lanyard]\nk = v\\", "[lanyard]\nk = v\\\n\n\tdefault = new"),
            ("[lanyard \"x\"]\n", "[lanyard \"x\"]\n[lanyard]\n\tdefault = new\n"),
        ])
    func setting(before: String, after: String) throws {
        var text = try text(before)
        try text.set("lanyard", nil, "default", "new")
        #expect(string(text) == after)
    }

    @Test(
        "an entry goes with its line, but its section's header stays",
        arguments: [
            ("[lanyard]\n\tdefault = x # note\n# y\n", "[lanyard]\n# y\n"),
            ("[lanyard] default = x\naccessible = ak\n", "[lanyard] \naccessible = ak\n"),
            ("[lanyard]\ndefault = x\ndefault = y\ndefault=x", "[lanyard]\ndefault = y\n"),
            ("[lanyard]\r\ndefault = \\\r\n x\r\nk\r\n", "[lanyard]\r\nk\r\n"),
            ("[lanyard]\ndefault = y\n", "[lanyard]\ndefault = y\n"),
            ("[a][lanyard]default=x # note\nk=1", "[a][lanyard] # note\nk=1"),
        ])
    func removing(before: String, after: String) throws {
        var text = try text(before)
        try text.remove("lanyard", nil, "default", value: "x")
        #expect(string(text) == after)
    }

    @Test(
        "a section goes with its headers, and no other's",
        arguments: [
            ("[keychain \"w\"]\n\tfile = /a\n", ""),
            ("# 1\n[keychain \"w\"] # 2\nfile = /a\n# 3\n[a]\nk=1\n", "# 1\n# 3\n[a]\nk=1\n"),
            ("[keychain \"w\"] file = /a\n[a]\nk=1\n", "[a]\nk=1\n"),
            ("[keychain \"w\"][a]\nk=1\n", "[a]\nk=1\n"),
            ("[a][keychain \"w\"]\nfile=/a\n", "[a]\n"),
            ("[keychain \"w\"]\n[keychain \"W\"]\nfile=/a\n", "[keychain \"W\"]\nfile=/a\n"),
            ("[keychain.w]\nfile=/a\n[keychain \"w\"]\nkind=sealed", ""),
        ])
    func removingSections(before: String, after: String) throws {
        var text = try text(before)
        try text.removeSection("keychain", "w")
        #expect(string(text) == after)
    }

    private static let values = [
        "new", "", " ", "a b", " a", "a ", "#", ";x", "a#b", "\"", "\\", "a\\", "\\n", "\n", "a\r",
        "\r\nb", "\t", "\u{8}", "ä", "/home/me/my keychains/w.keychain", "=", "[a]", "\u{FEFF}",
    ]

    @Test("random changes of random files: git reads them, and nothing else changed")
    func randomChanges() throws {
        var random = SeededRandom()
        var changes = 0
        while changes < 200 {
            let before = OddFile.random(&random)
            guard var text = try? ConfigurationText(before) else {
                continue
            }
            changes += 1
            let old = try ConfigurationSyntax(before).entries
            let (section, subsection) = random.element(
                of: [("lanyard", nil), ("keychain", "w"), ("a", nil), ("keychain", "x-1.y\"\\")])
            let key = random.element(of: ["default", "file", "k"])
            let value = random.element(of: ConfigurationTextTests.values)
            try text.set(section, subsection, key, value)

            let name = [section, subsection, key].compactMap(\.self).joined(separator: ".")
            let what =
                "\(String(decoding: before, as: UTF8.self).debugDescription) \(name)="
                + "\(value.debugDescription), LANYARD_TEST_SEED=\(SeededRandom.seed)"
            let read = try Git.entries(text.bytes) ?? []
            #expect(read.last { $0.name == name }?.value == value, "\(what)")
            // The one that changed set aside, on both sides, the rest is as it was.
            var rest = names(old)
            var readRest = read.map(\.withSpaces)
            if let index = rest.lastIndex(where: { $0.name == name }) {
                rest.remove(at: index)
            }
            if let index = readRest.lastIndex(where: { $0.name == name }) {
                readRest.remove(at: index)
            }
            #expect(readRest == rest.map(\.withSpaces), "\(what)")
            expectOneChange(
                before, text.bytes,
                within: old.last {
                    ($0.section, $0.subsection, $0.key) == (section, subsection, key)
                }?.range, what)
        }
    }

    @Test("random removals from random files: git finds the rest")
    func randomRemovals() throws {
        var random = SeededRandom()
        var changes = 0
        while changes < 150 {
            let before = OddFile.random(&random)
            guard var text = try? ConfigurationText(before) else {
                continue
            }
            let old = names(try ConfigurationSyntax(before).entries)
            guard old.contains(where: { $0.name.hasPrefix("keychain.w.") }) else {
                continue
            }
            changes += 1
            try text.removeSection("keychain", "w")
            let rest = old.filter { !$0.name.hasPrefix("keychain.w.") }
            let read = try Git.entries(text.bytes)
            #expect(
                read?.map(\.withSpaces) == rest.map(\.withSpaces),
                "\(String(decoding: before, as: UTF8.self).debugDescription)")
        }
    }

    /// Expects that bytes were put in at one place, and none taken out but an entry's own.
    private func expectOneChange(
        _ before: [UInt8], _ after: [UInt8], within entry: Range<Int>?, _ what: String
    ) {
        let start = zip(before, after).prefix { $0 == $1 }.count
        let rest = min(before.count, after.count) - start
        let end = zip(before.reversed(), after.reversed()).prefix { $0 == $1 }.prefix(rest).count
        let removed = start..<(before.count - end)
        #expect(
            removed.isEmpty
                || entry.map {
                    $0.lowerBound <= removed.lowerBound
                        && removed.upperBound <= $0.upperBound
                } == true, "\(what)")
    }
}
