package import KeychainServices
package import LanyardSecrets
package import SyncEngine

extension SharedKeychain {
    /// An item with its older versions.
    package struct ItemHistory {
        /// The versions, the present one first.
        package let versions: [Version]
        /// The item, as its latest version that is not a deletion has it.
        package let latest: NewItem
    }

    /// A version of an item.
    package struct Version {
        /// One more than that of the version it was made from. It stays, but two devices that change an item at
        /// once make versions of one number.
        package let number: UInt64
        /// When it was made, by the clock of its device.
        package let date: Timestamp
        /// The device that made it, nil for one that the roster does not have.
        package let device: DeviceCard?
        /// Whether it was made at the same time as the present one, and lost.
        package fileprivate(set) var isConflict: Bool
        /// The item; nil for a deletion.
        package let item: NewItem?
    }

    /// Returns the items that match a query, also deleted ones, with their versions as of the last exchange.
    ///
    /// - Throws: ``Status/missingEntitlement`` before an owner approved this device.
    package func history(of query: Query) throws(KeychainError) -> [ItemHistory] {
        try state.replica.reading { () throws(KeychainError) in try readHistory(of: query) }
    }

    private func readHistory(of query: Query) throws(KeychainError) -> [ItemHistory] {
        let engine = try offlineEngine()
        var found: [[UInt8]: [(winner: ItemVersion, history: ItemHistory)]] = [:]
        try engine.replica.forEachItem { record, item throws(KeychainError) in
            let conflicts = item.conflicts
            var versions: [Version] = []
            for version in item.versions {
                let stored = try content(of: version, record, engine)
                guard stored != nil || version.isDeletion else {
                    continue
                }
                versions.append(
                    Version(
                        number: version.clock, date: version.date,
                        device: engine.replica.roster.devices[version.device]?.card,
                        isConflict: conflicts.contains(version), item: stored))
                // Most items are others.
                if let first = versions.last?.item, versions.count(where: { $0.item != nil }) == 1,
                    !query.matches(first.itemClass, first.attributes, id: .random())
                {
                    break
                }
            }
            if let latest = versions.lazy.compactMap(\.item).first,
                query.matches(latest.itemClass, latest.attributes, id: .random())
            {
                let identity = ItemIdentity(latest.itemClass, latest.attributes).bytes
                let winner = try state.version(of: item, record) ?? item.winner
                found[identity, default: []].append(
                    (winner, ItemHistory(versions: versions, latest: latest)))
            }
        }
        return found.values.compactMap(SharedKeychain.merged).sorted {
            $0.versions[0].date > $1.versions[0].date
        }
    }

    /// Returns the history of the record that the keychain shows, with those that two devices stored at once under the
    /// same names: these lost. A deletion deleted all of them.
    private static func merged(
        _ all: [(winner: ItemVersion, history: ItemHistory)]
    ) -> ItemHistory? {
        let latest = all.sorted { ItemVersion.isEarlier($1.winner, $0.winner) }
        let sorted =
            latest.filter { !$0.winner.isDeletion } + latest.filter { $0.winner.isDeletion }
        guard let shown = sorted.first?.history else {
            return nil
        }
        var versions = shown.versions
        for (winner, history) in sorted.dropFirst() {
            versions += history.versions
            versions[versions.count - history.versions.count].isConflict = !winner.isDeletion
        }
        return ItemHistory(versions: versions, latest: shown.latest)
    }

    /// Returns the attributes of the items with concurrent changes that lost.
    ///
    /// - Throws: As ``history(of:)``.
    package func conflictingItems() throws(KeychainError) -> [ItemAttributes] {
        try state.replica.reading { () throws(KeychainError) in try readConflictingItems() }
    }

    private func readConflictingItems() throws(KeychainError) -> [ItemAttributes] {
        let engine = try offlineEngine()
        var all: [ItemAttributes] = []
        for record in try conflictingRecords() {
            if let item = try state.replica.item(record),
                let version = try state.version(of: item, record),
                let shown = try content(of: version, record, engine)
            {
                all.append(shown.attributes)
            }
        }
        return all
    }

    private func content(
        of version: ItemVersion, _ record: Identifier, _ engine: SyncEngine
    ) throws(KeychainError) -> NewItem? {
        guard let content = try state.readable(version, of: record, engine) else {
            return nil
        }
        return NewItem(content.itemClass, content.attributes, secret: content.secret.copy())
    }

    /// Stores a version of an item in the keychain, as a change that the next exchange takes along.
    ///
    /// - Throws: What the store throws.
    package func restore(_ item: NewItem) throws(KeychainError) {
        try put(item)
    }
}
