internal import KeychainServices

/// Logins in plain text that a tool leaves behind. They are counted, never shown.
enum PlainTextLogins {
    /// The files in which a `store` helper of git keeps its logins.
    static func files(
        of helper: GitHelper, _ environment: SetupEnvironment
    ) throws(KeychainError) -> [String] {
        let words = helper.words
        let home = try environment.home()
        for (index, word) in words.enumerated() {
            var file: String?
            if word.hasPrefix("--file=") {
                file = word.withoutPrefix("--file=")
            } else if word == "--file", index + 1 < words.count {
                file = words[index + 1]
            }
            if let file {
                return [file.hasPrefix("~/") ? "\(home)/\(file.dropFirst(2))" : file]
            }
        }
        return ["\(home)/.git-credentials", "\(try environment.configurations())/git/credentials"]
    }

    /// How many lines of a file hold a login that git credential-store finds; none if it can't be read.
    static func lines(_ file: String) -> Int {
        guard let bytes = (try? TargetFile(file))?.bytes else {
            return 0
        }
        return bytes.split(separator: 0x0A).count { isLogin(String(decoding: $0, as: UTF8.self)) }
    }

    /// Whether a line is a URL with a user and a password: a comment, or half an address, is none.
    static func isLogin(_ line: String) -> Bool {
        guard let colon = line.firstIndex(of: ":"), line[colon...].hasPrefix("://"),
            let first = line.first, first.isASCII, first.isLetter,
            line[..<colon].utf8.allSatisfy(ShellWords.isPlain)
        else {
            return false
        }
        let authority = line[colon...].dropFirst(3).prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@") else {
            return false
        }
        return authority[..<at].contains(":")
    }

    /// How many registries have a login in a configuration of docker's form; none if it can't be
    /// read.
    static func registries(_ file: String) -> Int {
        guard let bytes = (try? TargetFile(file))?.bytes,
            let text = try? DockerConfigText(bytes, path: file)
        else {
            return 0
        }
        return text.plainTextLogins
    }

    /// How many passwords a file of the form of netrc(5) has; none if it can't be read.
    static func netrcPasswords(_ file: String) -> Int {
        guard let bytes = (try? TargetFile(file))?.bytes else {
            return 0
        }
        var count = 0
        var isInMacro = false
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let words = line.split(whereSeparator: \.isBlank)
            guard !isInMacro else {
                // A macro ends with an empty line.
                isInMacro = !words.isEmpty
                continue
            }
            var index = 0
            while index < words.count, words[index].first != UInt8(ascii: "#") {
                let word = words[index]
                if word.elementsEqual("macdef".utf8) {
                    isInMacro = true
                    break
                }
                // All but `default` have a value, which may be spelled like a name.
                let isPassword = word.elementsEqual("password".utf8)
                count += isPassword ? 1 : 0
                index += word.elementsEqual("default".utf8) ? 1 : 2
            }
        }
        return count
    }
}
