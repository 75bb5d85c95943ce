internal import LinuxSystem
internal import Synchronization
internal import ToolSetup

/// Looks at everything between a tool and its logins.
///
/// Nothing is changed, nobody is asked, and no login is taken out of a keychain but for its expiry.
public struct Diagnosis: Sendable {
    /// What a check has found.
    public struct Outcome: Sendable {
        /// What was looked at.
        public let check: String
        /// What is not as it should be.
        public let findings: [Finding]
    }

    /// What each check has found, in the order of the checks.
    public let outcomes: [Outcome]
    /// The home folder, nil if it is not known.
    public let home: String?
    /// Programs and their versions, for example `git 2.39.5`.
    public let programs: [String]

    private static let checks: [any Check.Type] = [
        PlacesCheck.self, FileSystemCheck.self, VariablesCheck.self, ConfigurationCheck.self,
        KeychainsCheck.self, KeyringCheck.self, PluginsCheck.self, ProgramsCheck.self,
        GitConfigurationCheck.self, GitHelpersCheck.self, GitAnswerCheck.self, AskpassCheck.self,
        DockerCheck.self,
        ContainersCheck.self, PlainTextFilesCheck.self, RepositoryCheck.self, ClockCheck.self,
        LoginsCheck.self, GitAccountsCheck.self, GroupsCheck.self, TrialLoginsCheck.self,
    ]

    /// Runs all checks, one after the other. Each has 30 seconds.
    public init() async {
        let context = await DiagnosisContext()
        var outcomes: [Outcome] = []
        for check in Diagnosis.checks {
            let findings = await Diagnosis.limited(.seconds(30)) {
                await check.init().findings(context)
            }
            let failed = Finding(
                .checkFailed, "the check of \(plain: check.name) did not end within 30 seconds",
                advice: "something it looks at hangs, perhaps a file system or a bus")
            outcomes.append(Outcome(check: check.name, findings: findings ?? [failed]))
        }
        self.outcomes = outcomes
        home = context.home
        programs = context.programs.map {
            $0.nameAndVersion
        }
    }

    /// All that was found.
    public var findings: [Finding] { outcomes.flatMap(\.findings) }

    /// The worst of it, nil if nothing was found.
    public var severity: Finding.Severity? { findings.map(\.severity).max() }

    /// What a closure returns, nil if that takes too long. It is not waited for then: a call into a file
    /// system that hangs can't be ended.
    private static func limited<Result: Sendable>(
        _ limit: Duration, _ body: @escaping @Sendable () async -> Result
    ) async -> Result? {
        await withCheckedContinuation { continuation in
            let race = Race(continuation)
            Task.detached { race.end(with: await body()) }
            Task.detached {
                try? await Task.sleep(for: limit)
                race.end(with: nil)
            }
        }
    }

    /// The first who comes in is the one that counts.
    private final class Race<Result: Sendable>: Sendable {
        private let continuation: Mutex<CheckedContinuation<Result?, Never>?>

        init(_ continuation: CheckedContinuation<Result?, Never>) {
            self.continuation = Mutex(continuation)
        }

        func end(with result: Result?) {
            let first = continuation.withLock { continuation in
                let first = continuation
                continuation = nil
                return first
            }
            first?.resume(returning: result)
        }
    }
}
