import Cryptography
import Secrets
import SyncConformance
import Testing

@testable import SyncEngine

@Suite("State of a team's server") struct ServerStateTests {
    /// Appends the digest.
    static func sealed(_ body: [UInt8]) -> [UInt8] {
        body + KeyedDigest.plain(body.span)
    }

    @Test func itsFormIsReadBack() throws {
        var state = ServerState()
        #expect(try ServerState(state.bytes) == state)
        #expect(state.putRoster([1, 2], at: state.head) == .stored)
        #expect(state.put([TransportCase.put(1, 0, [3])], rosterCount: 1) == .stored)
        #expect(try ServerState(state.bytes) == state)
    }

    @Test func anotherFormIsNotDamage() throws {
        let body = Array(ServerState().bytes.dropLast(KeyedDigest.size))
        for (position, status) in [(13, Status.wrongVersion), (0, .decode)] {
            var other = body
            other[position] = UInt8(ascii: "2")
            #expect(throws: KeychainError(status)) { try ServerState(Self.sealed(other)) }
            // Without the digest of such a file it is damage.
            let digest = KeyedDigest.plain(body.span)
            #expect(throws: KeychainError(.decode)) { try ServerState(other + digest) }
        }
    }

    @Test func contentsAreReadUpToALimit() {
        let most = SyncLimits.givenSize
        #expect(
            SyncLimits.areRead([0, most, most + 1, -1, 7]) == [true, true, false, false, true])
        let many = SyncLimits.areRead(repeatElement(most, count: 20))
        #expect(many.count { $0 } == SyncLimits.answerSize / most)
        #expect(SyncLimits.areRead(repeatElement(most, count: 20) + [1]).last == true)
    }

    @Test func aRecordTwiceInAPutIsAConflict() {
        var state = ServerState()
        let put = TransportCase.put(1, 0, [3])
        #expect(state.put([put, put], rosterCount: 0) == .conflict)
    }
}
