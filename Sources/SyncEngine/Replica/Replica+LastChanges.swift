internal import Cryptography
internal import Secrets

extension Replica {
    /// Returns the changes of a device that count if it is to make no more.
    ///
    /// - Parameter limit: The most of them. If there are more, each item's last one of the device comes first, and then the
    ///   earliest: who lies can fill an entry of the roster with changes, but not prevent that it is removed.
    func lastChanges(
        of device: Identifier, limit: Int = SyncLimits.lastChanges
    ) throws(KeychainError) -> LastChanges {
        var changes: [(isOlder: Bool, counter: UInt64, tag: Identifier)] = []
        try forEachItem { _, item in
            let all =
                item.versions.map { ($0.number, $0.tag) } + item.dropped.map { ($0.number, $0.tag) }
            for (number, tag) in all where number.device == device {
                changes.append((number.counter < item.context[device], number.counter, tag))
            }
        }
        guard changes.count > limit else {
            return LastChanges(
                counter: seen[device], changes: self.summary.changes[device] ?? DigestSum(),
                tags: Set(changes.map(\.tag)))
        }
        changes.sort { left, right in
            left.isOlder == right.isOlder
                ? (left.counter, left.tag) < (right.counter, right.tag) : right.isOlder
        }
        let tags = Set(changes.prefix(limit).map(\.tag))
        // As its items are once the others do not count.
        var (counter, sum): (UInt64, DigestSum) = (0, DigestSum())
        try forEachItem { record, item in
            let left = item.filtered { $0 != device || tags.contains($1) }
            if let last = left?.context[device], last > 0 {
                counter = max(counter, last)
                sum.add(DeviceHead.digest(record, device, last))
            }
        }
        return LastChanges(counter: counter, changes: sum, tags: tags)
    }
}
