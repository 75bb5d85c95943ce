internal import LanyardCryptography
package import LanyardSecrets

extension Replica {
    /// Returns the number of items of which these devices' last changes are lost if they are to make no more: an entry of
    /// the roster has no room for them.
    ///
    /// - Parameter limit: The most changes that the entry names.
    package func lostItems(
        without devices: Set<Identifier>, limit: Int? = nil
    ) throws(KeychainError) -> Int {
        let all = devices.union(roster.leaving)
        let limit = (limit ?? SyncLimits.lastChanges) / max(all.count, 1)
        guard try rows.count(.item) > limit else {
            return 0
        }
        var counts: [Identifier: Int] = [:]
        try forEachItem { _, item in
            for device in item.context.devices where all.contains(device) {
                counts[device, default: 0] += 1
            }
        }
        return counts.values.reduce(0) { $0 + max($1 - limit, 0) }
    }

    /// Returns the changes of a device that count if it is to make no more.
    ///
    /// - Parameter limit: The most of them. If there are more, each item's last one of the device comes first, and then the
    ///   earliest: who lies can fill an entry of the roster with changes, but not prevent that it is removed.
    func lastChanges(
        of device: Identifier, limit: Int = SyncLimits.lastChanges
    ) throws(KeychainError) -> LastChanges {
        var changes: [(isOlder: Bool, counter: UInt64, tag: Identifier)] = []
        var named: UInt64 = 0
        try forEachItem { _, item in
            named = item.versions.reduce(named) { max($0, $1.context[device]) }
            let all =
                item.versions.map { ($0.number, $0.tag) } + item.dropped.map { ($0.number, $0.tag) }
            for (number, tag) in all where number.device == device {
                changes.append((number.counter < item.context[device], number.counter, tag))
            }
        }
        guard changes.count > limit else {
            return LastChanges(
                counter: seen[device], changes: self.summary.changes[device] ?? DigestSum(),
                tags: Set(changes.map { $0.tag }), named: named)
        }
        changes.sort { left, right in
            left.isOlder == right.isOlder
                ? (left.counter, left.tag) < (right.counter, right.tag) : right.isOlder
        }
        let tags = Set(changes.prefix(limit).map { $0.tag })
        // As its items are once the others do not count.
        var (counter, sum): (UInt64, DigestSum) = (0, DigestSum())
        try forEachItem { record, item in
            let left = item.filtered { $0 != device || tags.contains($1) }
            if let last = left?.context[device], last > 0 {
                counter = max(counter, last)
                sum.add(DeviceHead.digest(record, device, last))
            }
        }
        return LastChanges(counter: counter, changes: sum, tags: tags, named: named)
    }
}
