internal import ToolSetup

/// A single check of the diagnosis.
protocol Check: Sendable {
    /// Its subject, in a word or two.
    static var name: String { get }

    /// Whether there is something to check. If not, the check is none of those that passed.
    static func isApplicable(_ context: DiagnosisContext) -> Bool

    init()

    /// Returns the problems, if any. It changes nothing and asks no questions.
    func findings(_ context: DiagnosisContext) -> [Finding]
}

extension Check {
    static func isApplicable(_ context: DiagnosisContext) -> Bool { true }
}

/// A check of git, which has to be on the PATH and answer.
protocol GitCheck: Check {}

extension GitCheck {
    static func isApplicable(_ context: DiagnosisContext) -> Bool { context.has(.git) }
}

/// A check that finds one problem at most.
protocol SingleCheck: Check {
    /// Returns the problem, nil if there is none.
    func finding(_ context: DiagnosisContext) -> Finding?
}

extension SingleCheck {
    func findings(_ context: DiagnosisContext) -> [Finding] {
        [finding(context)].compactMap(\.self)
    }
}
