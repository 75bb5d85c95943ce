internal import LanyardSecrets
package import SyncEngine

/// A case that a transport fails, with what it did.
package struct TransportFailure: Error, CustomStringConvertible {
    package let description: String
}

/// The rules that hold for each transport, as cases over a server without the team.
package enum TransportCase: String, CaseIterable, Sendable {
    case aServerWithoutTheTeamIsEmpty
    case theFirstEntryMakesTheTeam
    case aRecordIsStoredAndChanged
    case aPutIsAllOrNothing
    case aPutNeedsTheNumberOfEntries
    case anEntryNeedsExactlyTheHead
    case changesAreThoseAfterTheHead
    case anyBytesComeBack
    case emptyPutsChangeNothing
    case aHeadThatNeverWasShowsAll
    case manyChangesComeInPieces
    case largeChangesComeInPieces

    /// Runs the case.
    ///
    /// - Parameter connect: Creates a transport to the same server.
    package func run(_ connect: () throws -> any SyncTransport) throws {
        let one = try connect()
        let other = try connect()
        switch self {
        case .aServerWithoutTheTeamIsEmpty:
            try expect(try one.head(), Self.start)
            let changes = try one.changes(since: Self.start)
            try expect(changes.head, Self.start)
            try expect(changes.roster, [])
            try expect(changes.records, [])
            try expect(try one.record(Self.id(1)), nil)
        case .theFirstEntryMakesTheTeam:
            try expect(try one.putRoster([1], at: Self.start), .stored)
            try expect(try other.putRoster([2], at: Self.start), .conflict)
            try expect(try other.head().rosterCount, 1)
            try expect(try other.changes(since: Self.start).roster, [[1]])
        case .aRecordIsStoredAndChanged:
            try Self.begin(one)
            try expect(try one.put([Self.put(1, 0, [7])], rosterCount: 1), .stored)
            try expect(
                try other.record(Self.id(1)),
                ServerRecord(id: Self.id(1), version: 1, content: [7]))
            let before = try other.head()
            try expect(try other.put([Self.put(1, 1, [8])], rosterCount: 1), .stored)
            try expect(
                try one.record(Self.id(1)),
                ServerRecord(id: Self.id(1), version: 2, content: [8]))
            try expect(try one.head().sequence > before.sequence, true)
            // Neither the version before nor one that never was.
            for version: UInt64 in [0, 1, 3] {
                try expect(try one.put([Self.put(1, version, [9])], rosterCount: 1), .conflict)
            }
            try expect(try one.put([Self.put(2, 1, [9])], rosterCount: 1), .conflict)
            try expect(try one.record(Self.id(2)), nil)
        case .aPutIsAllOrNothing:
            try Self.begin(one)
            try expect(try one.put([Self.put(1, 0, [1])], rosterCount: 1), .stored)
            let head = try one.head()
            for puts in [
                [Self.put(2, 0, [2]), Self.put(1, 0, [2])],
                [Self.put(1, 1, [2]), Self.put(2, 1, [2])],
            ] {
                try expect(try other.put(puts, rosterCount: 1), .conflict)
                try expect(try other.record(Self.id(2)), nil)
                try expect(try other.record(Self.id(1))?.content, [1])
                try expect(try one.head(), head)
            }
            try expect(
                try other.put([Self.put(2, 0, [2]), Self.put(1, 1, [2])], rosterCount: 1), .stored)
            try expect(
                Set(try one.changes(since: head).records.map(\.id)), [Self.id(1), Self.id(2)])
        case .aPutNeedsTheNumberOfEntries:
            try Self.begin(one)
            for count: UInt64 in [0, 2] {
                try expect(try one.put([Self.put(1, 0, [1])], rosterCount: count), .conflict)
            }
            try expect(try one.putRoster([2], at: try one.head()), .stored)
            try expect(try other.put([Self.put(1, 0, [1])], rosterCount: 1), .conflict)
            try expect(try other.put([Self.put(1, 0, [1])], rosterCount: 2), .stored)
        case .anEntryNeedsExactlyTheHead:
            try Self.begin(one)
            let head = try one.head()
            try expect(try other.put([Self.put(1, 0, [1])], rosterCount: 1), .stored)
            try expect(try one.putRoster([2], at: head), .conflict)
            let next = try other.head()
            try expect(next.rosterCount, 1)
            for wrong in [
                ServerHead(sequence: next.sequence + 1, rosterCount: 1),
                ServerHead(sequence: next.sequence, rosterCount: 0),
                ServerHead(sequence: next.sequence, rosterCount: 2), Self.start,
            ] {
                try expect(try one.putRoster([2], at: wrong), .conflict)
            }
            try expect(try one.putRoster([2], at: next), .stored)
            try expect(try other.changes(since: next).roster, [[2]])
            try expect(try other.head().sequence, next.sequence)
        case .changesAreThoseAfterTheHead:
            try Self.begin(one)
            try expect(
                try one.put([Self.put(1, 0, [1]), Self.put(2, 0, [2])], rosterCount: 1), .stored)
            let head = try other.head()
            let quiet = try other.changes(since: head)
            try expect(quiet.head, head)
            try expect(quiet.records, [])
            try expect(quiet.roster, [])
            try expect(try one.put([Self.put(2, 1, [3])], rosterCount: 1), .stored)
            try expect(
                try other.changes(since: head).records,
                [ServerRecord(id: Self.id(2), version: 2, content: [3])])
            let all = try other.changes(since: Self.start)
            try expect(
                all.records.sorted { $0.id < $1.id }.map(\.content), [[1], [3]])
            try expect(all.roster, [[1]])
        case .anyBytesComeBack:
            let all = [UInt8](0...255)
            try expect(try one.putRoster(all, at: Self.start), .stored)
            let large = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
            let contents: [[UInt8]] = [
                [], [0], [10], [13, 10], all, Array("'; \\x\"".utf8), large,
            ]
            let puts = contents.enumerated().map { Self.put($0.offset, 0, $0.element) }
            try expect(try one.put(puts, rosterCount: 1), .stored)
            let changes = try other.changes(since: Self.start)
            try expect(changes.roster, [all])
            try expect(changes.records.sorted { $0.id < $1.id }.map(\.content), contents)
            try expect(try other.record(Self.id(6))?.content, large)
        case .emptyPutsChangeNothing:
            try Self.begin(one)
            let head = try one.head()
            try expect(try one.put([], rosterCount: 1), .stored)
            try expect(try one.put([], rosterCount: 2), .conflict)
            try expect(try other.changes(since: head).records, [])
        case .aHeadThatNeverWasShowsAll:
            try Self.begin(one)
            try expect(try one.put([Self.put(1, 0, [1])], rosterCount: 1), .stored)
            let later = ServerHead(sequence: 1_000_000, rosterCount: 1_000)
            let changes = try one.changes(since: later)
            // Its own head, from which the caller sees that it is older.
            try expect(changes.head, try one.head())
            try expect(changes.records, [])
            try expect(changes.roster, [])
        case .manyChangesComeInPieces:
            try Self.begin(one)
            for start in [0, 700, 1400] {
                let puts = (start..<start + 700).map { Self.put($0, 0, [UInt8($0 % 256)]) }
                try expect(try one.put(puts, rosterCount: 1), .stored)
            }
            // One that is in the first piece no more.
            try expect(try one.put([Self.put(0, 1, [0])], rosterCount: 1), .stored)
            let pieces = try Self.pieces(other)
            try expect(pieces.count > 1, true)
            try expect(pieces.allSatisfy { $0.records.count < 2000 }, true)
            let records = pieces.flatMap(\.records)
            try expect(records.map(\.id).sorted(), (0..<2100).map(Self.id))
            let contents = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0.content) })
            try expect((0..<2100).allSatisfy { contents[Self.id($0)] == [UInt8($0 % 256)] }, true)
            try expect(records.last, Self.put(0, 2, [0]))
            try expect(pieces[0].roster, [[1]])
            try expect(pieces.dropFirst().allSatisfy(\.roster.isEmpty), true)
            try expect(pieces.last?.head, try one.head())
        case .largeChangesComeInPieces:
            try Self.begin(one)
            let large = [UInt8](repeating: 7, count: SyncPiece.size)
            for number in 0..<2 {
                try expect(try one.put([Self.put(number, 0, large)], rosterCount: 1), .stored)
            }
            let pieces = try Self.pieces(other)
            try expect(pieces.map { $0.records.map(\.id) }, [[Self.id(0)], [Self.id(1)]])
            try expect(pieces.map(\.hasMore), [true, false])
        }
    }

    /// Returns all changes.
    private static func pieces(_ transport: any SyncTransport) throws -> [ServerChanges] {
        var pieces = [try transport.changes(since: start)]
        while let last = pieces.last, last.hasMore {
            pieces.append(try transport.changes(since: last.head))
            guard let next = pieces.last, next.head.sequence > last.head.sequence else {
                throw TransportFailure(description: "a piece goes no further than the one before")
            }
        }
        return pieces
    }

    // MARK: Parts

    /// The head of a server without the team.
    package static let start = ServerHead(sequence: 0, rosterCount: 0)

    /// An id that a test knows.
    package static func id(_ number: some BinaryInteger) -> Identifier {
        Identifier(
            String(repeating: "0", count: 16)
                + Hexadecimal.encode(UInt64(number).bigEndianBytes))!
    }

    /// A put of a test.
    package static func put(
        _ number: some BinaryInteger, _ version: UInt64, _ content: [UInt8]
    ) -> ServerRecord {
        ServerRecord(id: id(number), version: version, content: content)
    }

    /// Makes the team.
    package static func begin(_ transport: any SyncTransport) throws {
        guard try transport.putRoster([1], at: start) == .stored else {
            throw TransportFailure(description: "the first entry is a conflict")
        }
    }

    private func expect<Value: Equatable>(
        _ value: @autoclosure () throws -> Value, _ expected: Value, line: Int = #line
    ) throws {
        let value = try value()
        guard value == expected else {
            let words = "line \(line): \(value), expected \(expected)"
            throw TransportFailure(description: String(words.prefix(2000)))
        }
    }
}
