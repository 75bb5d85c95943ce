internal import Cryptography
internal import Secrets

/// What a server stores of a team, as a whole, and how it answers: the rules of ``SyncTransport`` for
/// transports that read everything at once.
package struct ServerState: Hashable, Sendable {
    /// A record and the number of its last change.
    struct Stored: Hashable, Sendable {
        let version: UInt64
        let sequence: UInt64
        let content: [UInt8]
    }

    private var sequence: UInt64 = 0
    private var roster: [[UInt8]] = []
    private var records: [Identifier: Stored] = [:]

    /// Creates the state of a server without the team.
    package init() {}

    /// How far it is.
    package var head: ServerHead {
        ServerHead(sequence: sequence, rosterCount: UInt64(roster.count))
    }

    /// Returns what changed after a head, or the first piece of it.
    package func changes(since head: ServerHead) -> ServerChanges {
        let changed = records.filter { $0.value.sequence > head.sequence }
            .sorted { $0.value.sequence < $1.value.sequence }
        let piece = SyncPiece.first(of: changed) { ($0.value.sequence, $0.value.content.count) }
        return ServerChanges(
            upTo: piece.last?.value.sequence, of: self.head,
            roster: Array(roster.dropFirst(Int(clamping: head.rosterCount))),
            records: piece.map { id, stored in
                ServerRecord(id: id, version: stored.version, content: stored.content)
            })
    }

    /// Returns a record, nil if there is none.
    package func record(_ id: Identifier) -> ServerRecord? {
        records[id].map { ServerRecord(id: id, version: $0.version, content: $0.content) }
    }

    /// Stores records: all of them or none.
    package mutating func put(_ puts: [ServerRecord], rosterCount: UInt64) -> PutResult {
        guard rosterCount == UInt64(roster.count), Set(puts.map({ $0.id })).count == puts.count,
            puts.allSatisfy({ records[$0.id]?.version ?? 0 == $0.version })
        else {
            return .conflict
        }
        for put in puts {
            sequence += 1
            records[put.id] = Stored(
                version: put.version + 1, sequence: sequence, content: put.content)
        }
        return .stored
    }

    /// Adds an entry to the roster, if the server is exactly at this head.
    package mutating func putRoster(_ entry: [UInt8], at head: ServerHead) -> PutResult {
        guard head == self.head else {
            return .conflict
        }
        roster.append(entry)
        return .stored
    }
}

// The stored form: a line of text, numbers and counted bytes, and a digest of it all. A copy that is not
// complete is noticed.
extension ServerState {
    private static let start: StaticString = "lanyard team 1\n"
    /// The bytes of the line before the number of the form.
    private static let nameSize = 13
    /// The bytes of the beginning, up to the head.
    static let headSize = start.utf8CodeUnitCount + 16

    /// Its stored form.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.raw(ServerState.start)
        writer.number(sequence)
        writer.number(UInt64(roster.count))
        writer.number(UInt64(records.count))
        for entry in roster {
            writer.counted(entry)
        }
        for (id, stored) in records.sorted(by: { $0.key < $1.key }) {
            writer.raw(id.bytes)
            writer.number(stored.version)
            writer.number(stored.sequence)
            writer.counted(stored.content)
        }
        writer.raw(KeyedDigest.plain(writer.bytes.span))
        return writer.bytes
    }

    /// Reads a stored form.
    ///
    /// - Throws: ``Status/decode`` for anything else, ``Status/wrongVersion`` if it claims to be of another form.
    init(_ bytes: [UInt8]) throws(KeychainError) {
        let end = bytes.count - KeyedDigest.size
        guard end >= ServerState.headSize,
            KeyedDigest.plain(bytes.span.extracting(..<end)).hasSameBytes(as: Array(bytes[end...]))
        else {
            throw KeychainError(.decode)
        }
        var reader = ByteReader(bytes)
        let head = try ServerState.head(reading: &reader)
        sequence = head.sequence
        let count: UInt64 = try reader.number()
        for _ in 0..<head.rosterCount {
            roster.append(try reader.counted())
        }
        for _ in 0..<count {
            let id = try Identifier(reading: &reader)
            let stored = Stored(
                version: try reader.number(), sequence: try reader.number(),
                content: try reader.counted())
            guard stored.version > 0, stored.sequence <= sequence,
                records.updateValue(stored, forKey: id) == nil
            else {
                throw KeychainError(.decode)
            }
        }
        guard reader.position == end, sequence < UInt64(Int64.max) else {
            throw KeychainError(.decode)
        }
    }

    private static func checkForm(_ bytes: [UInt8]) throws(KeychainError) {
        guard !bytes.starts(with: start.bytes), bytes.starts(with: start.bytes.prefix(nameSize))
        else {
            return
        }
        throw KeychainError(.wrongVersion)
    }

    /// Reads the head at the beginning of a stored form.
    static func head(reading reader: inout ByteReader) throws(KeychainError) -> ServerHead {
        let line = try reader.raw(start.utf8CodeUnitCount)
        try checkForm(line)
        guard line == start.bytes else {
            throw KeychainError(.decode)
        }
        return ServerHead(sequence: try reader.number(), rosterCount: try reader.number())
    }
}
