internal import GitCredential
internal import KeychainServices

/// A credential helper in git's configuration.
package struct GitHelper: Hashable, Sendable {
    /// The URL that it is for, nil for all.
    package let pattern: [UInt8]?
    /// The command that git runs. An empty one makes git forget all helpers before it.
    package let value: [UInt8]
    /// The file that sets it.
    package var origin = ""

    /// Lanyard's helper for all URLs.
    static let lanyard = GitHelper(pattern: nil, value: Array("lanyard".utf8))

    /// Fails if the entry sets no helper.
    package init?(_ entry: GitConfigEntry) {
        guard entry.key.starts(with: "credential.".utf8), entry.key.hasSuffix(".helper") else {
            return nil
        }
        let pattern = entry.key.dropFirst("credential.".utf8.count).dropLast("helper".utf8.count)
        self.pattern = pattern.isEmpty ? nil : Array(pattern.dropLast())
        value = Array(entry.value ?? "")
        origin = entry.origin
    }

    init(pattern: [UInt8]?, value: [UInt8]) {
        self.pattern = pattern
        self.value = value
    }

    /// Whether it makes git forget the helpers before it, for all URLs.
    package var forgetsAll: Bool { pattern == nil && value.isEmpty }

    /// Whether it is lanyard's, perhaps with options or a path.
    package var isLanyard: Bool { runs(ToolFormat.git.helper) }

    /// Whether it stores logins in plain text: git's `store`.
    package var keepsPlainText: Bool { runs("git-credential-store") }

    /// Its first word: the rest may contain anything, even a password.
    package var name: String {
        let words = value.split(whereSeparator: \.isBlank)
        guard let first = words.first else {
            return ""
        }
        let name = String(decoding: first, as: UTF8.self)
        return words.count > 1 ? "\(name) …" : name
    }

    /// The words of the command as a shell splits them, without the leading `!`.
    package var words: [String] {
        let isShell = value.first == UInt8(ascii: "!")
        return ShellWords.split(
            String(decoding: isShell ? value.dropFirst() : value[...], as: UTF8.self))
    }

    /// The program that git runs for it: an absolute path, or a name in git's own folder or PATH; nil for a
    /// command that needs a shell.
    package var program: String? {
        guard let first = words.first else {
            return nil
        }
        guard value.first == UInt8(ascii: "!") else {
            return first.hasPrefix("/") ? first : "git-credential-\(first)"
        }
        let program = first.split(separator: "/").last
        if program == "git", words.count > 1, words[1].hasPrefix("credential-") {
            return "git-\(words[1])"
        }
        return first.utf8.allSatisfy(ShellWords.isPlain) ? first : nil
    }

    private func runs(_ name: String) -> Bool {
        program?.split(separator: "/").last == name[...]
    }
}
