import LinuxSystem
import Testing

@testable import Diagnosis

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
}
