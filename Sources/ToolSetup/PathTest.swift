public import KeychainServices

/// Tries whether a program's logins come to lanyard and back, with a login made up for it, which is
/// removed whatever happens.
public struct PathTest: Sendable {
    /// What came of it for one program.
    public struct Outcome: Sendable {
        /// The program.
        public let program: ToolProgram.Name
        /// Why its logins don't get there and back, nil if they do.
        public let failure: KeychainError?
    }

    private let environment: SetupEnvironment

    /// In an environment where the tools are set up.
    public init(_ environment: SetupEnvironment) {
        self.environment = environment
    }

    /// Tries these programs. Each call of one of them has ten seconds.
    public func run(_ programs: [ToolProgram.Name]) async -> [Outcome] {
        // A login that was made up for nobody is not to stay.
        let signals = HeldSignals()
        defer { signals.release() }
        var outcomes: [Outcome] = []
        if programs.contains(.git) {
            outcomes.append(
                Outcome(program: .git, failure: await GitPathTest(environment: environment).run()))
        }
        let others = programs.filter { $0 != .git }
        return others.isEmpty
            ? outcomes
            : outcomes + (await DockerPathTest(environment: environment).run(others))
    }

    /// What a program's standard error says of a failure of ours.
    ///
    /// - Parameter otherwise: What happened if it holds nothing of ours.
    static func failure(_ complaint: String, otherwise: String) -> KeychainError {
        let lines = complaint.split(whereSeparator: \.isNewline).map { String($0) }
        func line(_ start: String) -> String? {
            lines.first { $0.hasPrefix(start) }?.withoutPrefix(start)
        }
        guard let reason = line("lanyard: error: ") else {
            return KeychainError(.notAvailable, otherwise, hint: "lanyard doctor")
        }
        let isLocked = reason.contains("is locked")
        return KeychainError(
            isLocked ? .interactionNotAllowed : .notAvailable, reason,
            hint: line("lanyard: hint: ") ?? "lanyard doctor")
    }
}
