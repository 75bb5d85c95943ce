package import LanyardSecrets
package import SyncEngine

/// A server in memory, which does what an honest one does. A test changes what it stores, or what it
/// shows, to make it lie.
package final class MemoryServer: SyncTransport {
    package init() {}

    package var sequence: UInt64 = 0
    package var roster: [[UInt8]] = []
    package var records: [Identifier: ServerRecord] = [:]
    package var sequences: [Identifier: UInt64] = [:]
    /// Whether it can't be reached.
    package var isAway = false
    /// Whether the next put is stored, but its answer is lost.
    package var losesAnswer = false
    /// The number of records that it shows at once.
    package var pieceCount = SyncPiece.count
    /// What it shows instead of the truth.
    package var show: (ServerChanges) -> ServerChanges = { $0 }
    /// What it does instead of storing.
    package var onPut: (([ServerRecord]) -> PutResult)?
    /// What it does instead of storing an entry of the roster.
    package var onPutRoster: (([UInt8]) throws(KeychainError) -> PutResult)?
    /// Called before it shows a single record.
    package var onRecord: () -> Void = {}
    /// Called after it said what changed.
    package var onChanges: () -> Void = {}

    /// A state to go back to.
    package struct Backup {
        package let sequence: UInt64
        package let roster: [[UInt8]]
        package let records: [Identifier: ServerRecord]
        package let sequences: [Identifier: UInt64]
    }

    package var backup: Backup {
        get {
            Backup(sequence: sequence, roster: roster, records: records, sequences: sequences)
        }
        set {
            sequence = newValue.sequence
            roster = newValue.roster
            records = newValue.records
            sequences = newValue.sequences
        }
    }

    private func reach() throws(KeychainError) {
        if isAway {
            throw KeychainError(.notAvailable)
        }
    }

    private var present: ServerHead {
        ServerHead(sequence: sequence, rosterCount: UInt64(roster.count))
    }

    package func head() throws(KeychainError) -> ServerHead {
        try reach()
        return present
    }

    package func changes(since head: ServerHead) throws(KeychainError) -> ServerChanges {
        try reach()
        defer { onChanges() }
        let changed = records.values.filter { sequences[$0.id]! > head.sequence }
            .sorted { sequences[$0.id]! < sequences[$1.id]! }
        let piece = SyncPiece.first(of: changed) { (sequences[$0.id]!, $0.content.count) }
            .prefix(pieceCount)
        let isAll = piece.count == changed.count
        let last = isAll ? sequence : sequences[piece.last!.id]!
        // As git and PostgreSQL do.
        let areRead = SyncLimits.areRead(piece.map(\.content.count))
        let records = zip(piece, areRead).map { record, isRead in
            isRead ? record : ServerRecord(id: record.id, version: record.version, content: [])
        }
        let entries = roster.dropFirst(Int(clamping: head.rosterCount))
        let shown = zip(entries, SyncLimits.areRead(entries.map(\.count))).map { $1 ? $0 : [] }
        return show(
            ServerChanges(
                head: ServerHead(sequence: last, rosterCount: present.rosterCount),
                roster: shown, records: records,
                hasMore: !isAll))
    }

    package func record(_ id: Identifier) throws(KeychainError) -> ServerRecord? {
        try reach()
        onRecord()
        return records[id]
    }

    package func put(
        _ puts: [ServerRecord], rosterCount: UInt64
    ) throws(KeychainError) -> PutResult {
        try reach()
        if let onPut {
            return onPut(puts)
        }
        guard rosterCount == UInt64(roster.count),
            puts.allSatisfy({ put in
                let version = records[put.id]?.version ?? 0
                return (SyncLimits.isVersion(version) ? version : 0) == put.version
            })
        else {
            return .conflict
        }
        for put in puts {
            sequence += 1
            sequences[put.id] = sequence
            records[put.id] = ServerRecord(
                id: put.id, version: put.version + 1, content: put.content)
        }
        if losesAnswer {
            losesAnswer = false
            throw KeychainError(.notAvailable)
        }
        return .stored
    }

    package func putRoster(
        _ entry: [UInt8], at head: ServerHead
    ) throws(KeychainError) -> PutResult {
        try reach()
        if let onPutRoster {
            return try onPutRoster(entry)
        }
        guard head == present else {
            return .conflict
        }
        roster.append(entry)
        return .stored
    }
}
