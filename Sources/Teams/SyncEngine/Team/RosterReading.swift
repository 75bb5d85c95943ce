internal import LanyardCryptography
internal import LanyardSecrets

/// Reads the entries of a roster as a server shows them, and decides which of them count.
///
/// Whoever can write to the server can add entries there that no owner signed, and whoever was in the team can sign some for
/// a position of the past. These are skipped, and stop no one. But entries that were signed rightly can come beside each
/// other, if a server hides some, takes some back, or shows one that it refused. Then there are two rosters from a position
/// on, and one rule decides, on each device alike, from the entries alone:
///
/// 1. What an owner changed wins over devices that leave.
/// 2. The other roster counts only if someone signed there who is an owner in this one: who was removed signs nothing that
///    counts, whatever its digest is. If that is so for one of both, it wins.
/// 3. Else that one wins in which the owner signed who was in the team first.
/// 4. If it is the same one: that in which more devices were removed, then that which she signed later, by her clock, then
///    that with the smaller digest.
///
/// The entries of the other one are kept as ``Roster/lost``, for their keys, and their authors are named.
///
/// What is left: if two owners removed each other, each device stays with what it knew. If the server, together with an owner
/// who was removed, hides from a device what all others sign, it follows that owner, until it is shown it. A present owner can
/// undo what only later owners signed, as she could stop the team in any case.
struct RosterReading {
    /// Entries with wrong signatures, by their digests: each is checked once.
    struct Forgeries: Equatable {
        private(set) var digests: Set<Identifier> = []
        /// How many were found, or read from where they are stored: as many as there are digests if none was checked twice.
        private(set) var insertions = 0

        /// Those of some ten megabytes.
        private static let limit = 1 << 18

        mutating func insert(_ digest: Identifier) {
            insertions += 1
            if digests.count >= Forgeries.limit {
                digests = []
            }
            digests.insert(digest)
        }
    }

    /// The roster that counts, nil before its first entry.
    private var roster: Roster?
    /// The number of shown entries that do not count, but for those that owners overruled.
    private(set) var skipped = 0
    /// The number of entries that the server showed again.
    private(set) var repeated = 0
    /// The devices whose changes of the roster do not count, or no more, since now.
    private(set) var overruled: Set<Identifier> = []
    private(set) var forgeries: Forgeries
    /// Whether the server showed the team's first entry.
    private(set) var hasFirst: Bool
    private let team: Identifier
    private let known: Roster?
    /// The digests of the entries that the server showed before.
    private let before: Set<[UInt8]>
    /// The digests of the entries that the server showed.
    private var shown: Set<[UInt8]> = []
    /// The entries that are not in the roster, by their digests.
    private var others: [[UInt8]: RosterEnvelope] = [:]
    /// Whether an entry was shown that is neither known nor forged.
    private var hasNews = false

    /// The most entries of others than present owners that are kept, and their size in bytes.
    private static let (keptLimit, keptSize) = (64, 64 << 10)

    /// Creates one.
    ///
    /// - Parameters:
    ///   - known: The roster that is known.
    ///   - count: The number of entries that the server showed before: these are not shown again.
    ///   - forgeries: The known ones.
    init(
        _ known: Roster, after count: UInt64 = 0, _ forgeries: Forgeries = Forgeries()
    ) {
        (team, self.known, roster, self.forgeries) = (known.team, known, known, forgeries)
        before = Set(known.entries.prefix(Int(clamping: count)).map { $0.digest })
        hasFirst = count > 0
        putAside(known.lost)
    }

    /// Creates one for a team of which nothing but the id is known.
    init(of team: Identifier) {
        (self.team, known, roster, forgeries) = (team, nil, nil, Forgeries())
        (before, hasFirst) = ([], false)
    }

    private mutating func putAside(_ entries: some Sequence<Roster.Checked>) {
        for checked in entries {
            others[checked.digest] = try? RosterEnvelope(checked.bytes)
        }
    }

    /// Takes the next entry.
    mutating func take(_ bytes: [UInt8]) {
        guard let roster else {
            if Identifier(digestOf: bytes) == team, let entry = try? RosterEntry(bytes),
                let first = try? Roster(entry)
            {
                (self.roster, hasFirst) = (first, true)
                shown.insert(entry.digest)
            } else {
                skipped += 1
            }
            return
        }
        guard !forgeries.digests.contains(Identifier(digestOf: bytes)),
            let entry = try? RosterEnvelope(bytes)
        else {
            skipped += 1
            return
        }
        if let position = Int(exactly: entry.position), position < roster.entries.count,
            roster.entries[position].bytes.hasSameBytes(as: bytes)
        {
            hasFirst = hasFirst || position == 0
            let digest = roster.entries[position].digest
            if !shown.insert(digest).inserted || before.contains(digest) {
                repeated += 1
            }
        } else {
            let digest = entry.digest
            shown.insert(digest)
            hasNews = hasNews || others[digest] == nil
            guard !extend(with: entry) else {
                return
            }
            if others.updateValue(entry, forKey: digest) == nil {
                skipped += 1
            } else {
                repeated += 1
            }
        }
    }

    /// Returns the roster that counts after the last entry, and those of its entries that the server lacks; if the server showed
    /// all, those of ``Roster/lost``, too.
    ///
    /// - Throws: ``Status/decode`` if the server has those of another team, or lacks one that an owner built on;
    ///   ``Status/wrongVersion`` if an owner signed one in a later form. If the server showed only the last ones, it may have
    ///   what is lacking.
    mutating func finish() throws(KeychainError) -> (roster: Roster, lacking: [Roster.Checked]) {
        guard hasFirst || skipped == 0, roster != nil else {
            throw RosterReading.another
        }
        // Three rosters could win over each other, but not for ever.
        var rounds = SyncLimits.versions
        while hasNews, extendWithOthers() || rounds > 0 && chooseOther() {
            rounds -= 1
        }
        guard var roster else {
            throw RosterReading.another
        }
        for entry in others.values where isOwners(entry, in: roster) && isSigned(entry, in: roster)
        {
            guard let path = path(to: entry, in: roster) else {
                throw RosterReading.another
            }
            guard path.allSatisfy({ $0.format <= RosterEnvelope.format }) else {
                throw Roster.newer
            }
        }
        if hasNews {
            keepOthers(in: &roster)
            self.roster = roster
        }
        // Also those that do not count: who does not know one of them can't judge what an owner built on it.
        let all = before.isEmpty ? roster.entries + roster.lost : roster.entries
        return (
            roster, all.filter { !shown.contains($0.digest) && !before.contains($0.digest) }
        )
    }

    /// Whether an entry says that a present owner changed the roster.
    private func isOwners(_ entry: RosterEnvelope, in roster: Roster) -> Bool {
        !entry.isLeave && entry.team == team.bytes && roster.isOwner(entry.author)
    }

    private mutating func isSigned(_ entry: RosterEnvelope, in roster: Roster) -> Bool {
        let digest = Identifier(digestOf: entry.bytes)
        guard let author = roster.devices[entry.author]?.card, !forgeries.digests.contains(digest)
        else {
            return false
        }
        guard entry.isSigned(by: author) else {
            forgeries.insert(digest)
            return false
        }
        return true
    }

    // MARK: The roster that counts

    /// Adds an entry to the roster, if it is the next one.
    private mutating func extend(with entry: RosterEnvelope) -> Bool {
        guard let roster, roster.isNext(entry),
            roster.devices[entry.author]?.role == .owner || entry.isLeave,
            isSigned(entry, in: roster), let next = try? roster.appending(entry, isSigned: true)
        else {
            return false
        }
        self.roster = next
        return true
    }

    /// Adds an entry that was shown too early.
    private mutating func extendWithOthers() -> Bool {
        for (digest, entry) in others where extend(with: entry) {
            take(back: [digest])
            return true
        }
        return false
    }

    /// Takes another roster that wins over this one.
    private mutating func chooseOther() -> Bool {
        guard let roster else {
            return false
        }
        for entry in others.values where isOwners(entry, in: roster) && isSigned(entry, in: roster)
        {
            guard let path = path(to: entry, in: roster), let other = roster.following(path),
                let position = path.first.flatMap({ Int(exactly: $0.position) }),
                wins(other, over: roster, from: position)
            else {
                continue
            }
            let before = roster.entries[position...]
            putAside(before)
            for checked in before where !checked.isLeave {
                overruled.insert(checked.author)
            }
            take(back: path.map { $0.digest })
            self.roster = other
            return true
        }
        return false
    }

    private mutating func take(back digests: [[UInt8]]) {
        for digest in digests {
            others[digest] = nil
            if shown.contains(digest), !(known?.isLost(digest) ?? false) {
                skipped -= 1
            }
        }
    }

    /// Returns an entry and those before it that are not in the roster, nil if one was not shown.
    private func path(to entry: RosterEnvelope, in roster: Roster) -> [RosterEnvelope]? {
        var path = [entry]
        while let before = others[path[path.count - 1].previous] {
            path.append(before)
        }
        let first = path[path.count - 1]
        guard let position = Int(exactly: first.position),
            (1...roster.entries.count).contains(position),
            roster.entries[position - 1].digest.hasSameBytes(as: first.previous)
        else {
            return nil
        }
        return path.reversed()
    }

    /// Whether another roster wins over this one, from which it differs from a position on.
    private func wins(_ other: Roster, over roster: Roster, from position: Int) -> Bool {
        let (own, others) = (
            roster.entries[position...].filter { !$0.isLeave },
            other.entries[position...].filter { !$0.isLeave }
        )
        func first(_ entries: [Roster.Checked]) -> (position: Int, entry: Roster.Checked)? {
            var first: (position: Int, entry: Roster.Checked)?
            for entry in entries {
                if let joined = roster.devices[entry.author]?.position, joined < position,
                    joined < first?.position ?? .max
                {
                    first = (joined, entry)
                }
            }
            return first
        }
        guard own.contains(where: { other.isOwner($0.author) }), let ownFirst = first(own),
            let otherFirst = first(others)
        else {
            return true
        }
        func removed(_ roster: Roster) -> Int {
            roster.devices.values.count { $0.position < position && $0.role == nil }
        }
        let order = [
            (otherFirst.position, ownFirst.position), (removed(roster), removed(other)),
        ]
        for (left, right) in order where left != right {
            return left < right
        }
        return ownFirst.entry.date == otherFirst.entry.date
            ? otherFirst.entry.digest.lexicographicallyPrecedes(ownFirst.entry.digest)
            : ownFirst.entry.date < otherFirst.entry.date
    }

    // MARK: Entries that do not count

    /// Notes which of the other entries were right where they are.
    private mutating func keepOthers(in roster: inout Roster) {
        var kept = known?.lost ?? []
        // Those of the known roster that lost are checked already.
        kept += known?.entries.filter { others[$0.digest] != nil } ?? []
        let old = Set(kept.map { $0.digest })
        var rest = max(0, RosterReading.keptLimit - kept.count)
        for (digest, entry) in others where !old.contains(digest) {
            let isOwners = isOwners(entry, in: roster)
            guard isOwners || rest > 0 && entry.bytes.count <= RosterReading.keptSize else {
                continue
            }
            rest -= isOwners ? 0 : 1
            guard isSigned(entry, in: roster), let path = path(to: entry, in: roster),
                let checked = roster.following(path)?.entries.suffix(path.count)
            else {
                continue
            }
            // With those before it, without which it would seem to be of another roster.
            kept += checked
            if isOwners {
                overruled.insert(entry.author)
                skipped -= 1
            }
        }
        var digests = Set(roster.entries.map { $0.digest })
        roster.lost = kept.filter { digests.insert($0.digest).inserted }
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
                reading.take(entry)
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
