internal import KeychainServices

/// Tests git's path to its logins by `git credential`.
struct GitPathTest {
    let environment: SetupEnvironment

    /// Returns why git does not get a trial login back, nil if it does.
    func run() -> KeychainError? {
        do throws(KeychainError) {
            let login = try TrialLogin()
            let helper = try helper()
            let whole = request(login, "username=\(login.username)\npassword=\(login.password)\n")
            let failure: KeychainError?
            do throws(KeychainError) {
                let stored = try git("approve", whole)
                failure = try readBack(login, helper, complaint: stored.complaint)
            } catch {
                _ = try? git("reject", whole)
                throw error
            }
            _ = try git("reject", whole)
            guard failure == nil else {
                return failure
            }
            return try isKnown(login, helper)
                ? KeychainError(
                    .notAvailable, "the made-up login for '\(login.host)' was not removed")
                : nil
        } catch {
            return error
        }
    }

    /// Returns lanyard's helper from git's configuration.
    private func helper() throws(KeychainError) -> GitHelper {
        let entries = try GitProgram(environment: environment).configuration()
        let chain = GitHelperChain(entries.compactMap(GitHelper.init))
        guard let helper = chain.helpers.first(where: { $0.pattern == nil && $0.isLanyard }) else {
            throw KeychainError(
                .notAvailable, "git's configuration does not name lanyard",
                hint: "lanyard setup git")
        }
        if helper.program == GitSetup.helper,
            GitProgram(environment: environment).path(ofHelper: GitSetup.helper) == nil
        {
            throw UnrunnableProgram(GitSetup.helper, environment)?.error
                ?? KeychainError(
                    .notAvailable, "\(GitSetup.helper) is not on the PATH",
                    hint: "add its folder to PATH")
        }
        return helper
    }

    private func readBack(
        _ login: TrialLogin, _ helper: GitHelper, complaint: String
    ) throws(KeychainError) -> KeychainError? {
        let answer = try git("fill", request(login, "username=\(login.username)\n"))
        guard answer.succeeded else {
            return PathTest.failure(
                complaint + answer.complaint, otherwise: "git does not find a login that it stored",
                of: login)
        }
        guard holds(answer, login) else {
            return KeychainError(
                .notAvailable, "another helper than lanyard answers git first, with another login",
                hint: "git config --show-origin --get-all credential.helper")
        }
        guard try isKnown(login, helper) else {
            return KeychainError(
                .notAvailable, "another helper, not lanyard, stored git's login",
                hint: "git config --show-origin --get-all credential.helper")
        }
        return nil
    }

    /// Whether lanyard's helper alone has a login.
    private func isKnown(
        _ login: TrialLogin, _ helper: GitHelper
    ) throws(KeychainError) -> Bool {
        // It has no password: it is lanyard's.
        let only = ["-c", "credential.helper=", "-c", "credential.helper=\(helper.value.name)"]
        let answer = try git(
            "fill", request(login, "username=\(login.username)\n"), options: only)
        return answer.succeeded && holds(answer, login)
    }

    private func holds(_ answer: ForeignProgram.Answer, _ login: TrialLogin) -> Bool {
        let lines = answer.output.split(separator: 0x0A)
        return lines.contains { $0.elementsEqual("username=\(login.username)".utf8) }
            && lines.contains { $0.elementsEqual("password=\(login.password)".utf8) }
    }

    private func request(_ login: TrialLogin, _ rest: String) -> FileBytes {
        FileBytes("protocol=https\nhost=\(login.host)\n\(rest)\n")
    }

    private func git(
        _ operation: String, _ request: FileBytes, options: [String] = []
    ) throws(KeychainError) -> ForeignProgram.Answer {
        // The setup does not concern a repository's own configuration.
        try ForeignProgram("git", environment).run(
            ["-C", "/"] + options + ["credential", operation], input: request,
            variables: ForeignProgram.withoutPrompts
                .merging(ForeignProgram.outsideRepositories) { $1 })
    }
}
