internal import LanyardCryptography
internal import LanyardSecrets

/// Reads the entries of a roster as a server shows them, and decides which of them count.
///
/// Whoever can write to the server can add entries there that no owner signed, and whoever was in the team can sign some for
/// a position of the past. Entries that were signed rightly can also come beside each other, if a server hides some, takes
/// some back, or shows one that it refused. So the entries are a tree, each way from the first one to a last one is a roster,
/// and ``Roster/best(of:)`` says which one counts: it depends on the entries alone, and not on their order or on what was
/// known.
///
/// One thing does depend on that: a device never follows a roster that only owners changed whom its own one has removed. If
/// owners removed each other, alone or in a circle, each device therefore stays with what it knew.
///
/// The other entries are kept as ``Roster/lost``, for their keys, and the owners among their authors are named. Each device has
/// a share of them: see ``OtherEntries``. What an owner builds on who is in the known roster, or an invitation names, is
/// looked at beyond it.
///
/// An entry of a present owner that builds on one which the server never shows is set aside: she may have signed anything, and
/// a server that hides an entry could hide both. So is one in a later form, with its author noted.
///
/// What is left: if the server, together with an owner who was removed, hides from a device what all others sign, it follows
/// that owner, until it is shown it. A present owner can undo what only later owners signed, as she could stop the team in
/// any case.
struct RosterReading {
    /// Entries with wrong signatures, by their digests: each is checked once, and none is forgotten that a server shows.
    struct Forgeries: Equatable {
        private(set) var digests: Set<Identifier> = []
        /// How many were found, or read from where they are stored: as many as there are digests if none was checked twice.
        private(set) var insertions = 0
        /// The most of them: those of some fifty megabytes, which take ten seconds.
        var limit = 1 << 18

        /// Whether entries are not looked at any more.
        var isFull: Bool { digests.count >= limit }

        mutating func insert(_ digest: Identifier) {
            insertions += 1
            digests.insert(digest)
        }

        /// Forgets those that a server has no more, if there is no room for others.
        mutating func limit(to shown: Set<Identifier>) {
            if isFull {
                digests.formIntersection(shown)
            }
        }
    }

    /// The first roster that the shown entries made, nil before its first entry; in the end the one that counts.
    private var roster: Roster?
    /// The number of shown entries that do not count, but for those that owners overruled.
    private(set) var skipped = 0
    /// The number of entries that the server showed again.
    private(set) var repeated = 0
    /// The devices whose changes of the roster do not count, or no more, since now.
    private(set) var overruled: Set<Identifier> = []
    private(set) var forgeries: Forgeries
    /// Those that the server showed.
    private var shownForgeries: Set<Identifier> = []
    /// Whether there are more entries than are looked at.
    private(set) var isFlooded = false
    /// The present owners who signed entries that follow none which the server shows.
    private(set) var unexplained: Set<Identifier> = []
    /// The present owners who signed entries in a later form, or after one.
    private(set) var later: Set<Identifier> = []
    /// Whether the server showed the team's first entry.
    private(set) var hasFirst: Bool
    private let team: Identifier
    private let known: Roster?
    /// The beginning of the digest of an entry that the roster has to have, if any has it.
    private let entry: [UInt8]
    /// The digests of the entries that the server showed before.
    private let before: Set<[UInt8]>
    /// The digests of the entries that the server showed.
    private var shown: Set<[UInt8]> = []
    /// The entries that are not in the roster.
    private var others = OtherEntries()
    /// Whether entries came before the team's first one.
    private var missesEntries = false
    /// The digests of the entries to take at another look, beyond their authors' shares.
    private var needed: Set<[UInt8]> = []
    /// Whether an entry was shown that is neither known nor forged.
    private var hasNews = false

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
        (hasFirst, entry) = (count > 0, [])
        for checked in known.lost {
            if let entry = try? RosterEnvelope(checked.bytes) {
                others.insert(entry, of: author(of: entry, in: known))
            }
        }
    }

    /// Creates one for a team of which nothing but the id is known, and perhaps the beginning of the digest of an entry.
    init(of team: Identifier, with entry: [UInt8] = []) {
        (self.team, known, roster, forgeries) = (team, nil, nil, Forgeries())
        (before, hasFirst, self.entry) = ([], false, entry)
    }

    /// Takes the next entry.
    mutating func take(_ bytes: [UInt8]) {
        guard needed.isEmpty else {
            takeNeeded(bytes)
            return
        }
        // No owner's program makes a larger one.
        guard bytes.count <= SyncLimits.givenSize else {
            skipped += 1
            return
        }
        guard let roster else {
            if Identifier(digestOf: bytes) == team, let entry = try? RosterEntry(bytes),
                let first = try? Roster(entry)
            {
                (self.roster, hasFirst) = (first, true)
                shown.insert(entry.digest)
            } else {
                skipped += 1
                missesEntries = true
            }
            return
        }
        let id = Identifier(digestOf: bytes)
        guard !forgeries.digests.contains(id) else {
            shownForgeries.insert(id)
            skipped += 1
            return
        }
        guard let entry = try? RosterEnvelope(bytes),
            entry.team == team.bytes || roster.entries[0].bytes.hasSameBytes(as: bytes)
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
        } else if let next = self.next(entry, after: roster) {
            hasNews = true
            shown.insert(entry.digest)
            self.roster = next
        } else if others[entry.digest] != nil {
            shown.insert(entry.digest)
            repeated += 1
        } else {
            skipped += 1
            takeOther(entry, beside: roster)
        }
    }

    /// Takes an entry that does not follow the last one, if its author signed it, and has room for it.
    private mutating func takeOther(_ entry: RosterEnvelope, beside roster: Roster) {
        let author = author(of: entry, in: roster)
        guard author == .unknown || isSigned(entry, in: roster) else {
            return
        }
        let isOwners = isOwners(entry, in: roster)
        guard others.insert(entry, of: author, within: isOwners ? .owners : .others) else {
            isFlooded = isFlooded || isOwners || others.isFull
            (skipped, repeated) = isOwners ? (skipped - 1, repeated + 1) : (skipped, repeated)
            return
        }
        hasNews = true
        shown.insert(entry.digest)
    }

    /// Whose share of the other entries an entry takes.
    private func author(of entry: RosterEnvelope, in roster: Roster) -> OtherEntries.Author {
        roster.devices[entry.author].map { $0.role == nil ? .removed : .present(entry.author) }
            ?? .unknown
    }

    /// Returns whether all entries have to be shown once more: some came before the team's first one; or owners, or the
    /// invitation, build on some beyond their authors' shares.
    mutating func needsAnotherLook() -> Bool {
        guard needed.isEmpty, let roster else {
            return false
        }
        guard !missesEntries else {
            (missesEntries, skipped) = (false, 0)
            return true
        }
        var tips = entry.isEmpty ? [] : others.digests { $0.starts(with: entry) }
        for candidate in others.all where isOwners(candidate, in: roster) {
            if isSigned(candidate, in: roster) {
                tips.append(candidate.previous)
            }
        }
        needed = others.passedOver(before: tips)
        return !needed.isEmpty
    }

    private mutating func takeNeeded(_ bytes: [UInt8]) {
        guard bytes.count <= SyncLimits.givenSize, let entry = try? RosterEnvelope(bytes),
            needed.contains(entry.digest), others[entry.digest] == nil
        else {
            return
        }
        others.insert(entry, of: .present(entry.author))
        hasNews = true
        shown.insert(entry.digest)
    }

    /// Returns the roster that counts after the last entry, and those of its entries that the server lacks; if the server showed
    /// all, those of ``Roster/lost``, too.
    ///
    /// - Throws: ``Status/decode`` if the server has those of another team, or lacks one that an owner built on: it may have that
    ///   if it showed only the last ones.
    mutating func finish() throws(KeychainError) -> (roster: Roster, lacking: [Roster.Checked]) {
        guard hasFirst || skipped == 0, var roster else {
            throw RosterReading.another
        }
        if hasNews {
            roster = try choose(beside: roster)
            self.roster = roster
        }
        if before.isEmpty {
            forgeries.limit(to: shownForgeries)
        }
        // Also those that do not count: who does not know one of them can't judge what an owner built on it.
        let all = before.isEmpty ? roster.entries + roster.lost : roster.entries
        return (
            roster, all.filter { !shown.contains($0.digest) && !before.contains($0.digest) }
        )
    }

    /// Returns a roster with the entry that follows it, nil if its author may not sign there.
    private mutating func next(_ entry: RosterEnvelope, after roster: Roster) -> Roster? {
        guard roster.isNext(entry), roster.isOwner(entry.author) || entry.isLeave,
            isSigned(entry, in: roster)
        else {
            return nil
        }
        return try? roster.appending(entry, isSigned: true)
    }

    /// Whether an entry says that an owner changed the roster.
    private func isOwners(_ entry: RosterEnvelope, in roster: Roster) -> Bool {
        !entry.isLeave && roster.isOwner(entry.author)
    }

    private mutating func isSigned(_ entry: RosterEnvelope, in roster: Roster) -> Bool {
        let digest = Identifier(digestOf: entry.bytes)
        guard let author = roster.devices[entry.author]?.card, !forgeries.digests.contains(digest)
        else {
            return false
        }
        guard known?.isLost(entry.digest) != true else {
            return true
        }
        guard !forgeries.isFull else {
            isFlooded = true
            return false
        }
        guard entry.isSigned(by: author) else {
            forgeries.insert(digest)
            shownForgeries.insert(digest)
            return false
        }
        return true
    }

    // MARK: The tree

    private typealias Children = [[UInt8]: [RosterEnvelope]]

    /// Returns the roster that counts of all that the entries make.
    private mutating func choose(beside first: Roster) throws(KeychainError) -> Roster {
        let children: Children = Dictionary(grouping: others.all) { $0.previous }
        let candidates = try rosters(beside: first, children)
        var best = Roster.best(of: candidates)
        if let known, !known.follows(best) {
            let own = Roster.best(of: candidates.filter { $0.begins(with: known) })
            best = own.follows(best) ? best : own
        } else if !entry.isEmpty {
            let having = candidates.filter { $0.entries.contains { $0.digest.starts(with: entry) } }
            best = having.isEmpty ? best : Roster.best(of: having)
        }
        try checkIsWhole(best, beside: first, children)
        keepLost(candidates, in: &best)
        return best
    }

    /// Returns the rosters that no entry follows.
    private mutating func rosters(
        beside first: Roster, _ children: Children
    ) throws(KeychainError) -> [Roster] {
        var rest = try beginnings(of: first, children).map { (roster: $0, isPart: true) }
        rest.append((first, false))
        var candidates: [Roster] = []
        while let (roster, isPart) = rest.popLast() {
            var isLast = !isPart
            for entry in children[roster.lastDigest] ?? [] {
                if let next = next(entry, after: roster) {
                    isLast = false
                    rest.append((next, false))
                }
            }
            if isLast {
                candidates.append(roster)
            }
        }
        return candidates
    }

    /// Returns a roster's beginnings that entries follow which are not in it.
    private func beginnings(
        of roster: Roster, _ children: Children
    ) throws(KeychainError) -> [Roster] {
        let forks = roster.entries.dropLast().indices.filter {
            children[roster.entries[$0].digest] != nil
        }
        guard let last = forks.last else {
            return []
        }
        var beginning = try Roster(try RosterEntry(roster.entries[0].bytes))
        var beginnings: [Roster] = []
        for position in 0...last {
            if position > 0 {
                try beginning.append(
                    try RosterEntry(roster.entries[position].bytes), isSigned: true)
            }
            if children[beginning.lastDigest] != nil {
                beginnings.append(beginning)
            }
        }
        return beginnings
    }

    /// Sets the entries aside that owners built on none which was shown, or signed in a later form.
    private mutating func checkIsWhole(
        _ roster: Roster, beside first: Roster, _ children: Children
    ) throws(KeychainError) {
        // For each entry that follows known ones whether one of them has a later form.
        var isLater: [[UInt8]: Bool] = [:]
        var rest = first.entries.flatMap { children[$0.digest] ?? [] }.map { ($0, false) }
        while let (entry, isAfterLater) = rest.popLast() {
            let isEntryLater = isAfterLater || entry.format > RosterEnvelope.format
            isLater[entry.digest] = isEntryLater
            rest += (children[entry.digest] ?? []).map { ($0, isEntryLater) }
        }
        for entry in others.all where isOwners(entry, in: roster) {
            guard isLater[entry.digest] != false, isSigned(entry, in: roster) else {
                continue
            }
            skipped -= 1
            repeated += 1
            guard isLater[entry.digest] == nil else {
                later.insert(entry.author)
                continue
            }
            // Those before may explain it; and without an entry that it has to have, a device that joins knows nothing.
            guard before.isEmpty, known != nil || !self.entry.isEmpty else {
                throw RosterReading.another
            }
            unexplained.insert(entry.author)
        }
    }

    /// Keeps the entries of other rosters in one, and notes whose do not count.
    private mutating func keepLost(_ candidates: [Roster], in roster: inout Roster) {
        let counted = Set(known?.entries.map { $0.digest } ?? [])
        var digests: Set<[UInt8]> = []
        for entry in roster.entries where digests.insert(entry.digest).inserted {
            skipped -= others[entry.digest] != nil && known?.isLost(entry.digest) != true ? 1 : 0
        }
        var lost = known?.lost.filter { digests.insert($0.digest).inserted } ?? []
        for entry in candidates.flatMap({ $0.entries })
        where digests.insert(entry.digest).inserted {
            lost.append(entry)
            let isOwners = !entry.isLeave && roster.isOwner(entry.author)
            if isOwners || !entry.isLeave && counted.contains(entry.digest) {
                overruled.insert(entry.author)
            }
            skipped -= isOwners && others[entry.digest] != nil ? 1 : 0
        }
        roster.setLost(lost)
    }

    static let another = KeychainError(
        .decode, "the team's server shows another roster than before",
        hint: "don't trust this server: ask the team's other members")
}
