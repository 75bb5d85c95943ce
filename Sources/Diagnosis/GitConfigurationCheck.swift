internal import Keychain
internal import ToolSetup

/// Which helpers git is told to ask.
struct GitConfigurationCheck: Check {
    static let name = "git's configuration"

    func findings(_ context: DiagnosisContext) async -> [Finding] {
        guard context.has(.git) else {
            return []
        }
        var findings = hidden(context.environment) + old(context)
        do throws(KeychainError) {
            let configuration = try await GitConfiguration(context.environment)
            findings += chain(configuration.helpers)
            findings += configuration.entries.compactMap(httpPath)
        } catch {
            findings.append(
                Finding(
                    .gitConfigurationUnreadable, "git says: \(said: error.reason)",
                    advice: "correct what git names, with an editor"))
        }
        return findings
    }

    /// A variable that keeps git from its user's configuration.
    private func hidden(_ environment: SetupEnvironment) -> [Finding] {
        guard let path = environment.variables["GIT_CONFIG_GLOBAL"] else {
            return []
        }
        let bytes = (try? TargetFile(path))?.bytes
        guard bytes == nil || path.isEmpty || path == "/dev/null" else {
            return []
        }
        return [
            Finding(
                .gitGlobalHidden, "GIT_CONFIG_GLOBAL is '\(path: path)', where nothing is",
                command: "unset GIT_CONFIG_GLOBAL")
        ]
    }

    private func old(_ context: DiagnosisContext) -> [Finding] {
        guard let version = context.programs.first(where: { $0.name == .git })?.version else {
            return []
        }
        let numbers = version.split(separator: ".").prefix(2).map { Int($0) ?? 0 }
        guard numbers.count == 2, (numbers[0], numbers[1]) < (2, 46) else {
            return []
        }
        return [
            Finding(
                .gitOld, "git is \(plain: version)",
                advice: "nothing has to be done; passwords are kept all the same")
        ]
    }

    /// What stands in the way of the helpers for all URLs, and those for some.
    private func chain(_ all: [GitConfiguration.Helper]) -> [Finding] {
        let general = all.filter { $0.helper.pattern == nil }
        guard let ours = general.lastIndex(where: \.helper.isLanyard) else {
            return [
                Finding(
                    .gitNotSetUp, "git's configuration does not name lanyard",
                    command: "lanyard setup git")
            ] + plainText(inForce(all))
        }
        if let reset = general[ours...].first(where: \.helper.forgetsAll) {
            return [GitConfigurationCheck.reset(by: reset)]
        }
        let chain = inForce(all)
        var findings = plainText(chain) + forURLs(chain)
        if let first = chain.first(where: { $0.helper.pattern == nil }), !first.helper.isLanyard,
            !first.helper.keepsPlainText
        {
            findings.append(
                Finding(
                    .gitOtherHelperFirst,
                    "git asks '\(name: first.helper.name)' before lanyard (\(path: first.origin))",
                    command: "lanyard setup git"))
        }
        return findings
    }

    /// The helpers after the last empty one for all URLs.
    private func inForce(_ all: [GitConfiguration.Helper]) -> [GitConfiguration.Helper] {
        let start = all.lastIndex(where: \.helper.forgetsAll).map { $0 + 1 } ?? 0
        return Array(all[start...])
    }

    private static func reset(by helper: GitConfiguration.Helper) -> Finding {
        let what: FindingText =
            "an empty credential.helper stands after lanyard"
            + " (\(plain: helper.scope), \(path: helper.origin))"
        let command =
            helper.scope == "global"
            ? "lanyard setup git"
            : GitConfiguration.unset(
                "credential.helper", pattern: "'^$'", scope: helper.scope)
        guard let command else {
            return Finding(.gitHelperReset, what, advice: "remove the line")
        }
        return Finding(.gitHelperReset, what, command: command)
    }

    private func plainText(_ chain: [GitConfiguration.Helper]) -> [Finding] {
        chain.filter(\.helper.keepsPlainText).map { helper in
            let what: FindingText =
                "git uses '\(name: helper.helper.name)', which writes plain text"
                + " (\(plain: helper.scope), \(path: helper.origin))"
            let isSetupsToMend = ["system", "global"].contains(helper.scope)
            let command =
                isSetupsToMend
                ? "lanyard setup git"
                : GitConfiguration.unset(
                    "credential.helper", pattern: "store", scope: helper.scope)
            return Finding(.gitPlainTextHelper, what, command: command ?? "lanyard setup git")
        }
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
                "a helper of its own is set for '\(host: String(decoding: pattern, as: UTF8.self))'"
                    + " (\(path: helper.origin))",
                advice: "nothing has to be done if you mean it so")
        }
    }

    /// `credential.useHttpPath` for all URLs.
    private func httpPath(_ entry: GitConfigEntry) -> Finding? {
        let values = [nil, "true", "yes", "on", "1"].map { $0.map { Array($0.utf8) } }
        guard entry.key.elementsEqual("credential.usehttppath".utf8),
            values.contains(where: { $0 == entry.value })
        else {
            return nil
        }
        let what: FindingText =
            "credential.useHttpPath is set for all URLs"
            + " (\(plain: entry.scope), \(path: entry.origin))"
        let command = GitConfiguration.unset(
            "credential.useHttpPath", scope: entry.scope)
        guard let command else {
            return Finding(.gitUseHTTPPath, what, advice: "remove the line")
        }
        return Finding(.gitUseHTTPPath, what, command: command)
    }
}

extension FindingText {
    /// One line after the other.
    static func + (left: FindingText, right: FindingText) -> FindingText { "\(left)\(right)" }
}
