internal import LinuxSystem
internal import Synchronization
internal import ToolSetup

/// Checks everything between a tool and its logins.
///
/// It changes nothing, asks no questions, and reads logins in a keychain only for their expiry.
package struct Diagnosis: Sendable {
    /// The result of a check.
    package struct Outcome: Sendable {
        /// The name of the check.
        package let check: String
        /// The problems it found.
        package let findings: [Finding]
    }

    /// The result of each check, in order.
    package let outcomes: [Outcome]
    /// The home folder, nil if unknown.
    package let home: String?
    /// What a thief of the home folder can read, none without a keychain.
    package let thefts: [String]
    /// Programs and their versions, for example `git 2.39.5`.
    package let programs: [String]

    static let checks: [any Check.Type] = [
        PlacesCheck.self, FileSystemCheck.self, VariablesCheck.self, ConfigurationCheck.self,
        KeychainsCheck.self, KeyringCheck.self, MemoryCheck.self, PluginsCheck.self,
        SecretServiceCheck.self,
        ProgramsCheck.self,
        GitConfigurationCheck.self, GitHelpersCheck.self, GitAnswerCheck.self, AskpassCheck.self,
        DockerCheck.self,
        ContainersCheck.self, ToolsCheck.self, PlainTextFilesCheck.self, RepositoryCheck.self,
        ClockCheck.self,
        LoginsCheck.self, CertificatesCheck.self, GitAccountsCheck.self, GroupsCheck.self,
        TrialLoginsCheck.self, SilentProgramsCheck.self,
    ]

    /// Runs all checks, one after the other. Each has 30 seconds, and all of them a minute.
    package init() {
        self.init(DiagnosisContext(), Diagnosis.checks, limit: 30_000, limitOfAll: 60_000)
    }

    /// Runs checks, each within a limit in milliseconds, and all of them within another one.
    init(
        _ context: DiagnosisContext, _ checks: [any Check.Type], limit: Int64, limitOfAll: Int64
    ) {
        let end = Deadline(milliseconds: limitOfAll)
        var outcomes: [Outcome] = []
        // All helpers may be one program, for example.
        var seen: Set<[String]> = []
        for (index, check) in checks.enumerated() {
            guard check.isApplicable(context) else {
                continue
            }
            guard !end.hasPassed else {
                let others = Finding(
                    .checkFailed, "there was no time left for \(checks.count - index) checks",
                    advice: "fix what the other findings name, then run doctor again")
                outcomes.append(Outcome(check: check.name, findings: [others]))
                break
            }
            let findings = Diagnosis.limited(milliseconds: min(limit, end.remaining)) {
                check.init().findings(context)
            }
            let failed = Finding(
                .checkFailed, "the check of \(plain: check.name) did not end in time",
                advice: "something that it checks hangs, perhaps a file system or D-Bus")
            let new = (findings ?? [failed]).filter {
                seen.insert([$0.code.rawValue, $0.what.full, $0.remedy.text.full]).inserted
            }
            outcomes.append(Outcome(check: check.name, findings: new))
        }
        self.outcomes = outcomes
        home = context.home
        thefts = context.thefts
        programs = context.programs.map {
            $0.nameAndVersion
        }
    }

    /// The findings of all checks.
    package var findings: [Finding] { outcomes.flatMap(\.findings) }

    /// The highest severity, nil without findings.
    package var severity: Finding.Severity? { findings.map(\.severity).max() }

    /// Returns a closure's result, nil if that takes too long. It then stops waiting: a call into a hanging
    /// file system can't be ended.
    static func limited<Result: Sendable>(
        milliseconds: Int64, _ body: @escaping @Sendable () -> Result
    ) -> Result? {
        do throws(SystemCallError) {
            let answer = Answer<Result>(try SocketPair())
            try SystemCalls.startThread {
                answer.give(body())
            }
            return answer.wait(until: Deadline(milliseconds: milliseconds))
        } catch {
            // Without a thread there is no limit.
            return body()
        }
    }

    /// The result of another thread.
    private final class Answer<Result: Sendable>: Sendable {
        private let sockets: SocketPair
        private let result = Mutex<Result?>(nil)

        init(_ sockets: consuming SocketPair) {
            self.sockets = sockets
        }

        func give(_ result: Result) {
            self.result.withLock { $0 = result }
            SystemCalls.hangUp(sockets.ours.number)
        }

        func wait(until deadline: Deadline) -> Result? {
            _ = try? SystemCalls.wait(for: sockets.theirs.number, .hungUp, until: deadline)
            return result.withLock { $0 }
        }
    }
}
