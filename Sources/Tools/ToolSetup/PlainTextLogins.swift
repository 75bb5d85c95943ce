internal import KeychainServices
internal import PlainTextFormats
internal import ToolCatalog

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
        let parts = line.withBytes { URLParts($0) }
        return parts.scheme != nil && parts.password != nil
    }

    /// Counts the registries with a login in a configuration of docker's format; none if it is unreadable.
    static func registries(_ file: String) -> Int {
        guard let bytes = (try? TargetFile(file))?.bytes,
            let text = try? DockerConfigText(bytes, path: file)
        else {
            return 0
        }
        return text.registriesWithLogin.count
    }

    /// Counts the secrets in a file that the catalogue describes; none if it is unreadable.
    static func secrets(_ file: String, _ description: SecretFile) -> Int {
        guard let bytes = (try? TargetFile(file))?.bytes else {
            return 0
        }
        return bytes.withBytes { text in
            PlainTextValues.search(text, description.format).count { value in
                description.keys.contains { $0.holds == .secret && $0.matches(value.path) }
            }
        }
    }

    /// Counts the passwords in a file of the format of netrc(5), and among them those of machines; none if it
    /// is unreadable.
    static func netrcPasswords(_ file: String) -> (all: Int, ofMachines: Int) {
        guard let bytes = (try? TargetFile(file))?.bytes else {
            return (0, 0)
        }
        let passwords = bytes.withBytes { text in
            PlainTextValues.search(text, .netrc).filter { $0.path.last == "password" }
        }
        // The `default` has no name.
        return (passwords.count, passwords.count { $0.path.first?.isEmpty == false })
    }
}
