internal import LanyardSecrets

/// Decides which changes of an item are kept, and in which order.
struct ItemMerging {
    /// The versions to keep: the current ones, the winning one first, then older ones, the latest first.
    private(set) var versions: [ItemVersion]
    /// The last changes of the devices whose last version is not kept, ordered by device and tag.
    private(set) var dropped: [SignedChange]

    /// The most changes with one number that count: a device that was restored from a backup makes a second one, and a
    /// device that lies could make any number.
    private static let sameNumberLimit = 4

    /// - Parameter all: The versions; there is one.
    init(_ all: Set<ItemVersion>, _ changes: Set<SignedChange>) {
        (versions, dropped) = (Array(all), Array(changes))
    }

    mutating func run() {
        guard runOnce() else {
            return
        }
        // What is dropped may have replaced another one.
        while dropOlder() {}
    }

    /// Drops what is beyond the limits, and puts what is left in order.
    ///
    /// - Returns: Whether more may have to be dropped. What merging made loses nothing.
    mutating func runOnce() -> Bool {
        guard versions.count > 1 || !dropped.isEmpty else {
            return false
        }
        limitSameNumbers()
        return dropOlder()
    }

    private mutating func limitSameNumbers() {
        var tags: [ItemVersion.Number: Set<Identifier>] = [:]
        for version in versions {
            tags[version.number, default: []].insert(version.tag)
        }
        guard tags.count < versions.count || !dropped.isEmpty else {
            return
        }
        let numbers = tags
        for change in dropped {
            tags[change.number, default: []].insert(change.tag)
        }
        let counting = tags.mapValues { Set($0.sorted().prefix(ItemMerging.sameNumberLimit)) }
        let left = versions.filter { counting[$0.number]?.contains($0.tag) ?? false }
        // An item always has a version.
        versions =
            left.isEmpty
            ? versions.filter { numbers[$0.number]?.min() == $0.tag } : left
        dropped.removeAll { !(counting[$0.number]?.contains($0.tag) ?? false) }
    }

    /// Puts the versions in order, and drops those that don't fit: no way to a server would take the item.
    ///
    /// - Returns: Whether one was dropped.
    private mutating func dropOlder() -> Bool {
        let context = SharedItem.context(of: versions, dropped)
        let usedTwice = ItemMerging.numbersUsedTwice(by: versions, dropped)
        var current = ItemMerging.current(of: versions, context)
        // A number that was used twice may be a lie: what others made comes first. A deletion only wins over versions that
        // it knew.
        current.sort { left, right in
            let (isLeftTwice, isRightTwice) = (
                usedTwice.contains(left.number), usedTwice.contains(right.number)
            )
            return isLeftTwice != isRightTwice
                ? isRightTwice
                : left.isDeletion == right.isDeletion
                    ? ItemVersion.isEarlier(right, left) : right.isDeletion
        }
        let isCurrent = Set(current)
        let older = versions.filter { !isCurrent.contains($0) }.sorted {
            ItemVersion.isEarlier($1, $0)
        }
        // The winning one is kept whatever its size; of the others the smallest ones first: no device's large ones take the
        // place of another one's login.
        var (kept, known): (Set<ItemVersion>, VersionVector) = ([current[0]], current[0].context)
        var room = Room(beside: current[0])
        for version in bySize(current[1...]) where room.take(version) {
            kept.insert(version)
            known.merge(version.context)
        }
        kept.formUnion(ItemMerging.needed(of: older, known, context, &room))
        room.size += SharedItem.reservedSize
        keepOlder(older, &kept, &room)
        let lost = versions.filter { !kept.contains($0) }
        versions = (current + older).filter(kept.contains)
        keepLastChanges(lost, context)
        return !lost.isEmpty
    }

    /// Keeps the latest one of each device, and then the latest ones: who writes often over another one's would push it out, and
    /// lose it for all if what they wrote does not count later.
    ///
    /// - Parameter older: The latest first.
    private func keepOlder(
        _ older: [ItemVersion], _ kept: inout Set<ItemVersion>, _ room: inout Room
    ) {
        var devices: Set<Identifier> = []
        let latest = older.filter { devices.insert($0.device).inserted }
        for (versions, count, size) in [
            (bySize(latest[...]), SharedItem.latestLimit, SharedItem.latestSizeLimit),
            (older, SharedItem.olderLimit, SharedItem.olderSizeLimit),
        ] {
            var (count, size) = (count, size)
            for version in versions {
                let bytes = version.content?.count ?? 0
                if count > 0, bytes <= size, kept.contains(version) || room.take(version) {
                    kept.insert(version)
                    (count, size) = (count - 1, size - bytes)
                }
            }
        }
    }

    /// What an item has room for: no way to a server takes more, and reading it takes no longer than that.
    private struct Room {
        var size: Int
        private var count = SyncLimits.versions - 1
        private var named: VersionVector

        init(beside winner: ItemVersion) {
            size = SyncLimits.givenItemSize - SharedItem.reservedSize - winner.size
            named = winner.context
        }

        /// Takes the room of a version, if it is there.
        mutating func take(_ version: ItemVersion) -> Bool {
            var all = named
            all.merge(version.context)
            guard version.size <= size, count > 0, all.devices.count <= SyncLimits.devices else {
                return false
            }
            (size, count, named) = (size - version.size, count - 1, all)
            return true
        }
    }

    /// Returns the devices that versions name: no more than one beyond the limit and those of one version.
    static func namedDevices(by versions: [ItemVersion]) -> VersionVector {
        var named = VersionVector()
        for version in versions where named.devices.count <= SyncLimits.devices {
            named.merge(version.context)
        }
        return named
    }

    private func bySize(_ versions: ArraySlice<ItemVersion>) -> [ItemVersion] {
        versions.enumerated().sorted { ($0.element.size, $0.offset) < ($1.element.size, $1.offset) }
            .map { $0.element }
    }

    /// Returns the older versions without which others would be wrong: what one replaces would be current again if no current
    /// version knew that, and of a change that is not stored any more, a version has to tell that it was replaced.
    private static func needed(
        of older: [ItemVersion], _ known: VersionVector, _ context: VersionVector,
        _ room: inout Room
    ) -> Set<ItemVersion> {
        var needed: Set<ItemVersion> = []
        var explained = known
        for version in older {
            let isLast = context[version.device] == version.counter
            let explains = version.context.devices.contains {
                $0 != version.device && version.context[$0] >= context[$0]
                    && explained[$0] < context[$0]
            }
            if isLast && !known.covers(version.context) || explains, room.take(version) {
                needed.insert(version)
                explained.merge(version.context)
            }
        }
        return needed
    }

    private mutating func keepLastChanges(_ lost: [ItemVersion], _ context: VersionVector) {
        let present = Set(versions.map { $0.tag })
        let last = (dropped + lost.map { $0.change }).filter {
            context[$0.device] == $0.counter && !present.contains($0.tag)
        }
        dropped = Set(last).sorted { ($0.device, $0.tag) < ($1.device, $1.tag) }
    }

    /// Returns the numbers with which a device made several changes.
    static func numbersUsedTwice(
        by versions: [ItemVersion], _ dropped: [SignedChange]
    ) -> Set<ItemVersion.Number> {
        var tags: [ItemVersion.Number: Identifier] = [:]
        var twice: Set<ItemVersion.Number> = []
        let changes =
            versions.map { ($0.number, $0.tag) } + dropped.map { ($0.number, $0.tag) }
        for (number, tag) in changes where tags.updateValue(tag, forKey: number) ?? tag != tag {
            twice.insert(number)
        }
        return twice
    }

    /// Returns the versions that nothing replaces, of which there is always one.
    ///
    /// Only the last version of a device counts, and it is replaced by the last one of another device that knew it. If
    /// both say that they knew the other one, one device lies: that which names a change of the other one that it never made
    /// here, or else both versions stay.
    static func current(of versions: [ItemVersion], _ context: VersionVector) -> [ItemVersion] {
        let last = versions.filter { context[$0.device] == $0.counter }
        // For each device the last change that another one knew: mostly it decides.
        var replaced = VersionVector()
        for version in last {
            var others = version.context
            others[version.device] = 0
            replaced.merge(others)
        }
        let current = last.filter { version in
            replaced[version.device] < version.counter
                || !last.contains {
                    $0.device != version.device && $0.knows(version)
                        && !(version.knows($0) && version.context[$0.device] <= context[$0.device])
                }
        }
        guard current.isEmpty, let latest = versions.max(by: ItemVersion.isEarlier) else {
            return current
        }
        // Devices that lie replace each other in a circle.
        return [latest]
    }
}
