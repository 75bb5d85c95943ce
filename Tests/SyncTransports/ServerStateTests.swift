import Cryptography
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

    @Test func aRecordTwiceInAPutIsAConflict() {
        var state = ServerState()
        let put = TransportCase.put(1, 0, [3])
        #expect(state.put([put, put], rosterCount: 0) == .conflict)
    }
}
