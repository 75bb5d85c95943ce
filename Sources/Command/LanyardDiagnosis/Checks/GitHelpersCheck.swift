internal import LanyardConfiguration
internal import KeychainServices
internal import LinuxSystem
internal import ToolSetup

/// Checks whether the programs of git's helpers exist, without running them.
struct GitHelpersCheck: GitCheck {
    static let name = "git's helpers"

    func findings(_ context: DiagnosisContext) -> [Finding] {
        guard let configuration = try? GitConfiguration(context.environment) else {
            return []
        }
        let git = GitProgram(environment: context.environment)
        var findings: [Finding] = []
        for helper in configuration.inForce where !helper.helper.isLanyard {
            guard let program = helper.helper.program, !isThere(program, git) else {
                continue
            }
            let meant = GitHelpersCheck.meant(by: helper.helper)
            // A distribution's configuration may name a missing program for single URLs.
            if meant != nil || helper.helper.pattern == nil {
                findings.append(finding(helper, meant, configuration))
            }
        }
        return findings
    }

    private func isThere(_ program: String, _ git: GitProgram) -> Bool {
        program.hasPrefix("/")
            ? SystemCalls.isExecutable(program) : git.path(ofHelper: program) != nil
    }

    /// Returns `lanyard` if a helper's name is a misspelling of it.
    private static func meant(by helper: GitHelper) -> String? {
        let start = "git-credential-"
        let file = helper.program?.split(separator: "/").last.map { String($0) } ?? ""
        let name = file.hasPrefix(start) ? String(file.dropFirst(start.count)) : file
        return name == "lanyard" ? nil : suggestion(for: name, among: ["lanyard"])
    }

    private func finding(
        _ helper: GitConfiguration.Helper, _ meant: String?, _ configuration: GitConfiguration
    ) -> Finding {
        let question: FindingText = meant.map { "; did you mean '\(plain: $0)'?" } ?? ""
        let what: FindingText =
            "git's helper '\(name: helper.helper.name)' is missing\(question)"
            + " (\(plain: helper.scope), \(path: helper.origin))"
        // Removing a misspelt name loses nothing; another program may come back.
        guard meant != nil, let command = configuration.unset(helper) else {
            return Finding(
                .gitHelperMissing, what, advice: "install the helper, or remove the line")
        }
        return Finding(.gitHelperMissing, what, command: command)
    }
}
