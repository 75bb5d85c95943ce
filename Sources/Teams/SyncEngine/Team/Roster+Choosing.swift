internal import LanyardSecrets

// Which of several rosters of a team counts.
extension Roster {
    /// Returns the roster that counts, of those that the entries make which were signed rightly:
    ///
    /// 1. A roster is out if another one overrules it: all who changed it since they differ are no owners in the other one,
    ///    which someone changed who is an owner in it. If that leaves none, all stay.
    /// 2. Of the others, that one counts in which the owner who was in the team first made her latest change. If it is of the
    ///    same date, the next owner's decides, and so on.
    /// 3. If there is no difference, because only devices leave, the longer one counts, then that with the smaller last digest.
    ///
    /// The dates of a device's changes rise, also over those that it gave up: by its clock, or by a second.
    ///
    /// - Parameter candidates: At least one.
    static func best(of candidates: [Roster]) -> Roster {
        let left = candidates.filter { roster in !candidates.contains { $0.overrules(roster) } }
        let rest = left.isEmpty ? candidates : left
        return rest.dropFirst().reduce(rest[0]) { $1.wins(over: $0) ? $1 : $0 }
    }

    /// Whether a device that knows this roster takes another one for it: not if only owners changed that one whom this one
    /// has removed.
    func follows(_ other: Roster) -> Bool {
        let changed = other.entries[commonCount(other)...]
        return changed.allSatisfy { $0.isLeave } || hasOwners(changed)
    }

    /// Whether it begins with the entries of another one.
    func begins(with other: Roster) -> Bool { commonCount(other) == other.entries.count }

    private func overrules(_ other: Roster) -> Bool {
        let position = commonCount(other)
        return !hasOwners(other.entries[position...]) && other.hasOwners(entries[position...])
    }

    /// Whether owners of this roster changed the team by some entries.
    private func hasOwners(_ entries: ArraySlice<Checked>) -> Bool {
        entries.contains { !$0.isLeave && isOwner($0.author) }
    }

    private func wins(over other: Roster) -> Bool {
        let (own, others) = (latestChanges, other.latestChanges)
        for (left, right) in zip(own, others) where left != right {
            // Whoever is missing in one of both changed nothing there.
            let (leftPlace, rightPlace) = (
                (left.position, left.device), (right.position, right.device)
            )
            return leftPlace == rightPlace ? left.date > right.date : leftPlace < rightPlace
        }
        guard own.count == others.count, entries.count == other.entries.count else {
            return (own.count, entries.count) > (others.count, other.entries.count)
        }
        return lastDigest.lexicographicallyPrecedes(other.lastDigest)
    }

    /// The date of each owner's latest change, in the order in which they came into the team.
    private var latestChanges: [(position: Int, device: Identifier, date: Timestamp)] {
        var changes: [(position: Int, device: Identifier, date: Timestamp)] = []
        for device in devices.values {
            if let date = device.changed {
                changes.append((device.position, device.card.id, date))
            }
        }
        return changes.sorted { ($0.position, $0.device) < ($1.position, $1.device) }
    }

    /// The number of entries with which both begin.
    private func commonCount(_ other: Roster) -> Int {
        var (same, end) = (0, min(entries.count, other.entries.count))
        // Each names the digest of the one before it.
        while same < end {
            let middle = (same + end) / 2
            if entries[middle].digest.hasSameBytes(as: other.entries[middle].digest) {
                same = middle + 1
            } else {
                end = middle
            }
        }
        return same
    }

    /// Returns the roster with another entry.
    ///
    /// - Throws: As ``append(_:isSigned:)``.
    func appending(_ entry: RosterEnvelope, isSigned: Bool) throws(KeychainError) -> Roster {
        // Appending may end in the middle.
        var next = self
        try next.append(try RosterEntry(entry), isSigned: isSigned)
        return next
    }
}

extension Timestamp {
    /// Returns this moment, or the second after another one if that is later.
    func later(than other: Timestamp) -> Timestamp {
        let (next, isBeyond) = other.secondsSinceEpoch.addingReportingOverflow(1)
        return isBeyond ? other : max(self, Timestamp(secondsSinceEpoch: next))
    }
}
