/// The entries that a server shows beside a roster.
///
/// Whoever can write to the server can add any number of them. So each device of the team has a share, all that were removed
/// have one together, and so have all unknown ones; of the entries beyond it, the digests alone are kept.
struct OtherEntries {
    /// Whose share an entry takes.
    enum Author: Hashable {
        case present(Identifier)
        case removed, unknown
    }

    /// The most entries of one author, and their size in bytes.
    struct Share: Equatable {
        var count: Int
        var size: Int

        /// That of a present owner.
        static let owners = Share(count: 256, size: 16 << 20)
        /// That of any other device of the team, of all removed and of all unknown ones.
        static let others = Share(count: 64, size: 1 << 20)
    }

    private var entries: [[UInt8]: RosterEnvelope] = [:]
    private var used: [Author: Share] = [:]
    /// The entries beyond a share, and those that they follow.
    private var beyond: [[UInt8]: [UInt8]] = [:]

    private static let beyondLimit = 1 << 16

    /// Whether no more digests are kept.
    var isFull: Bool { beyond.count >= OtherEntries.beyondLimit }

    /// The entries.
    var all: Dictionary<[UInt8], RosterEnvelope>.Values { entries.values }

    /// Returns the entry of a digest.
    subscript(digest: [UInt8]) -> RosterEnvelope? { entries[digest] }

    /// Adds an entry.
    ///
    /// - Parameters:
    ///   - author: Whose share it takes.
    ///   - share: nil to add it in any case.
    /// - Returns: Whether there was room for it.
    @discardableResult
    mutating func insert(
        _ entry: RosterEnvelope, of author: Author, within share: Share? = nil
    ) -> Bool {
        var used = used[author] ?? Share(count: 0, size: 0)
        used = Share(count: used.count + 1, size: used.size + entry.bytes.count)
        if let share, used.count > share.count || used.size > share.size {
            if !isFull {
                beyond[entry.digest] = entry.previous
            }
            return false
        }
        self.used[author] = used
        entries[entry.digest] = entry
        return true
    }

    /// Returns the digests that meet a condition, of all entries.
    func digests(_ meets: ([UInt8]) -> Bool) -> [[UInt8]] {
        entries.keys.filter(meets) + beyond.keys.filter(meets)
    }

    /// Returns the entries beyond a share which some others follow, whatever their size: in the right order, a device would
    /// take them all, and without one it would not follow an owner who removed their author.
    ///
    /// - Parameter tips: The digests of the last ones.
    func passedOver(before tips: [[UInt8]]) -> Set<[UInt8]> {
        var (found, visited): (Set<[UInt8]>, Set<[UInt8]>) = ([], [])
        for tip in tips {
            var digest = tip
            while visited.insert(digest).inserted {
                if let entry = entries[digest] {
                    digest = entry.previous
                } else if let previous = beyond[digest] {
                    found.insert(digest)
                    digest = previous
                }
            }
        }
        return found
    }
}
