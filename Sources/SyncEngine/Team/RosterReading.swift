internal import Cryptography
internal import Secrets

/// Reads the entries of a roster as a server shows them.
///
/// Whoever can write to the server can add entries there that no owner signed. All devices skip the same ones, so these stop
/// no one. What an owner signed is never skipped: another entry of one in place of a known one shows that there are two
/// rosters.
struct RosterReading {
    /// The roster as far as it was shown.
    private(set) var shown: Roster
    /// The number of entries that were skipped.
    private(set) var skipped = 0
    private let known: Roster
    private var hasFirst: Bool
    /// The digests of entries that owners signed, and that did not follow from those shown before.
    private var misplaced: Set<[UInt8]> = []

    /// Creates one.
    ///
    /// - Parameters:
    ///   - known: The roster that is known.
    ///   - afterKnown: Whether the server showed all of these before.
    init(_ known: Roster, afterKnown: Bool) throws(KeychainError) {
        self.known = known
        hasFirst = afterKnown
        shown = afterKnown ? known : try Roster(try RosterEntry(known.entries[0].bytes))
    }

    /// Takes the next entry.
    ///
    /// - Throws: ``Status/decode`` if owners signed two entries of which one is known; ``Status/wrongVersion`` if an owner
    ///   signed it in a later form.
    mutating func take(_ bytes: [UInt8]) throws(KeychainError) {
        guard hasFirst else {
            guard known.entries[0].bytes.hasSameBytes(as: bytes) else {
                throw RosterReading.another
            }
            hasFirst = true
            return
        }
        let position = shown.entries.count
        if position < known.entries.count, known.entries[position].bytes.hasSameBytes(as: bytes) {
            return try shown.append(try RosterEntry(bytes), isSigned: true)
        }
        switch try shown.add(shown: bytes) {
        case .added where position < known.entries.count: throw RosterReading.another
        case .added: break
        case .misplaced: misplaced.insert(KeyedDigest.plain(bytes.span))
        case .forged: skipped += 1
        }
    }

    /// The number of known entries that the server showed.
    var count: Int { hasFirst ? min(shown.entries.count, known.entries.count) : 0 }

    /// Returns the roster after the last entry, nil if the server lacks some of the known ones.
    ///
    /// - Throws: ``Status/decode`` if owners signed other entries than these.
    func finish() throws(KeychainError) -> Roster? {
        let isWhole = count == known.entries.count
        // The server may show one twice, or too early.
        guard
            misplaced.isEmpty
                || misplaced.isSubset(of: (isWhole ? shown : known).entries.map { $0.digest })
        else {
            throw RosterReading.another
        }
        return isWhole ? shown : nil
    }

    static let another = KeychainError(
        .decode, "the team's server shows another roster than before",
        hint: "don't trust this server: ask the team's other members")
}

extension SyncTransport {
    /// Reads all entries of the roster that a server shows after a head, also those for which its answer has no room.
    ///
    /// - Throws: ``Status/decode`` if there are not as many as it says; what the reading and the transport throw.
    func read(
        _ changes: ServerChanges, since: ServerHead, _ reading: inout RosterReading
    ) throws(KeychainError) {
        let end = changes.head.rosterCount
        guard end == since.rosterCount + UInt64(changes.roster.count) else {
            throw SyncEngine.incomplete
        }
        var (position, entries) = (since.rosterCount, changes.roster[...])
        while !entries.isEmpty {
            var size = 0
            // What does not fit is empty: an answer that is not full has it all.
            let rest = entries.firstIndex { entry in
                size += entry.count
                return entry.isEmpty && size > SyncLimits.answerSize - SyncLimits.givenSize
            }
            let read = entries[..<(rest ?? entries.endIndex)]
            for entry in read {
                try reading.take(entry)
            }
            position += UInt64(read.count)
            guard position < end else {
                return
            }
            let more = try self.changes(
                since: ServerHead(sequence: try head().sequence, rosterCount: position))
            entries = more.roster.prefix(Int(end - position))
            guard entries.count == Int(end - position) else {
                throw SyncEngine.incomplete
            }
        }
    }
}
