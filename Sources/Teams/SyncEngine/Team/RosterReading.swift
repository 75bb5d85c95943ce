internal import LanyardCryptography
internal import LanyardSecrets

/// Reads the entries of a roster as a server shows them.
///
/// Whoever can write to the server can add entries there that no owner signed, and whoever was in the team can sign some for
/// a position of the past. All devices skip the same ones, so these stop no one. What a present owner signed is never skipped:
/// another entry of one in place of a known one shows that there are two rosters.
struct RosterReading {
    /// The roster as far as it was shown, nil before its first entry.
    private var shown: Roster?
    /// The number of entries that were skipped.
    private(set) var skipped = 0
    /// The number of entries that the server showed again, or too early.
    private(set) var repeated = 0
    private let team: Identifier
    private let known: Roster?
    /// The authors of entries that did not follow those shown before, by the digests of these.
    private var misplaced: [[UInt8]: Identifier] = [:]

    /// Creates one.
    ///
    /// - Parameters:
    ///   - known: The roster that is known.
    ///   - afterKnown: Whether the server showed all of these before.
    init(_ known: Roster, afterKnown: Bool) {
        (team, self.known) = (known.team, known)
        shown = afterKnown ? known : nil
    }

    /// Creates one for a team of which nothing but the id is known.
    init(of team: Identifier) {
        (self.team, known) = (team, nil)
    }

    /// Takes the next entry.
    ///
    /// - Throws: ``Status/wrongVersion`` if an owner signed it in a later form.
    mutating func take(_ bytes: [UInt8]) throws(KeychainError) {
        guard var roster = shown else {
            if Identifier(digestOf: bytes) == team {
                shown = try Roster(try RosterEntry(bytes))
            } else {
                skipped += 1
            }
            return
        }
        if let next = known?.entries.dropFirst(roster.entries.count).first {
            if next.bytes.hasSameBytes(as: bytes) {
                try roster.append(try RosterEntry(bytes), isSigned: true)
                shown = roster
            } else if let entry = roster.signed(bytes) {
                misplaced[KeyedDigest.plain(bytes.span)] = entry.author
            } else {
                skipped += 1
            }
            return
        }
        switch try roster.add(shown: bytes) {
        case .added: shown = roster
        case .forged: skipped += 1
        case .misplaced(let entry):
            let position = max(1, known?.entries.count ?? 0)
            if var before = roster.withoutLeaves(from: entry.position, notBefore: position),
                case .added = try before.add(shown: bytes)
            {
                skipped += roster.entries.count + 1 - before.entries.count
                shown = before
            } else {
                misplaced[KeyedDigest.plain(bytes.span)] = entry.author
            }
        }
    }

    /// Whether the server showed the team's first entry.
    var hasFirst: Bool { shown != nil }

    /// The number of known entries that the server showed.
    var count: Int { min(shown?.entries.count ?? 0, known?.entries.count ?? 0) }

    /// Returns the roster after the last entry, nil if the server lacks some of the known ones, or has none.
    ///
    /// - Throws: ``Status/decode`` if owners signed other entries than these, or the server has those of another team.
    mutating func finish() throws(KeychainError) -> Roster? {
        guard hasFirst || skipped == 0 else {
            throw RosterReading.another
        }
        let isWhole = hasFirst && count == known?.entries.count ?? 0
        guard let roster = isWhole ? shown : known else {
            return nil
        }
        for entry in roster.entries where misplaced.removeValue(forKey: entry.digest) != nil {
            repeated += 1
        }
        guard !misplaced.values.contains(where: { roster.isOwner($0) }) else {
            throw RosterReading.another
        }
        skipped += misplaced.count
        misplaced = [:]
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
        // What is beyond their number, no entry takes the place of.
        guard end >= since.rosterCount, end - since.rosterCount <= UInt64(changes.roster.count)
        else {
            throw SyncEngine.incomplete
        }
        var position = since.rosterCount
        var entries = changes.roster.prefix(Int(end - position))
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
