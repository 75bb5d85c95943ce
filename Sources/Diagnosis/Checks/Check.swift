/// A single check of the diagnosis.
protocol Check: Sendable {
    /// Its subject, in a word or two.
    static var name: String { get }

    init()

    /// Returns the problems, if any. It changes nothing and asks no questions.
    func findings(_ context: DiagnosisContext) -> [Finding]
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
