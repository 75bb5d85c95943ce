internal import KeychainServices
internal import ToolSetup

/// Finds logins in git's own configuration, including that of the repository in the current folder.
struct RepositoryCheck: Check {
    static let name = "logins in git's configuration"

    func findings(_ context: DiagnosisContext) -> [Finding] {
        guard context.has(.git) else {
            return []
        }
        guard let configuration = try? GitConfiguration(context.environment) else {
            return []
        }
        return configuration.remotes.filter(\.hasPassword).map { remote($0, configuration) }
            + configuration.entries.compactMap { header($0, configuration) }
    }

    private func header(
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

    private func remote(
        _ remote: GitConfiguration.Remote, _ configuration: GitConfiguration
    ) -> Finding {
        let name = remote.name
        let what: FindingText = "the URL of the remote '\(name: name)' contains a password"
        let key = "remote.\(name).url"
        let isOnly = configuration.entries.count { $0.key.elementsEqual(key.utf8) } == 1
        let helper = configuration.inForce.first { $0.helper.pattern == nil }?.helper
        // Only the URL has the password: the keychain that git asks needs it first. git asks for HTTP only.
        guard remote.url.hasPrefix("http"), isOnly, configuration.isSetUp,
            helper?.words().count == 1
        else {
            return Finding(
                .plainTextURL, what,
                advice: "store the password (lanyard set), then remove it from the URL")
        }
        return Finding(
            .plainTextURL, what,
            command: "git config --get \(nameArgument: key) | lanyard import git-credentials -"
                + " && git remote set-url \(nameArgument: name) \(hostArgument: remote.url)")
    }
}
