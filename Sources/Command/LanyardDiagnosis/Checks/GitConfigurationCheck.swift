internal import GitCredential
internal import KeychainServices
internal import ToolSetup

/// Checks which helpers git is configured to ask.
struct GitConfigurationCheck: GitCheck {
    static let name = "git's configuration"

    func findings(_ context: DiagnosisContext) -> [Finding] {
        let hidden = unreadable(context.environment) ?? hidden(context.environment)
        var findings = [hidden, old(context)].compactMap(\.self)
        do throws(KeychainError) {
            let configuration = try GitConfiguration(context.environment)
            // A file that git ignores can neither name lanyard nor be set up.
            findings += chain(configuration, context)
                .filter { hidden == nil || $0.code != .gitNotSetUp }
            findings += configuration.entries.compactMap { httpPath($0, configuration) }
        } catch {
            findings.append(GitConfigurationCheck.unreadable(error))
        }
        return findings
    }

    /// Returns a finding about a git that fails. It names a line only if a file is the reason.
    static func unreadable(_ error: KeychainError) -> Finding {
        let isOfFile = error.status == .decode && error.reason.contains(" line ")
        return Finding(
            .gitConfigurationUnreadable, "git says: \(said: error.reason)",
            advice: isOfFile
                ? "fix the line that git names with an editor"
                : "run git config --list to see the cause")
    }

    /// Checks for files of the user's that git can't read, and passes over.
    private func unreadable(_ environment: SetupEnvironment) -> Finding? {
        for path in (try? GitSetup.globalFiles(environment)) ?? [] {
            do throws(KeychainError) {
                _ = try TargetFile(path)
            } catch {
                // Only the command that lets the user read it is a hint here.
                if let command = error.hint {
                    return Finding(
                        .gitGlobalHidden, "git can't read '\(path: path)'",
                        command: "\(plain: command)")
                }
            }
        }
        return nil
    }

    /// Checks for variables that hide the user's configuration from git.
    private func hidden(_ environment: SetupEnvironment) -> Finding? {
        guard let path = environment.variables["GIT_CONFIG_GLOBAL"] else {
            return nil
        }
        let bytes = (try? TargetFile(path))?.bytes
        guard bytes == nil || path.isEmpty || path == "/dev/null" else {
            return nil
        }
        let what: FindingText =
            path.isEmpty
            ? "GIT_CONFIG_GLOBAL is empty"
            : bytes == nil && path != "/dev/null"
                ? "GIT_CONFIG_GLOBAL names '\(path: path)', which does not exist"
                : "GIT_CONFIG_GLOBAL names '\(path: path)', which has no settings"
        return Finding(
            .gitGlobalHidden, what,
            command: "unset GIT_CONFIG_GLOBAL")
    }

    private func old(_ context: DiagnosisContext) -> Finding? {
        guard let version = context.programs.first(where: { $0.name == .git })?.version else {
            return nil
        }
        let numbers = version.split(separator: ".").prefix(2).map { Int($0) ?? 0 }
        guard numbers.count == 2, (numbers[0], numbers[1]) < (2, 46) else {
            return nil
        }
        return Finding(
            .gitOld, "git is \(plain: version)",
            advice: "nothing to do; passwords are stored anyway")
    }

    /// Checks for obstacles to the helpers, for all URLs and for single ones.
    private func chain(
        _ configuration: GitConfiguration, _ context: DiagnosisContext
    ) -> [Finding] {
        let general = configuration.helpers.filter { $0.helper.pattern == nil }
        let chain = configuration.inForce
        guard let ours = general.lastIndex(where: \.helper.isLanyard) else {
            let what: FindingText = "git's configuration does not name lanyard"
            return [setup(.gitNotSetUp, what, chain, context)]
                + plainText(chain, configuration, context)
        }
        if let reset = general[ours...].first(where: \.helper.forgetsAll) {
            return [finding(reset: reset, configuration, context)]
        }
        let remotes = RemoteHelpers.all(configuration, context.environment).compactMap { remote in
            finding(remote, configuration, context).map { (remote.reset.helper.pattern, $0) }
        }
        var findings =
            plainText(chain, configuration, context) + remotes.map(\.1)
            + forURLs(
                chain.filter { helper in
                    !remotes.contains { $0.0 == helper.helper.pattern }
                })
        if let first = chain.first(where: { $0.helper.pattern == nil }), !first.helper.isLanyard,
            !first.helper.keepsPlainText
        {
            let what: FindingText =
                "git asks '\(name: first.helper.name)' before lanyard (\(path: first.origin))"
            findings.append(setup(.gitOtherHelperFirst, what, chain, context))
        }
        return findings
    }

    /// Returns a finding that a setup of git fixes by asking lanyard first. If lanyard already has logins,
    /// they would hide those of an earlier helper: that is the user's decision.
    private func setup(
        _ code: FindingCode, _ what: FindingText, _ chain: [GitConfiguration.Helper],
        _ context: DiagnosisContext
    ) -> Finding {
        let before = chain.map(\.helper).prefix { $0.pattern != nil || !$0.isLanyard }
        let other = before.first { $0.pattern == nil && !$0.keepsPlainText }
        var hasLogins = false
        context.forEachItem(group: GitCredentialHelper.accessGroup, returns: .attributes) { _, _ in
            hasLogins = true
        }
        guard let other, hasLogins else {
            return Finding(code, what, command: context.setupGit())
        }
        return Finding(
            code, what,
            advice: "to ask lanyard before '\(name: other.name)': lanyard setup git")
    }

    private func finding(
        reset helper: GitConfiguration.Helper, _ configuration: GitConfiguration,
        _ context: DiagnosisContext
    ) -> Finding {
        let what: FindingText =
            "an empty credential.helper follows lanyard"
            + " (\(plain: helper.scope), \(path: helper.origin))"
        if helper.scope == "global" {
            return setup(.gitHelperReset, what, configuration.inForce, context)
        }
        // Another helper after it is intentional: lanyard might answer with a different login.
        guard configuration.inForce.isEmpty,
            let command = configuration.unset(
                "credential.helper", pattern: "^$", scope: helper.scope)
        else {
            return Finding(
                .gitHelperReset, what,
                advice: "remove the line, unless you want another helper here")
        }
        return Finding(.gitHelperReset, what, command: command)
    }

    /// Returns a finding about a remote for which git does not ask lanyard. Another helper, such as that of `gh`, is the
    /// user's choice, unless lanyard has a login there.
    private func finding(
        _ helpers: RemoteHelpers, _ configuration: GitConfiguration, _ context: DiagnosisContext
    ) -> Finding? {
        var hasLogin = false
        if !helpers.others.isEmpty {
            context.forEachItem(
                group: GitCredentialHelper.accessGroup, returns: .attributes
            ) { item, _ in
                let url = item.attributes.flatMap(GitAccountsCheck.url)
                hasLogin =
                    hasLogin
                    || url.map { GitAccountsCheck.remote(helpers.remote, of: $0) != nil } ?? false
            }
        }
        guard helpers.others.isEmpty || hasLogin else {
            return nil
        }
        let reset = helpers.reset
        let url = String(decoding: reset.helper.pattern ?? [], as: UTF8.self)
        let what: FindingText =
            "git does not ask lanyard for the remote '\(name: helpers.remote.name)': an empty helper"
            + " for '\(host: url)' follows it (\(plain: reset.scope), \(path: reset.origin))"
        guard let command = configuration.unset(reset) else {
            return Finding(.gitHelperForRemote, what, advice: "remove the line")
        }
        return helpers.others.isEmpty
            ? Finding(.gitHelperForRemote, what, command: command)
            : Finding(
                .gitHelperForRemote, what,
                advice: "nothing to do if that is intended; else \(command)")
    }

    private func plainText(
        _ chain: [GitConfiguration.Helper], _ configuration: GitConfiguration,
        _ context: DiagnosisContext
    ) -> [Finding] {
        var findings: [Finding] = []
        for helper in chain where helper.helper.keepsPlainText {
            let what: FindingText =
                "git uses '\(name: helper.helper.name)', which writes plain text"
                + " (\(plain: helper.scope), \(path: helper.origin))"
            if ["system", "global"].contains(helper.scope) {
                findings.append(setup(.gitPlainTextHelper, what, chain, context))
            } else if let command = configuration.unset(helper) {
                let copied = LoginsToCopy.ofStore(helper.helper, context.environment)
                findings.append(
                    Finding(.gitPlainTextHelper, what, command: copied.copying(before: command)))
            } else {
                findings.append(
                    Finding(
                        .gitPlainTextHelper, what,
                        advice:
                            "import its file (lanyard import git-credentials), then remove the line"
                    ))
            }
        }
        return findings
    }

    private func forURLs(_ chain: [GitConfiguration.Helper]) -> [Finding] {
        var seen: [[UInt8]] = []
        return chain.compactMap { helper -> Finding? in
            guard let pattern = helper.helper.pattern, !helper.helper.isLanyard,
                !helper.helper.keepsPlainText, !seen.contains(pattern)
            else {
                return nil
            }
            seen.append(pattern)
            return Finding(
                .gitHelperForURL,
                "'\(host: String(decoding: pattern, as: UTF8.self))' has a helper of its own"
                    + " (\(path: helper.origin))",
                advice: "nothing to do if that is intended")
        }
    }

    /// Checks `credential.useHttpPath` for all URLs. Without it, git would get one login for all
    /// repositories of a host, and the others would be hidden.
    private func httpPath(
        _ entry: GitConfigEntry, _ configuration: GitConfiguration
    ) -> Finding? {
        let values: [FileBytes?] = [nil, "true", "yes", "on", "1"]
        guard entry.key.elementsEqual("credential.usehttppath".utf8),
            values.contains(where: { $0 == entry.value })
        else {
            return nil
        }
        let what: FindingText =
            "credential.useHttpPath is set for all URLs"
            + " (\(plain: entry.scope), \(path: entry.origin))"
        let command = configuration.unset("credential.useHttpPath", scope: entry.scope)
        return Finding(
            .gitUseHTTPPath, what,
            advice: "nothing to do if that is intended; else \(command ?? "remove the line")")
    }
}
