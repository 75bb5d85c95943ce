/// How programs write several short options as one word, and long ones short.
package struct OptionSyntax: Hashable, Sendable {
    /// The short options that never have a value: `sN` for `-s` and `-N`.
    let flags: String
    /// Those with a value, which may follow in the same word, besides the options that the profile names.
    let valued: String
    /// Further ones of single programs.
    let valuedOf: [String: String]
    /// The programs that take any unique start of a long option.
    let abbreviating: [String]

    init(
        flags: String = "", valued: String = "", valuedOf: [String: String] = [:],
        abbreviating: [String] = []
    ) {
        self.flags = flags
        self.valued = valued
        self.valuedOf = valuedOf
        self.abbreviating = abbreviating
    }
}

extension ToolProfile {
    /// The options with a value that the profile knows.
    private func options(of program: String) -> Set<String> {
        var options = (scope?.options ?? []) + (scope?.programOptions[program] ?? [])
        options += scope?.server?.options ?? []
        options += (scope?.port?.options ?? []) + (scope?.port?.sockets ?? [])
        options += addresses.flatMap(\.options) + moves.flatMap(\.options)
        let entries = (scope?.active ?? []) + addresses.flatMap(\.entries)
        options += entries.flatMap { $0.section?.options ?? [] }
        options += files.flatMap(\.rivals) + rivals.joined() + accountNames
        return Set(options.filter { $0.hasPrefix("-") && !$0.contains(" ") })
    }

    /// Returns a program's arguments with the options that the profile knows as words of their own, and in full:
    /// `-sNh db` becomes `-sN -h db`, and `--hos=db` becomes `--host=db`.
    ///
    /// - Returns: Also an option that one of the arguments may contain, if the profile doesn't know enough of the
    ///   program's others to say; nil if all is clear.
    package func separated(
        _ words: [String], of program: String
    ) -> (words: [String], unclear: String?) {
        let own = options(of: program)
        // Such programs have no options of one letter that could share a word.
        let hasLetters = !own.contains { $0.count > 2 && !$0.hasPrefix("--") }
        let longs = own.filter { $0.hasPrefix("--") }.sorted()
        var separated: [String] = []
        var unclear: String?
        for (index, word) in words.enumerated() {
            if word == "--" {
                separated += words[index...]
                break
            }
            if word.hasPrefix("--"), syntax.abbreviating.contains(program) {
                let name = word.prefix { $0 != "=" }
                let isFull = own.contains(String(name))
                let full = isFull ? nil : longs.first { $0.hasPrefix(name) }
                separated.append(full.map { $0 + word.dropFirst(name.count) } ?? word)
            } else if hasLetters, word.hasPrefix("-"), !word.hasPrefix("--"), word.count > 2 {
                let (parts, option) = letters(word, own, program)
                separated += parts
                unclear = unclear ?? option
            } else {
                separated.append(word)
            }
        }
        return (separated, unclear)
    }

    /// Splits a word with short options before the one that the profile knows.
    private func letters(_ word: String, _ own: Set<String>, _ program: String) -> (
        [String], unclear: String?
    ) {
        let valued = syntax.valued + (syntax.valuedOf[program] ?? "")
        var flags = "-"
        var rest = word.dropFirst()
        while let letter = rest.first {
            if own.contains("-\(letter)") {
                return (flags == "-" ? [word] : [flags, "-\(rest)"], nil)
            }
            guard syntax.flags.contains(letter) else {
                let others = rest.dropFirst().prefix { $0.isLetter }
                let option = others.first { own.contains("-\($0)") }.map { "-\($0)" }
                let isClear = valued.contains(letter) || !letter.isLetter
                return ([word], isClear ? nil : option)
            }
            flags.append(letter)
            rest.removeFirst()
        }
        return ([word], nil)
    }
}
