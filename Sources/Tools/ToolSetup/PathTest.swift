package import KeychainServices

/// Tests whether a program's logins reach lanyard and come back, with a trial login that is always removed.
package struct PathTest: Sendable {
    /// The result for one program.
    package struct Outcome: Sendable {
        /// The program.
        package let program: ToolProgram.Name
        /// Why its logins don't come back, nil if they do.
        package let failure: KeychainError?
    }

    private let environment: SetupEnvironment

    /// Creates a test in an environment with configured tools.
    package init(_ environment: SetupEnvironment) {
        self.environment = environment
    }

    /// Tests these programs. Each call of one of them has ten seconds.
    package func run(_ programs: [ToolProgram.Name]) -> [Outcome] {
        // A trial login must not stay behind.
        let signals = HeldSignals()
        defer { signals.release() }
        var outcomes: [Outcome] = []
        if programs.contains(.git) {
            outcomes.append(
                Outcome(program: .git, failure: GitPathTest(environment: environment).run()))
        }
        let others = programs.filter { $0 != .git }
        return others.isEmpty
            ? outcomes
            : outcomes + DockerPathTest(environment: environment).run(others)
    }

    /// Returns our own error in a program's standard error.
    ///
    /// - Parameters:
    ///   - otherwise: The reason if it contains none of ours; the program's own first line follows.
    ///   - login: The login that the line must not show.
    static func failure(
        _ complaint: String, otherwise: String, of login: TrialLogin? = nil
    ) -> KeychainError {
        let lines = complaint.split(whereSeparator: \.isNewline).map { String($0) }
        func line(_ start: String) -> String? {
            lines.first { $0.hasPrefix(start) }?.withoutPrefix(start)
        }
        guard let reason = line("lanyard: error: ") else {
            let own = lines.first.flatMap { line in
                login.map { line.contains($0.password) } == true ? nil : ": \(line)"
            }
            return KeychainError(
                .notAvailable, otherwise + (own ?? ""), hint: "lanyard doctor")
        }
        let isLocked = reason.contains("is locked")
        return KeychainError(
            isLocked ? .interactionNotAllowed : .notAvailable, reason,
            hint: line("lanyard: hint: ") ?? "lanyard doctor")
    }
}
