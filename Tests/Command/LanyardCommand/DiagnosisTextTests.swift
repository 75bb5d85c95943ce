import Testing

@testable import LanyardCommand
@testable import LanyardDiagnosis

@Suite("the screen of lanyard doctor")
struct DiagnosisTextTests {
    private struct First: Check {
        static let name = "first"

        func findings(_ context: DiagnosisContext) -> [Finding] {
            ["a", "b"].map {
                Finding(.dockerNotSetUp, "\(plain: $0)", command: "lanyard setup docker")
            }
                + [Finding(.gitNotSetUp, "c", command: "lanyard setup git")]
                + [Finding(.dockerNotSetUp, "d", command: "lanyard setup docker")]
        }
    }

    @Test("only the command right above is not repeated")
    func sameCommand() {
        let diagnosis = Diagnosis(
            DiagnosisContext(), [First.self], limit: 60_000, limitOfAll: 60_000)
        let fixes = diagnosis.screen(isVerbose: false).text(for: nil)
            .split(separator: "\n").filter { $0.contains("fix: ") }.map { $0.drop { $0 == " " } }
        #expect(
            fixes == [
                "fix: lanyard setup docker", "fix: the same command as above",
                "fix: lanyard setup git", "fix: lanyard setup docker",
            ])
    }
}
