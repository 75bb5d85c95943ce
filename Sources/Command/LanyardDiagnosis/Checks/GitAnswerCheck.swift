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
        return error.flatMap { line in
            isOfOneKeychain(line, context)
                ? nil
                : Finding(
                    .gitHelperFails,
                    "\(plain: GitSetup.helper) says: \(said: String(line.dropFirst(start.count)))",
                    advice: "the other findings say why")
        }
    }

    /// Whether the helper names a keychain that can't be used, and goes on with others: git gets the logins that they
    /// have, and another check names that keychain.
    private func isOfOneKeychain(_ line: Substring, _ context: DiagnosisContext) -> Bool {
        let used = context.keychainStates.filter(\.keychain.isInUse)
        let works = used.filter { $0.keychain.exists && $0.failure == nil }
        return !works.isEmpty
            && used.contains { state in
                !works.contains { $0.keychain.name == state.keychain.name }
                    && line.contains("keychain '\(state.keychain.name)'")
            }
    }
}
