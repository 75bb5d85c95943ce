internal import KeychainServices
internal import ToolSetup

/// Checks git's answer for a host without logins. Helpers from a repository's configuration don't run: a
/// repository may come from anyone.
struct GitAnswerCheck: GitCheck, SingleCheck {
    static let name = "git's answers"

    /// Longer than the helper waits for a busy keychain.
    private static let timeLimit: Int64 = 20_000

    func finding(_ context: DiagnosisContext) -> Finding? {
        guard let login = try? TrialLogin() else {
            return nil
        }
        // If this does not end, a helper hangs, and git still answers other questions.
        var environment = context.environment
        environment.silent = nil
        let request = FileBytes("protocol=https\nhost=\(login.host)\n\n")
        let answer: ForeignProgram.Answer
        do throws(KeychainError) {
            answer = try ForeignProgram(
                "git", environment, timeLimit: GitAnswerCheck.timeLimit
            ).run(
                ["-C", "/", "credential", "fill"], input: request,
                variables: ForeignProgram.withoutPrompts
                    .merging(ForeignProgram.outsideRepositories) { $1 })
        } catch {
            return Finding(
                .gitHelperFails, "\(said: error.reason)",
                advice:
                    "find the helper that hangs: git config --show-origin --get-all credential.helper"
            )
        }
        if answer.succeeded {
            return Finding(
                .gitHelperAnswersAnything, "git gets a login for a host that does not exist",
                advice: "git config --show-origin --get-all credential.helper names the helpers"
            )
        }
        let start = "lanyard: error: "
        let error = answer.complaint.split(whereSeparator: \.isNewline)
            .first { $0.hasPrefix(start) }
        return error.map { line in
            Finding(
                .gitHelperFails,
                "\(plain: GitSetup.helper) says: \(said: String(line.dropFirst(start.count)))",
                advice: "the other findings say why")
        }
    }
}
