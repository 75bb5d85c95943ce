internal import LanyardSecrets

/// What a folder has of a team, and how it answers: the rules of ``SyncTransport``. Contents stay in the file, so it takes
/// little memory.
struct ServerState {
    /// The bytes of a record or of an entry of the roster.
    enum Content {
        /// They are in the file.
        case stored(offset: Int, size: Int)
        /// They are not in it yet.
        case new([UInt8])

        var size: Int {
            switch self {
            case .stored(_, let size): size
            case .new(let bytes): bytes.count
            }
        }
    }

    /// A record and the number of its last change.
    struct Stored {
        let id: Identifier
        let version: UInt64
        var sequence: UInt64
        let content: Content
        /// Whether the file has another number of the change.
        var isRenumbered = false
    }

    var sequence: UInt64 = 0
    var roster: [Content] = []
    /// Ordered by id.
    var records: [Stored] = []

    /// Creates the state of a server without the team.
    init() {}

    /// How far it is.
    var head: ServerHead {
        ServerHead(sequence: sequence, rosterCount: UInt64(roster.count))
    }

    /// Returns what changed after a head, or the first piece of it.
    ///
    /// - Parameter read: Returns bytes; those that ``SyncLimits/areRead(_:)`` does not name are empty.
    func changes(
        since head: ServerHead, _ read: (Content) throws(KeychainError) -> [UInt8]
    ) throws(KeychainError) -> ServerChanges {
        let changed = records.filter { $0.sequence > head.sequence }
            .sorted { $0.sequence < $1.sequence }
        let piece = SyncPiece.first(of: changed) {
            // No more is read of a larger one.
            ($0.sequence, min($0.content.size, SyncLimits.givenSize))
        }
        let entries = roster.dropFirst(Int(clamping: head.rosterCount))
        let contents = try ServerState.contents(of: piece.map { $0.content }, read)
        return ServerChanges(
            upTo: piece.last?.sequence, of: self.head,
            roster: try ServerState.contents(of: Array(entries), read),
            records: zip(piece, contents).map { stored, content in
                ServerRecord(id: stored.id, version: stored.version, content: content)
            })
    }

    /// Returns a record, nil if there is none.
    func record(
        _ id: Identifier, _ read: (Content) throws(KeychainError) -> [UInt8]
    ) throws(KeychainError) -> ServerRecord? {
        var (low, high) = (0, records.count)
        while low < high {
            let middle = (low + high) / 2
            if records[middle].id < id {
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard low < records.count, records[low].id == id else {
            return nil
        }
        return ServerRecord(
            id: id, version: records[low].version,
            content: try ServerState.contents(of: [records[low].content], read)[0])
    }

    private static func contents(
        of contents: [Content], _ read: (Content) throws(KeychainError) -> [UInt8]
    ) throws(KeychainError) -> [[UInt8]] {
        var all: [[UInt8]] = []
        for (content, isRead) in zip(contents, SyncLimits.areRead(contents.map { $0.size })) {
            all.append(isRead ? try read(content) : [])
        }
        return all
    }

    /// Stores records: all of them or none.
    mutating func put(_ puts: [ServerRecord], rosterCount: UInt64) -> PutResult {
        guard rosterCount == UInt64(roster.count),
            puts.allSatisfy({ $0.version < SyncLimits.number })
        else {
            return .conflict
        }
        let before = self
        if sequence >= SyncLimits.number {
            // Whoever can write the file can make up any number: all devices compare everything then.
            sequence = UInt64(records.count)
            for index in records.indices {
                records[index].sequence = UInt64(index) + 1
                records[index].isRenumbered = true
            }
        }
        let new = puts.enumerated().map { number, put in
            Stored(
                id: put.id, version: put.version + 1, sequence: sequence + UInt64(number) + 1,
                content: .new(put.content))
        }
        var merged: [Stored] = []
        merged.reserveCapacity(records.count + new.count)
        var index = 0
        for put in new.sorted(by: { $0.id < $1.id }) {
            while index < records.count, records[index].id < put.id {
                merged.append(records[index])
                index += 1
            }
            var known: UInt64 = 0
            if index < records.count, records[index].id == put.id {
                known = SyncLimits.isVersion(records[index].version) ? records[index].version : 0
                index += 1
            }
            guard put.version == known + 1, merged.last?.id != put.id else {
                self = before
                return .conflict
            }
            merged.append(put)
        }
        merged += records[index...]
        records = merged
        sequence += UInt64(new.count)
        return .stored
    }

    /// Adds an entry to the roster, if the server is exactly at this head.
    mutating func putRoster(_ entry: [UInt8], at head: ServerHead) -> PutResult {
        guard head == self.head else {
            return .conflict
        }
        roster.append(.new(entry))
        return .stored
    }
}
