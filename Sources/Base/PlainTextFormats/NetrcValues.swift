internal import LanyardSecrets

/// Reads the logins and passwords of netrc. A path has the name of the machine, empty for the default, and the word.
enum NetrcValues {
    /// Adds the values.
    ///
    /// - Throws: ``Status/decode`` for what ``NetrcParser/problem`` says; other entries are added nevertheless.
    static func read(
        _ text: Span<UInt8>, to values: inout [PlainTextValue]
    ) throws(KeychainError) {
        let parser = NetrcParser(text)
        for entry in parser.entries {
            var machine = ""
            if case .machine(let name) = entry.kind {
                machine = text.extracting(name.inner).name
            }
            func add(_ word: String, _ tokens: [NetrcToken]) {
                values += tokens.map { token in
                    PlainTextValue(
                        path: [machine, word], range: token.inner, line: token.line,
                        parent: entry.range.lowerBound,
                        isVerbatim: !text.extracting(token.inner).contains(UInt8(ascii: "\\")),
                        removal: entry.range)
                }
            }
            add("login", entry.logins)
            add("password", entry.passwords)
        }
        values.sort { $0.range.lowerBound < $1.range.lowerBound }
        if let problem = parser.problem {
            throw problem
        }
    }
}
