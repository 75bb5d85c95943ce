import LanyardCryptography
import Foundation
import LinuxSystem
import TestSupport
import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

@Suite("State of a team's server") struct ServerStateTests {
    private let scratch: ScratchFolder
    private var file: String { "\(scratch.path)/file" }

    init() throws {
        scratch = try ScratchFolder()
    }

    /// Appends the digest.
    static func sealed(_ body: [UInt8]) -> [UInt8] {
        body + KeyedDigest.plain(body.span)
    }

    private func read(_ bytes: [UInt8]) throws(KeychainError) -> ServerState {
        var reader = try ChunkReader(bytes.count) { count, offset throws(KeychainError) in
            Array(bytes[offset..<min(bytes.count, offset + count)])
        }
        return try ServerState(&reader)
    }

    private func write(_ state: ServerState, over bytes: [UInt8] = []) throws -> [UInt8] {
        var writer = try ChunkWriter(file)
        try state.write(to: &writer) { count, offset throws(KeychainError) in
            Array(bytes[offset..<offset + count])
        }
        let size = writer.size
        try writer.finish()
        let written = try [UInt8](Data(contentsOf: URL(filePath: file)))
        #expect(written.count == size)
        return written
    }

    private func contents(_ state: ServerState, in bytes: [UInt8]) throws -> ServerChanges {
        try state.changes(since: .start) { content throws(KeychainError) in
            switch content {
            case .stored(let offset, let size): Array(bytes[offset..<(offset + size)])
            case .new(let bytes): bytes
            }
        }
    }

    /// With what was stored before, between, beside and behind what is new, of more than one chunk.
    @Test func itsFormIsReadBack() throws {
        var (state, bytes) = (ServerState(), [UInt8]())
        #expect(try read(write(state)).head == state.head)
        #expect(state.putRoster([1, 2], at: state.head) == .stored)
        var known: [Identifier: ServerRecord] = [:]
        for ids in [[5, 9, 1], [2, 9], [0, 10], [3], [1, 2, 3]] {
            let puts = ids.map { id in
                let record = TransportCase.id(UInt8(id))
                return ServerRecord(
                    id: record, version: known[record]?.version ?? 0,
                    content: [UInt8](repeating: UInt8(id), count: id == 9 ? 3 << 20 : id * 100))
            }
            #expect(state.put(puts, rosterCount: state.head.rosterCount) == .stored)
            #expect(
                state.putRoster([UInt8](repeating: 3, count: ids[0]), at: state.head) == .stored)
            for put in puts {
                known[put.id] = ServerRecord(
                    id: put.id, version: put.version + 1, content: put.content)
            }
            bytes = try write(state, over: bytes)
            let head = state.head
            state = try read(bytes)
            #expect(state.head == head)
            let changes = try contents(state, in: bytes)
            #expect(
                changes.roster.map(\.count)
                    == Array([2, 5, 2, 0, 3, 1].prefix(changes.roster.count)))
            #expect(Set(changes.records) == Set(known.values))
        }
    }

    @Test func anotherFormIsNotDamage() throws {
        let body = Array(try write(ServerState()).dropLast(KeyedDigest.size))
        for (position, status) in [(13, Status.wrongVersion), (0, .decode)] {
            var other = body
            other[position] = UInt8(ascii: "2")
            #expect(throws: KeychainError(status)) { try read(Self.sealed(other)) }
            // Without the digest of such a file it is damage.
            let digest = Self.sealed(body).suffix(KeyedDigest.size)
            #expect(throws: KeychainError(.decode)) { try read(other + digest) }
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
        #expect(state.put([put], rosterCount: 0) == .stored)
        let next = TransportCase.put(1, 1, [3])
        #expect(state.put([next, next], rosterCount: 0) == .conflict)
        let last = TransportCase.put(2, UInt64.max, [3])
        #expect(state.put([last], rosterCount: 0) == .conflict)
    }
}
