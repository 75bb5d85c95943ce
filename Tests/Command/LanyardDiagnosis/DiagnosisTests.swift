import LinuxSystem
import Testing

@testable import LanyardDiagnosis

@Suite("the time limit of a check")
struct DiagnosisTests {
    @Test("a check that hangs has no result")
    func hangs() throws {
        let sockets = try SocketPair()
        let socket = sockets.theirs.number
        let result = Diagnosis.limited(milliseconds: 50) {
            _ = try? SystemCalls.wait(for: socket, .hungUp, until: nil)
            return 7
        }
        #expect(result == nil)
        SystemCalls.hangUp(sockets.ours.number)
    }

    @Test("a check that ends has its result")
    func ends() {
        #expect(Diagnosis.limited(milliseconds: 60_000) { 7 } == 7)
    }

    /// Hangs for longer than any limit here.
    private struct HangingCheck: Check {
        static let name = "what hangs"

        func findings(_ context: DiagnosisContext) -> [Finding] {
            guard let sockets = try? SocketPair() else {
                return []
            }
            let socket = sockets.theirs.number
            _ = try? SystemCalls.wait(
                for: socket, .hungUp, until: Deadline(milliseconds: 600_000))
            return []
        }
    }

    /// Finds nothing, because nothing is there.
    private struct InapplicableCheck: Check {
        static let name = "what is missing"

        static func isApplicable(_ context: DiagnosisContext) -> Bool { false }

        func findings(_ context: DiagnosisContext) -> [Finding] { [] }
    }

    @Test("a check without a subject has not passed")
    func inapplicable() {
        let diagnosis = Diagnosis(
            DiagnosisContext(), [InapplicableCheck.self], limit: 60_000, limitOfAll: 60_000)
        #expect(diagnosis.outcomes.isEmpty)
    }

    @Test("checks that hang use up the time of all, and the rest is one finding")
    func hangOneAfterTheOther() {
        let diagnosis = Diagnosis(
            DiagnosisContext(), Array(repeating: HangingCheck.self, count: 9), limit: 50,
            limitOfAll: 125)
        // On a busy machine a check may end late.
        let begun = diagnosis.outcomes.count - 1
        #expect((1...3).contains(begun))
        #expect(diagnosis.findings.allSatisfy { $0.code == .checkFailed })
        #expect(
            diagnosis.findings.last?.what.full
                == "there was no time left for \(9 - begun) checks")
    }
}
