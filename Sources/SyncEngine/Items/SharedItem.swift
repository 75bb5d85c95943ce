internal import Cryptography
internal import Secrets

/// An item as the team has it: the versions that nothing replaces, and some older ones.
///
/// Merging is commutative, associative and idempotent: all devices get the same item from the same
/// changes, in any order.
package struct SharedItem: Hashable, Sendable {
    /// The versions: the winning one first, then the others, the latest first.
    package private(set) var versions: [ItemVersion]
    /// All changes of the item that went into it. Older versions that were dropped are in the contexts of
    /// those that replaced them, which are signed: no device can claim more.
    private(set) var context: VersionVector

    /// The most older versions that are kept.
    static let olderLimit = 10
    /// The most bytes of contents that older versions take.
    static let olderSizeLimit = 64 << 10

    /// Creates an item of one version.
    init(_ version: ItemVersion) {
        versions = [version]
        context = version.context
    }

    /// The version that everybody sees.
    package var winner: ItemVersion { versions[0] }

    /// The versions that were made at the same time as the winning one, and lost.
    package var conflicts: [ItemVersion] {
        versions.dropFirst().filter { version in !versions.contains { $0.replaces(version) } }
    }

    /// The highest Lamport time of the versions.
    var clock: UInt64 { versions.reduce(0) { max($0, $1.clock) } }

    /// The size of its contents in bytes.
    var size: Int { versions.reduce(0) { $0 + ($1.content?.count ?? 0) } }

    /// Takes over the versions of another state of the same item.
    mutating func merge(_ other: SharedItem) {
        guard self != other else {
            return
        }
        var all = Set(versions)
        all.formUnion(other.versions)
        versions = SharedItem.kept(all)
        context = SharedItem.context(of: versions)
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

    /// Returns the item without versions that do not count, nil if none is left.
    func filtered(_ counts: (ItemVersion) -> Bool) -> SharedItem? {
        guard !versions.allSatisfy(counts) else {
            return self
        }
        guard let first = versions.first(where: counts) else {
            return nil
        }
        var item = SharedItem(first)
        item.versions = SharedItem.kept(Set(versions.filter(counts)))
        item.context = SharedItem.context(of: item.versions)
        return item
    }

    private static func context(of versions: [ItemVersion]) -> VersionVector {
        // Mostly there is one version, which shares its memory.
        var context = versions.first?.context ?? VersionVector()
        for version in versions.dropFirst() {
            context.merge(version.context)
        }
        return context
    }

    /// Returns the versions to keep, in order: all that nothing replaces, and the latest of the others
    /// up to the limits. What a device dropped stays below the limits of every other device.
    private static func kept(_ all: Set<ItemVersion>) -> [ItemVersion] {
        var current: [ItemVersion] = []
        var older: [ItemVersion] = []
        // For each device its last version, and the last one that another device's version replaces: a record
        // may have very many versions before it is known whether they are signed.
        var last = VersionVector()
        var replaced = VersionVector()
        for version in all {
            last[version.device] = max(last[version.device], version.counter)
            var others = version.context
            others[version.device] = 0
            replaced.merge(others)
        }
        for version in all {
            if last[version.device] > version.counter
                || replaced[version.device] >= version.counter
            {
                older.append(version)
            } else {
                current.append(version)
            }
        }
        // A deletion only wins over versions that it knew.
        current.sort { left, right in
            left.isDeletion == right.isDeletion
                ? ItemVersion.isEarlier(right, left) : right.isDeletion
        }
        older.sort { ItemVersion.isEarlier($1, $0) }
        var size = 0
        let kept = older.prefix(olderLimit).prefix { version in
            size += version.content?.count ?? 0
            return size <= olderSizeLimit
        }
        return current + kept
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
    }

    /// Reads an item.
    ///
    /// - Throws: ``Status/decode`` for anything that ``append(to:)`` does not write.
    init(reading reader: inout ByteReader) throws(KeychainError) {
        versions = []
        for _ in 0..<(try reader.number(UInt32.self)) {
            versions.append(try ItemVersion(reading: &reader))
        }
        context = SharedItem.context(of: versions)
        guard !versions.isEmpty, versions == SharedItem.kept(Set(versions)) else {
            throw KeychainError(.decode)
        }
    }
}
