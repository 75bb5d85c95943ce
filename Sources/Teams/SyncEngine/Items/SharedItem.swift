internal import LanyardCryptography
internal import LanyardSecrets

/// An item as the team has it: the versions that nothing replaces, as far as a server takes them, some older ones, and for
/// each device that changed it its last change, signed.
///
/// Merging is commutative and idempotent. It is associative, too, but for older versions for which there is no room: all
/// devices show the same of the same changes, in any order. A device can sign what contradicts its other changes or those of others: that never hides a
/// version of another device that knew of it, and an item always has a version.
package struct SharedItem: Hashable, Sendable {
    /// The versions: the winning one first, then the others, the latest first.
    package private(set) var versions: [ItemVersion]
    /// The last changes of the devices whose last version is not stored any more, ordered by device and tag.
    private(set) var dropped: [SignedChange]
    /// For each device the number of its last change, which it signed itself: no other device can claim more.
    let context: VersionVector

    /// The most older versions that are kept.
    static let olderLimit = 10
    /// The most bytes of contents that they take.
    static let olderSizeLimit = 64 << 10
    /// The most devices whose latest older version is kept beside these, the smallest ones first.
    static let latestLimit = 64
    /// The most bytes of contents that these take.
    static let latestSizeLimit = 1 << 20
    /// The room for them that current versions leave, in bytes.
    static let reservedSize = 256 << 10

    /// Creates an item of one version.
    init(_ version: ItemVersion) {
        versions = [version]
        dropped = []
        context = SharedItem.context(of: versions, dropped)
    }

    /// Creates the item that all changes together make.
    private init(_ all: Set<ItemVersion>, _ changes: Set<SignedChange>) {
        var merging = ItemMerging(all, changes)
        merging.run()
        (versions, dropped) = (merging.versions, merging.dropped)
        context = SharedItem.context(of: versions, dropped)
    }

    /// The version that everybody sees.
    package var winner: ItemVersion { versions[0] }

    /// The versions that were made at the same time as the winning one, and lost.
    package var conflicts: [ItemVersion] {
        ItemMerging.current(of: versions, context).filter { $0 != winner }
    }

    /// The highest Lamport time of the versions.
    var clock: UInt64 { versions.reduce(0) { max($0, $1.clock) } }

    /// The size of its versions in bytes.
    var size: Int { versions.reduce(0) { $0 + $1.size } }

    /// Takes over the changes of another state of the same item.
    mutating func merge(_ other: SharedItem) {
        guard self != other else {
            return
        }
        self = SharedItem(
            Set(versions).union(other.versions), Set(dropped).union(other.dropped))
    }

    /// Adds a version.
    mutating func add(_ version: ItemVersion) {
        merge(SharedItem(version))
    }

    /// Whether changes went into it that a device did not make after its change of a number.
    func hasOther(than device: Identifier, after counter: UInt64) -> Bool {
        context.devices.contains { $0 != device || context[$0] <= counter }
    }

    /// Whether changes did not go into it that went into another state, but for those that a device made after
    /// its change of a number.
    func lacks(_ other: SharedItem, except device: Identifier, after counter: UInt64) -> Bool {
        other.context.devices.contains {
            context[$0] < other.context[$0] && ($0 != device || other.context[$0] <= counter)
        }
    }

    /// The devices that made several changes with one number.
    var devicesThatUsedNumbersTwice: Set<Identifier> {
        Set(ItemMerging.numbersUsedTwice(by: versions, dropped).map { $0.device })
    }

    /// Whether it has another change with a version's number.
    func hasOther(numbered number: ItemVersion.Number, than tag: Identifier) -> Bool {
        versions.contains { $0.number == number && $0.tag != tag }
            || dropped.contains { $0.number == number && $0.tag != tag }
    }

    /// Whether a version of another device replaced that of a dropped change, or there may have been no room for it.
    func explainsDropping(_ change: SignedChange) -> Bool {
        versions.contains {
            $0.device != change.device && $0.context[change.device] >= change.counter
        }
            || size > SyncLimits.givenItemSize - SharedItem.reservedSize - SyncLimits.versionSize
            || versions.count == SyncLimits.versions
            || ItemMerging.namedDevices(by: versions).devices.count > SyncLimits.devices / 2
    }

    /// Returns the item without changes that do not count, nil if no version is left.
    ///
    /// - Parameter counts: Gets a change's device and tag.
    func filtered(_ counts: (_ device: Identifier, _ tag: Identifier) -> Bool) -> SharedItem? {
        let left = versions.filter { counts($0.device, $0.tag) }
        let leftDropped = dropped.filter { counts($0.device, $0.tag) }
        guard left.count < versions.count || leftDropped.count < dropped.count else {
            return self
        }
        return left.isEmpty ? nil : SharedItem(Set(left), Set(leftDropped))
    }

    /// Returns the item without older versions that meet a condition, unless one of them tells what others replaced.
    func withoutOlder(_ isUnwanted: (ItemVersion) -> Bool) -> SharedItem {
        guard versions.count > 1 else {
            return self
        }
        let current = ItemMerging.current(of: versions, context)
        let unwanted = versions.filter { !current.contains($0) && isUnwanted($0) }
        guard !unwanted.isEmpty else {
            return self
        }
        let item = SharedItem(
            Set(versions).subtracting(unwanted), Set(dropped).union(unwanted.map { $0.change }))
        let isSame = Set(ItemMerging.current(of: item.versions, item.context)) == Set(current)
        return isSame && item.dropped.allSatisfy(item.explainsDropping) ? item : self
    }

    static func context(
        of versions: [ItemVersion], _ dropped: [SignedChange]
    ) -> VersionVector {
        var context = VersionVector()
        for version in versions where context[version.device] < version.counter {
            context[version.device] = version.counter
        }
        for change in dropped where context[change.device] < change.counter {
            context[change.device] = change.counter
        }
        return context
    }

    // MARK: The stored form

    /// Reads an item that is all there is.
    ///
    /// - Throws: As ``init(reading:)``.
    init(_ bytes: [UInt8]) throws(KeychainError) {
        var reader = ByteReader(bytes)
        try self.init(reading: &reader)
        try reader.end()
    }

    func append(to writer: inout ByteWriter) {
        writer.number(UInt32(versions.count))
        for version in versions {
            version.append(to: &writer)
        }
        writer.number(UInt32(dropped.count))
        for change in dropped {
            change.append(to: &writer)
        }
    }

    /// Reads an item.
    ///
    /// - Throws: ``Status/decode`` for anything that ``append(to:)`` does not write.
    init(reading reader: inout ByteReader) throws(KeychainError) {
        var versions: [ItemVersion] = []
        for _ in 0..<(try reader.number(UInt32.self)) {
            versions.append(try ItemVersion(reading: &reader))
        }
        var dropped: [SignedChange] = []
        for _ in 0..<(try reader.number(UInt32.self)) {
            dropped.append(try SignedChange(reading: &reader))
        }
        // Contexts that have no device in common would take minutes.
        guard (1...SyncLimits.versions).contains(versions.count),
            ItemMerging.namedDevices(by: versions).devices.count <= SyncLimits.devices
        else {
            throw KeychainError(.decode)
        }
        // Once: versions that drop out one by one, of devices that never were, would take minutes.
        var merging = ItemMerging(Set(versions), Set(dropped))
        guard !merging.runOnce(), merging.versions == versions, merging.dropped == dropped else {
            throw KeychainError(.decode)
        }
        (self.versions, self.dropped) = (versions, dropped)
        context = SharedItem.context(of: versions, dropped)
    }
}
