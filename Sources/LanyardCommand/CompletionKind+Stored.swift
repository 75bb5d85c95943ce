internal import ArgumentParser
internal import Keychains

extension CompletionKind {
    /// Completes with what is stored, which no keychain has to be unlocked for.
    static func stored(_ names: StoredNames.Kind) -> CompletionKind {
        .custom { words, index, _ in
            let line = CompletionLine(words: words, index: index)
            let found = (try? StoredNames(line).find(names)) ?? []
            // The text behind a colon is a description for zsh.
            return CompletionShell.requesting == .zsh
                ? found.map { $0.split(separator: ":", omittingEmptySubsequences: false) }
                    .map { $0.joined(separator: "\\:") }
                : found
        }
    }
}

/// The words of a line that is being typed.
struct CompletionLine {
    /// All words, those of them that are quoted with their quotes.
    let words: [String]
    /// Which word is to be completed.
    let index: Int

    /// The start of the word that is to be completed, without quotes.
    var prefix: String { word(index) }

    /// The word before that one, without quotes.
    var wordBefore: String { word(index - 1) }

    /// The value of an option that is on the line, nil without it.
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
