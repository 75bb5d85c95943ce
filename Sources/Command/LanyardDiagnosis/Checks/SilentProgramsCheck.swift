/// Names the programs that did not answer the checks before it. Those say nothing about them.
struct SilentProgramsCheck: Check {
    static let name = "programs that answer"

    func findings(_ context: DiagnosisContext) -> [Finding] {
        context.silentPrograms.map { path in
            Finding(
                .programHangs, "'\(path: path)' does not answer",
                advice: "run '\(path: path) --version' yourself to see why; it may be a script, or"
                    + " wait for a network folder")
        }
    }
}
