import KeychainServices

@testable import LanyardConfiguration
@testable import LanyardPrompting

/// The configuration file: it stays what it is but for what is changed, and what is written into it is
/// read back.
enum ConfigurationTarget: FuzzTarget {
    static let name = "configuration"

    static func run(_ input: [UInt8]) {
        guard
            let syntax = attempt({ () throws(KeychainError) in try ConfigurationSyntax(input) })
        else {
            return
        }
        for entry in syntax.entries {
            check(input.indices.contains(entry.range.lowerBound), "an entry lies outside the file")
            check(entry.range.upperBound <= input.count, "an entry ends outside the file")
            check(entry.section == entry.section.lowercased(), "a section is not in small letters")
            check(!(entry.value ?? "").utf8.contains(0), "a value contains a NUL")
            checkWords(entry.value ?? "")
        }
        for value in ["login", "", " \"a\\b\" #;\t\n=é"] {
            checkChanges(input, syntax, value)
        }
        // Also under a name that the file itself chose.
        if let value = syntax.entries.compactMap(\.value).last, !value.contains("\r") {
            checkChanges(input, syntax, value)
        }
    }

    private static func checkChanges(
        _ input: [UInt8], _ syntax: ConfigurationSyntax, _ value: String
    ) {
        for (section, subsection) in [("lanyard", nil), ("keychain", "team")] as [(String, String?)]
        {
            let text = attempt { () throws(KeychainError) in
                var text = try ConfigurationText(input)
                try text.set(section, subsection, "searchList", value)
                return text
            }
            guard var text, let changed = entries(text.bytes) else {
                fail("a file can't be changed, or not be read after that")
            }
            func isMeant(_ entry: ConfigurationSyntax.Entry) -> Bool {
                entry.section == section && entry.subsection == subsection
                    && entry.key == "searchlist"
            }
            check(changed.last(where: isMeant)?.value == value, "a value is read as another one")
            check(
                values(changed.filter { !isMeant($0) })
                    == values(syntax.entries.filter { !isMeant($0) }),
                "another entry was changed, too")
            attempt { () throws(KeychainError) in try text.remove(section, subsection, "searchList")
            }
            guard let left = entries(text.bytes) else {
                fail("a file can't be read after an entry was removed")
            }
            check(
                values(left) == values(syntax.entries.filter { !isMeant($0) }),
                "more or less than one entry was removed")
        }
    }

    private static func entries(_ bytes: [UInt8]) -> [ConfigurationSyntax.Entry]? {
        attempt { () throws(KeychainError) in try ConfigurationSyntax(bytes).entries }
    }

    /// What an entry says, wherever it is.
    private static func values(_ entries: [ConfigurationSyntax.Entry]) -> [[String?]] {
        entries.map { [$0.section, $0.subsection, $0.key, $0.value] }
    }

    /// What values are understood as.
    private static func checkWords(_ value: String) {
        if let time = attempt({ () throws(KeychainError) in try TimeOut(parsing: value) }),
            let limit = time.limit
        {
            check((1...UInt32(Int32.max)).contains(limit), "a time-out is out of bounds")
        }
        let shown = harmless(value)
        check(
            !shown.unicodeScalars.contains { $0.properties.generalCategory == .control },
            "a text that is shown has a control character in it")
    }
}
