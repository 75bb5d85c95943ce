internal import KeychainServices
internal import ToolSetup

/// Finds logins in git's own configuration, including that of the repository in the current folder.
struct RepositoryCheck: GitCheck {
    static let name = "logins in git's configuration"

    func findings(_ context: DiagnosisContext) -> [Finding] {
        guard let configuration = try? GitConfiguration(context.environment) else {
            return []
        }
        return RepositoryCheck.findings(configuration)
    }

    static func findings(_ configuration: GitConfiguration) -> [Finding] {
        ["url", "pushurl"].flatMap { variable in
            configuration.remotes(variable).filter(\.hasPassword).map {
                remote($0, variable, configuration)
            }
        } + configuration.entries.compactMap(replacement)
            + configuration.entries.compactMap { header($0, configuration) }
    }

    /// Looks at a URL that git takes in place of others: the usual recipe for private modules of go.
    private static func replacement(_ entry: GitConfigEntry) -> Finding? {
        let start = "url."
        let name = [".insteadof", ".pushinsteadof"].first { entry.key.hasSuffix($0) }
        guard let name, entry.key.starts(with: start.utf8),
            let url = GitConfiguration.withoutPassword(
                entry.key.dropFirst(start.count).dropLast(name.count))?.name
        else {
            return nil
        }
        // git asks for the account that a login lacks.
        let login =
            url.contains("@") ? url : url.replacing("://", with: "://ACCOUNT@", maxReplacements: 1)
        let file =
            ["global", "system", "worktree"].contains(entry.scope) ? " --\(entry.scope)" : ""
        return Finding(
            .plainTextURL,
            "\(host: start + url + name) contains a password"
                + " (\(plain: entry.scope), \(path: entry.origin))",
            advice: "store the password (lanyard set --for git \(hostArgument: login)),"
                + " then remove it from the URL: git config\(plain: file) --edit")
    }

    private static func header(
        _ entry: GitConfigEntry, _ configuration: GitConfiguration
    ) -> Finding? {
        let start: StaticString = "authorization:"
        let isLogin = entry.value?.withBytes { value in
            value.extracting(first: start.utf8CodeUnitCount).equalsIgnoringCase(start)
        }
        guard entry.key.starts(with: "http.".utf8), entry.key.hasSuffix(".extraheader"),
            isLogin == true
        else {
            return nil
        }
        let key = entry.key.name
        return Finding(
            .plainTextHeader,
            "\(name: key) contains a login (\(plain: entry.scope), \(path: entry.origin))",
            advice:
                "log in with git once, then \(configuration.unset(key, scope: entry.scope) ?? "remove it")"
        )
    }

    /// - Parameter variable: `url` or `pushurl`.
    private static func remote(
        _ remote: GitConfiguration.Remote, _ variable: String,
        _ configuration: GitConfiguration
    ) -> Finding {
        let name = remote.name
        let push = variable == "pushurl" ? "--push " : ""
        let what: FindingText =
            "the \(plain: variable == "pushurl" ? "push URL" : "URL") of the remote"
            + " '\(name: name)' contains a password"
        let key = "remote.\(name).\(variable)"
        let isOnly = configuration.entries.count { $0.key.elementsEqual(key.utf8) } == 1
        let helper = configuration.inForce.first { $0.helper.pattern == nil }?.helper
        // Only the URL has the password: the keychain that git asks needs it first. git asks for HTTP only. A token in
        // place of the user is no login that can be imported.
        guard remote.url.hasPrefix("http"), remote.url.contains("@"), isOnly, configuration.isSetUp,
            helper?.words().count == 1
        else {
            return Finding(
                .plainTextURL, what,
                advice: "store the password (lanyard set), then remove it from the URL")
        }
        return Finding(
            .plainTextURL, what,
            command: "git config --get \(nameArgument: key) | lanyard import git-credentials -"
                + " && git remote set-url \(plain: push)\(nameArgument: name) \(hostArgument: remote.url)"
        )
    }
}
