internal import ArgumentParser

extension CompletionKind {
    /// Completes with stored names, which needs no unlocked keychain.
    static func stored(_ names: StoredNames.Kind) -> CompletionKind {
        .custom { words, index, _ in
            let line = CompletionLine(words: words, index: index)
            let found = (try? StoredNames(line).find(names)) ?? []
            // zsh takes the text after a colon for a description.
            return CompletionShell.requesting == .zsh
                ? found.map { $0.split(separator: ":", omittingEmptySubsequences: false) }
                    .map { $0.joined(separator: "\\:") }
                : found
        }
    }
}

/// The words of an unfinished command line.
struct CompletionLine {
    /// All words; quoted ones keep their quotes.
    let words: [String]
    /// The index of the word to complete.
    let index: Int

    /// The start of the word to complete, without quotes.
    var prefix: String { word(index) }

    /// The word before that one, without quotes.
    var wordBefore: String { word(index - 1) }

    /// Returns the value of an option on the line, nil without it.
    func value(of option: String) -> String? {
        for (position, word) in words.enumerated() where position != index {
            if word == option, position + 1 != index, position + 1 < words.count {
                return self.word(position + 1)
            }
            if word.hasPrefix("\(option)=") {
                return String(word.dropFirst(option.count + 1))
            }
        }
        return nil
    }

    private func word(_ position: Int) -> String {
        words.indices.contains(position)
            ? words[position].filter { !"'\"\\".contains($0) } : ""
    }
}
