/// One thing that is looked at.
protocol Check: Sendable {
    /// What is looked at, in a word or two.
    static var name: String { get }

    init()

    /// What is not as it should be, nothing where all is well. Nothing is changed, and nobody is asked.
    func findings(_ context: DiagnosisContext) async -> [Finding]
}
