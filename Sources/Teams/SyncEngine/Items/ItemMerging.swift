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
        var room = SyncLimits.givenItemSize
        var (kept, lost): ([ItemVersion], [ItemVersion]) = ([], [])
        var known = VersionVector()
        for version in current {
            // The winning one is kept whatever its size.
            guard kept.isEmpty || version.size <= room else {
                lost.append(version)
                continue
            }
            kept.append(version)
            room -= version.size
            known.merge(version.context)
        }
        let needed = ItemMerging.needed(of: older, known, context, &room)
        // The latest ones, and the latest one of each device: who writes often over another one's would push it out, and lose
        // it for all if what they wrote does not count later. One that is not kept pushes out no other.
        var (count, size) = (0, 0)
        var (devices, latestCount, latestSize) = (Set<Identifier>(), 0, 0)
        for version in older {
            let bytes = version.content?.count ?? 0
            let isRecent =
                count < SharedItem.olderLimit && size + bytes <= SharedItem.olderSizeLimit
            let isLatest =
                !devices.contains(version.device) && latestCount < SharedItem.olderLimit
                && latestSize + bytes <= SharedItem.latestSizeLimit
            let isNeeded = needed.contains(version)
            guard isNeeded || version.size <= room && (isRecent || isLatest) else {
                lost.append(version)
                continue
            }
            kept.append(version)
            devices.insert(version.device)
            room -= isNeeded ? 0 : version.size
            if isRecent {
                count += 1
                size += bytes
            } else if !isNeeded {
                latestCount += 1
                latestSize += bytes
            }
        }
        versions = kept
        keepLastChanges(lost, context)
        return !lost.isEmpty
    }

    /// Returns the older versions without which others would be wrong: what one replaces would be current again if no current
    /// version knew that, and of a change that is not stored any more, a version has to tell that it was replaced.
    private static func needed(
        of older: [ItemVersion], _ known: VersionVector, _ context: VersionVector,
        _ room: inout Int
    ) -> Set<ItemVersion> {
        var needed: Set<ItemVersion> = []
        var explained = known
        for version in older where version.size <= room {
            let isLast = context[version.device] == version.counter
            let explains = version.context.devices.contains {
                $0 != version.device && version.context[$0] >= context[$0]
                    && explained[$0] < context[$0]
            }
            if isLast && !known.covers(version.context) || explains {
                needed.insert(version)
                explained.merge(version.context)
                room -= version.size
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
    /// both say that they knew the other one, one device lies, and both versions stay.
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
                    $0.device != version.device && $0.knows(version) && !version.knows($0)
                }
        }
        guard current.isEmpty, let latest = versions.max(by: ItemVersion.isEarlier) else {
            return current
        }
        // Devices that lie replace each other in a circle.
        return [latest]
    }
}
