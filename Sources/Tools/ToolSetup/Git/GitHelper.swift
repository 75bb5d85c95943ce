internal import GitCredential
package import KeychainServices

/// A credential helper in git's configuration.
package struct GitHelper: Equatable, Sendable {
    /// The URL that it is for, nil for all.
    package let pattern: [UInt8]?
    /// The command that git runs, perhaps with a password. An empty one makes git forget all helpers before
    /// it.
    package let value: FileBytes
    /// The file that sets it.
    package var origin = ""

    /// Lanyard's helper for all URLs.
    static let lanyard = GitHelper(pattern: nil, value: "lanyard")

    /// Fails if the entry sets no helper.
    package init?(_ entry: GitConfigEntry) {
        guard entry.key.starts(with: "credential.".utf8), entry.key.hasSuffix(".helper") else {
            return nil
        }
        let pattern = entry.key.dropFirst("credential.".utf8.count).dropLast("helper".utf8.count)
        self.pattern = pattern.isEmpty ? nil : Array(pattern.dropLast())
        value = entry.value ?? ""
        origin = entry.origin
    }

    init(pattern: [UInt8]?, value: FileBytes) {
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
        let words = words(atMost: 2)
        guard let first = words.first else {
            return ""
        }
        let name = FileBytes((value.first == UInt8(ascii: "!") ? "!" : "") + first).name
        return words.count > 1 ? "\(name) …" : name
    }

    /// Returns the first words of the command as a shell splits them, without the leading `!`. Only those of
    /// lanyard's helper and of `store` are all without a password.
    package func words(atMost limit: Int = .max) -> [String] {
        let isShell = value.first == UInt8(ascii: "!")
        return ShellWords.split(isShell ? value.dropFirst() : value, atMost: limit)
    }

    /// The program that git runs for it: an absolute path, or a name in git's own folder or PATH; nil for a
    /// command that needs a shell.
    package var program: String? {
        guard let first = words(atMost: 1).first else {
            return nil
        }
        guard value.first == UInt8(ascii: "!") else {
            return first.hasPrefix("/") ? first : "git-credential-\(first)"
        }
        let program = first.split(separator: "/").last
        if program == "git", let second = words(atMost: 2).dropFirst().first,
            second.hasPrefix("credential-")
        {
            return "git-\(second)"
        }
        return first.utf8.allSatisfy(ShellWords.isPlain) ? first : nil
    }

    private func runs(_ name: String) -> Bool {
        program?.split(separator: "/").last == name[...]
    }
}
