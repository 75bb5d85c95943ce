internal import ToolSetup

/// Finds logins in git's own configuration, including that of the repository in the current folder.
struct RepositoryCheck: Check {
    static let name = "logins in git's configuration"

    func findings(_ context: DiagnosisContext) async -> [Finding] {
        guard context.has(.git) else {
            return []
        }
        guard let configuration = try? await GitConfiguration(context.environment) else {
            return []
        }
        return configuration.entries.compactMap { entry in
            let key = String(decoding: entry.key, as: UTF8.self)
            let value = String(decoding: entry.value ?? [], as: UTF8.self)
            if key.hasPrefix("remote."), key.hasSuffix(".url") {
                return remote(String(key.dropFirst(7).dropLast(4)), value, configuration)
            }
            guard key.hasSuffix(".extraheader"), key.hasPrefix("http."),
                value.lowercased().hasPrefix("authorization:")
            else {
                return nil
            }
            return Finding(
                .plainTextHeader,
                "\(name: key) contains a login (\(plain: entry.scope), \(path: entry.origin))",
                advice:
                    "log in with git once, then \(configuration.unset(key, scope: entry.scope) ?? "remove it")"
            )
        }
    }

    private func remote(
        _ name: String, _ url: String, _ configuration: GitConfiguration
    ) -> Finding? {
        guard let clean = RepositoryCheck.withoutPassword(url) else {
            return nil
        }
        let what: FindingText = "the URL of the remote '\(name: name)' contains a password"
        let key = "remote.\(name).url"
        let isOnly = configuration.entries.count { $0.key.elementsEqual(key.utf8) } == 1
        let helper = configuration.inForce.first { $0.helper.pattern == nil }?.helper
        // Only the URL has the password: the keychain that git asks needs it first.
        guard isOnly, configuration.isSetUp, helper?.words.count == 1 else {
            return Finding(
                .plainTextURL, what,
                advice: "store the password (lanyard set), then remove it from the URL")
        }
        return Finding(
            .plainTextURL, what,
            command: "git config --get \(nameArgument: key) | lanyard import git-credentials -"
                + " && git remote set-url \(nameArgument: name) \(hostArgument: clean)")
    }

    /// Returns a HTTP URL without its password, nil if it has none.
    static func withoutPassword(_ url: String) -> String? {
        for scheme in ["https://", "http://"] where url.hasPrefix(scheme) {
            let rest = url.dropFirst(scheme.count)
            let authority = rest.prefix { $0 != "/" }
            guard let at = authority.lastIndex(of: "@"),
                let colon = authority[..<at].firstIndex(of: ":"),
                authority.index(after: colon) < at
            else {
                return nil
            }
            let user = authority[..<colon]
            return scheme + (user.isEmpty ? rest[rest.index(after: at)...] : user + rest[at...])
        }
        return nil
    }
}
