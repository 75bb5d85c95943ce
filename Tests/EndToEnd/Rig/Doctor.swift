import Foundation
import Testing

/// What `lanyard doctor --json` says.
struct Doctor: CustomStringConvertible {
    struct Finding: Decodable {
        let code: String
        let severity: String
        let what: String
        let meaning: String
        let command: String?
        let advice: String?
    }

    private struct Answer: Decodable {
        let severity: String?
        let findings: [Finding]
    }

    let outcome: Outcome
    let findings: [Finding]
    let severity: String?

    var description: String { "\(outcome)" }

    /// Reads an answer, which has to go with the exit status.
    init(_ outcome: Outcome, sourceLocation: SourceLocation = #_sourceLocation) throws {
        self.outcome = outcome
        let answer = try #require(
            try? JSONDecoder().decode(Answer.self, from: Data(outcome.output)), "\(outcome)",
            sourceLocation: sourceLocation)
        findings = answer.findings
        severity = answer.severity
        let status: Int32 =
            switch severity {
            case "error": 1
            case "warning": 2
            default: 0
            }
        #expect(outcome.status == status, "\(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.error.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
    }

    /// Without those that say only how old the machine's git is, and that docker does not find what was
    /// built here without a PATH.
    var codes: [String] {
        findings.filter { finding in
            !["git-old", "docker-helper-not-in-jobs"].contains(finding.code)
        }.map(\.code)
    }

    /// The commands that mend what has a code.
    func commands(_ code: String) -> [String] {
        findings.filter { $0.code == code }.compactMap(\.command)
    }
}
