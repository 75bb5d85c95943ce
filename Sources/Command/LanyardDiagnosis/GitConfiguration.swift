internal import KeychainServices
internal import LinuxSystem
internal import ToolSetup

/// git's configuration as git itself reads it in the current folder: system, user, repository and
/// environment.
struct GitConfiguration {
    /// A credential helper, and the place that sets it.
    struct Helper {
        let helper: GitHelper
        /// The variable that sets it.
        let key: String
        /// `system`, `global`, `local`, `worktree` or `command`.
        let scope: String
        let origin: String
    }

    /// A remote of the repository in the current folder.
    struct Remote {
        let name: String
        /// Its URL, without the password.
        let url: String
        let hasPassword: Bool
    }

    /// All variables, in git's order.
    let entries: [GitConfigEntry]

    /// The remotes in git's order.
    var remotes: [Remote] { remotes("url") }

    /// Returns the remotes with their addresses in a variable: `url`, or `pushurl`.
    func remotes(_ variable: String) -> [Remote] {
        entries.compactMap { entry in
            guard entry.key.starts(with: "remote.".utf8), entry.key.hasSuffix(".\(variable)")
            else {
                return nil
            }
            let url = entry.value ?? ""
            let clean = GitConfiguration.withoutPassword(url)
            return Remote(
                name: entry.key.dropFirst("remote.".count).dropLast(variable.utf8.count + 1).name,
                url: (clean ?? url).name, hasPassword: clean != nil)
        }
    }

    /// Returns a URL without its password, and without a user that is a token; nil if it has neither.
    static func withoutPassword(_ url: FileBytes) -> FileBytes? {
        let scheme = url.prefix { $0 != UInt8(ascii: "/") }
        guard scheme.last == UInt8(ascii: ":"), url[scheme.endIndex...].starts(with: "//".utf8)
        else {
            return nil
        }
        let authority = url[scheme.endIndex...].dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else {
            return nil
        }
        let user = authority[..<at].prefix { $0 != UInt8(ascii: ":") }
        guard !isToken(user) else {
            return FileBytes(joining: [url[..<user.startIndex], url[(at + 1)...]])
        }
        guard user.endIndex < at, user.endIndex + 1 < at else {
            return nil
        }
        return FileBytes(joining: [url[..<user.endIndex], url[(user.isEmpty ? at + 1 : at)...]])
    }

    /// Whether a user in a URL is a token of GitHub, GitLab or another host. Names of users have at most 39 characters
    /// at GitHub.
    private static func isToken(_ user: FileBytes) -> Bool {
        let starts = [
            "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "gldt-", "ATBB",
        ]
        return starts.contains { user.starts(with: $0.utf8) }
            || user.count >= 40 && user.allSatisfy(\.isLetterOrDigit)
    }

    /// The helpers in git's order, including those for single URLs.
    var helpers: [Helper] {
        entries.compactMap { entry in
            GitHelper(entry).map {
                Helper(
                    helper: $0, key: entry.key.name, scope: entry.scope,
                    origin: entry.origin)
            }
        }
    }

    /// The helpers after the last empty one for all URLs.
    var inForce: [Helper] {
        let all = helpers
        let start = all.lastIndex(where: \.helper.forgetsAll).map { $0 + 1 } ?? 0
        return Array(all[start...])
    }

    /// Whether git asks lanyard first, and writes nothing in plain text.
    var isSetUp: Bool {
        let chain = inForce
        return chain.first { $0.helper.pattern == nil }?.helper.isLanyard == true
            && !chain.contains(where: \.helper.keepsPlainText)
    }

    /// Returns the command that removes a variable; nil if git can't change its file, or if the command
    /// would remove other variables, too.
    ///
    /// - Parameters:
    ///   - key: The variable's name.
    ///   - pattern: A regular expression for its value; nil for any value.
    func unset(_ key: String, pattern: String? = nil, scope: String) -> FindingText? {
        let command: FindingText
        switch scope {
        case "local", "worktree", "global":
            command = "git config --\(plain: scope)"
        case "system":
            command =
                SystemCalls.effectiveUser == 0
                ? "git config --system" : "sudo git config --system"
        case "command":
            // These variables have other settings, too, such as a login in a header.
            let areAllOfKey = entries.allSatisfy { entry in
                entry.scope != scope
                    || entry.key.name.lowercased() == key.lowercased()
            }
            return areAllOfKey ? "unset GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS" : nil
        default:
            return nil
        }
        let line: FindingText = "\(command) --unset-all \(nameArgument: key)"
        return pattern.map { "\(line) \(nameArgument: $0)" } ?? line
    }

    /// Returns the command that removes only this helper, nil without one.
    func unset(_ helper: Helper) -> FindingText? {
        // The rest of a command may contain anything, and git's patterns have special characters.
        let word = helper.helper.value.split(whereSeparator: \.isWhitespace).first ?? ""
        let isPlain = word.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
        guard isPlain, helper.scope != "command" else {
            return nil
        }
        let pattern = word.isEmpty ? "^$" : "^ *\(word.name)( |$)"
        return unset(helper.key, pattern: pattern, scope: helper.scope)
    }
}

extension GitConfiguration {
    /// Asks git.
    ///
    /// - Throws: ``Status/decode`` with git's own words if it can't read a file,
    ///   ``Status/notAvailable`` if it does not answer.
    init(_ environment: SetupEnvironment) throws(KeychainError) {
        let answer = try ForeignProgram("git", environment).run(
            ["config", "--includes", "--show-scope", "--show-origin", "--null", "--list"],
            variables: ["GIT_TRACE": nil, "GIT_TRACE2": nil])
        guard answer.succeeded else {
            throw KeychainError(.decode, answer.firstComplaint ?? "git fails")
        }
        self.init(entries: GitConfigEntry.parse(answer.output, withOrigins: true))
    }
}

extension FindingText {
    /// Joins two lines.
    static func + (left: FindingText, right: FindingText) -> FindingText { "\(left)\(right)" }
}
