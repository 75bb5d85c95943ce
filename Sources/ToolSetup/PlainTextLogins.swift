internal import KeychainServices

/// Counts plain-text logins that a tool leaves behind, and never shows them.
enum PlainTextLogins {
    /// Returns the files in which a `store` helper of git stores its logins.
    static func files(
        of helper: GitHelper, _ environment: SetupEnvironment
    ) throws(KeychainError) -> [String] {
        let words = helper.words()
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

    /// Counts the lines of a file with a login that git credential-store finds; none if it is unreadable.
    static func lines(_ file: String) -> Int {
        guard let bytes = (try? TargetFile(file))?.bytes else {
            return 0
        }
        return bytes.split(separator: 0x0A).count(where: isLogin)
    }

    /// Whether a line is a URL with a user and a password: comments and incomplete addresses don't count.
    ///
    /// Its bytes become no string, because they contain a password.
    static func isLogin(_ line: FileBytes) -> Bool {
        let mark = Array("://".utf8)
        guard let colon = line.firstIndex(of: mark[0]), line[colon...].starts(with: mark),
            let first = line.first, (0x61...0x7A).contains(first | 0x20),
            line[..<colon].allSatisfy(ShellWords.isPlain)
        else {
            return false
        }
        let authority = line[colon...].dropFirst(mark.count).prefix { !"/?#".utf8.contains($0) }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else {
            return false
        }
        return authority[..<at].contains(mark[0])
    }

    /// Counts the registries with a login in a configuration of docker's format; none if it is unreadable.
    static func registries(_ file: String) -> Int {
        guard let bytes = (try? TargetFile(file))?.bytes,
            let text = try? DockerConfigText(bytes, path: file)
        else {
            return 0
        }
        return text.plainTextLogins
    }

    /// Counts the passwords in a file of the format of netrc(5), and among them those of machines; none if it
    /// is unreadable.
    static func netrcPasswords(_ file: String) -> (all: Int, ofMachines: Int) {
        var count = (all: 0, ofMachines: 0)
        guard let bytes = (try? TargetFile(file))?.bytes else {
            return count
        }
        var isOfMachine = false
        var isInMacro = false
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let words = line.split(whereSeparator: \.isWhitespace)
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
                // All words but `default` have a value, which may look like a name.
                let isDefault = word.elementsEqual("default".utf8)
                if isDefault || word.elementsEqual("machine".utf8) {
                    isOfMachine = !isDefault
                }
                if word.elementsEqual("password".utf8) {
                    count.all += 1
                    count.ofMachines += isOfMachine ? 1 : 0
                }
                index += isDefault ? 1 : 2
            }
        }
        return count
    }
}
