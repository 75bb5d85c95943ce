/// A credential helper in git's configuration.
package struct GitHelper: Hashable, Sendable {
    /// The URL that it is for, nil for all.
    package let pattern: [UInt8]?
    /// What git runs. An empty one makes git forget all helpers before it.
    package let value: [UInt8]
    /// The file it is set in.
    package var origin = ""

    /// Lanyard's helper for all URLs.
    static let lanyard = GitHelper(pattern: nil, value: Array("lanyard".utf8))

    /// nil if the entry sets no helper.
    package init?(_ entry: GitConfigEntry) {
        guard entry.key.starts(with: "credential.".utf8), entry.key.hasSuffix(".helper") else {
            return nil
        }
        let pattern = entry.key.dropFirst("credential.".utf8.count).dropLast("helper".utf8.count)
        self.pattern = pattern.isEmpty ? nil : Array(pattern.dropLast())
        value = entry.value ?? []
        origin = entry.origin
    }

    init(pattern: [UInt8]?, value: [UInt8]) {
        self.pattern = pattern
        self.value = value
    }

    /// Whether it makes git forget the helpers before it, for all URLs.
    package var forgetsAll: Bool { pattern == nil && value.isEmpty }

    /// Whether it is lanyard's, perhaps with options or a path.
    package var isLanyard: Bool { runs("lanyard") }

    /// Whether it keeps logins in plain text: git's `store`.
    package var keepsPlainText: Bool { runs("store") }

    /// Its first word: the rest may hold anything, even a password.
    package var name: String {
        guard let first = words.first else {
            return ""
        }
        let name = String(decoding: first, as: UTF8.self)
        return words.count > 1 ? "\(name) …" : name
    }

    /// The words of the command, as far as spaces tell them apart.
    package var words: [ArraySlice<UInt8>] { value.split(whereSeparator: \.isBlank) }

    /// git runs `NAME` as `git credential-NAME`, a path as it is, and what follows `!` in a shell.
    private func runs(_ helper: String) -> Bool {
        var words = words
        guard let first = words.first else {
            return false
        }
        let isShell = first.first == UInt8(ascii: "!")
        if isShell {
            words[0] = first.dropFirst()
            if words[0].isEmpty {
                words.removeFirst()
            }
        }
        guard let command = words.first else {
            return false
        }
        if !isShell, command.elementsEqual(helper.utf8) {
            return true
        }
        let program = command.split(separator: UInt8(ascii: "/")).last ?? command
        if program.elementsEqual("git-credential-\(helper)".utf8) {
            return true
        }
        return isShell && words.count > 1 && program.elementsEqual("git".utf8)
            && words[1].elementsEqual("credential-\(helper)".utf8)
    }
}

extension Array<UInt8> {
    /// Whether these bytes end with a text.
    func hasSuffix(_ text: String) -> Bool {
        count >= text.utf8.count && suffix(text.utf8.count).elementsEqual(text.utf8)
    }
}
