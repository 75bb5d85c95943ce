internal import Cryptography
internal import Secrets

/// An item as the team has it: the versions that nothing replaces, and some older ones.
///
/// Merging is commutative, associative and idempotent: all devices get the same item from the same
/// changes, in any order.
package struct SharedItem: Hashable, Sendable {
    /// The versions: the winning one first, then the others, the latest first.
    package private(set) var versions: [ItemVersion]
    /// All changes of the item that went into it.
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

    /// Takes over the versions of another state of the same item.
    mutating func merge(_ other: SharedItem) {
        guard self != other else {
            return
        }
        var all = Set(versions)
        all.formUnion(other.versions)
        context.merge(other.context)
        versions = SharedItem.kept(all)
    }

    /// Adds a version.
    mutating func add(_ version: ItemVersion) {
        merge(SharedItem(version))
    }

    /// Returns the versions to keep, in order: all that nothing replaces, and the latest of the others
    /// up to the limits. What a device dropped stays below the limits of every other device.
    private static func kept(_ all: Set<ItemVersion>) -> [ItemVersion] {
        var current: [ItemVersion] = []
        var older: [ItemVersion] = []
        for version in all {
            if all.contains(where: { $0.replaces(version) }) {
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

    func append(to writer: inout ByteWriter) {
        context.append(to: &writer)
        writer.number(UInt32(versions.count))
        for version in versions {
            version.append(to: &writer)
        }
    }

    /// Reads an item.
    ///
    /// - Throws: ``Status/decode`` for anything that ``append(to:)`` does not write.
    init(reading reader: inout ByteReader) throws(KeychainError) {
        context = try VersionVector(reading: &reader)
        var all: Set<ItemVersion> = []
        versions = []
        for _ in 0..<(try reader.number(UInt32.self)) {
            let version = try ItemVersion(reading: &reader)
            versions.append(version)
            all.insert(version)
            for device in version.context.devices where context[device] < version.context[device] {
                throw KeychainError(.decode)
            }
        }
        guard !versions.isEmpty, versions == SharedItem.kept(all) else {
            throw KeychainError(.decode)
        }
    }
}
