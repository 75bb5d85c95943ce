package import LanyardSecrets

/// A record as a server has it: opaque bytes under an id.
package struct ServerRecord: Hashable, Sendable {
    /// The record's id.
    package let id: Identifier
    /// The number of times it was stored.
    package let version: UInt64
    /// Its content.
    package let content: [UInt8]

    /// Creates a record.
    package init(id: Identifier, version: UInt64, content: [UInt8]) {
        self.id = id
        self.version = version
        self.content = content
    }
}

/// How far a server is.
package struct ServerHead: Hashable, Sendable {
    /// Before everything.
    package static let start = ServerHead(sequence: 0, rosterCount: 0)

    /// After all records, and a number of the roster's entries.
    static func afterRecords(_ rosterCount: UInt64) -> ServerHead {
        ServerHead(sequence: SyncLimits.number, rosterCount: rosterCount)
    }

    /// The number of the last change of a record: it grows, but not always by one.
    package let sequence: UInt64
    /// The number of the roster's entries.
    package let rosterCount: UInt64

    /// Creates a head.
    package init(sequence: UInt64, rosterCount: UInt64) {
        self.sequence = sequence
        self.rosterCount = rosterCount
    }
}

/// What changed on a server after a head, all of one moment: everything, or a piece of the earliest changes.
package struct ServerChanges: Sendable {
    /// How far the changes go: as far as the server was, or up to the last record of a piece.
    package let head: ServerHead
    /// The roster's entries from the one that was asked for, all of them; those for which there is no room are empty.
    package let roster: [[UInt8]]
    /// The records that changed. If the last one is the one that changed last, a server that came back older
    /// is noticed at once, else perhaps later.
    package let records: [ServerRecord]
    /// Whether it is a piece: the next one has the changes since this one's head.
    package let hasMore: Bool

    /// Creates a list of changes.
    package init(
        head: ServerHead, roster: [[UInt8]], records: [ServerRecord], hasMore: Bool = false
    ) {
        self.head = head
        self.roster = roster
        self.records = records
        self.hasMore = hasMore
    }

    /// Creates a list of changes that may be a piece.
    ///
    /// - Parameters:
    ///   - server: How far the server was.
    ///   - last: The number of the last record's change, nil if there is no record.
    package init(
        upTo last: UInt64?, of server: ServerHead, roster: [[UInt8]], records: [ServerRecord]
    ) {
        // Later changes replaced the record of a change that is not there.
        let last = last ?? server.sequence
        self.init(
            head: ServerHead(sequence: last, rosterCount: server.rosterCount), roster: roster,
            records: records, hasMore: last < server.sequence)
    }
}

/// Whether a server stored something.
package enum PutResult: Hashable, Sendable {
    /// It stored everything.
    case stored
    /// It stored nothing, because something changed in between.
    case conflict
}

/// The way to a server that keeps a team's records. A server can read none of them, and is not trusted:
/// everything that it says is checked.
///
/// Each operation has a time limit of its own, and throws what went wrong: ``Status/notAvailable`` if the
/// server can't be reached.
package protocol SyncTransport: AnyObject {
    /// Prepares the server for a new team, if it needs that: makes the folder, or the tables.
    func create() throws(KeychainError)

    /// Returns how far the server is. A server without the team has the head 0, 0.
    func head() throws(KeychainError) -> ServerHead

    /// Returns what changed after a head, all of one moment. If it is much, it is a piece, with the earliest changes.
    func changes(since head: ServerHead) throws(KeychainError) -> ServerChanges

    /// Returns a record, nil if there is none.
    func record(_ id: Identifier) throws(KeychainError) -> ServerRecord?

    /// Stores records, each in place of its version, 0 if the server has none, which becomes the next one: all
    /// of them, or none if the server has other versions or the roster another number of entries.
    func put(_ records: [ServerRecord], rosterCount: UInt64) throws(KeychainError) -> PutResult

    /// Adds an entry to the roster, if the server is exactly at this head. Other puts wait for it, or come
    /// after it.
    func putRoster(_ entry: [UInt8], at head: ServerHead) throws(KeychainError) -> PutResult
}

extension SyncTransport {
    /// Does nothing.
    package func create() throws(KeychainError) {}
}
