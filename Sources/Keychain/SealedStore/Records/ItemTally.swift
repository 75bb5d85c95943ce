package import KeychainServices

/// The numbers of items of each kind in a sealed keychain.
package struct ItemTally: Equatable, Sendable {
    /// An access group and its number of items.
    package struct Group: Equatable, Sendable {
        /// The group's name.
        package let name: ByteString
        /// The number of items in it, at least one.
        package let items: Int
    }

    /// The number of items according to the authenticated sum over all rows.
    package let items: Int
    /// The access groups, the largest first; groups of the same size are sorted by name.
    package let groups: [Group]
    /// The number of items whose group could not be determined, and which are in none of
    /// ``groups``.
    package let itemsOfOtherGroups: Int
    /// The number of items of each accessibility, at least one.
    package let accessibilities: [Accessibility: Int]
    /// Whether the keychain has a passphrase that opens it on any machine.
    package let isPortable: Bool
    /// Whether secrets readable after the first unlock can be read.
    package let isFirstUnlocked: Bool

    /// Returns the numbers without one item.
    package func without(itemOf group: ByteString, _ accessible: Accessibility) -> ItemTally {
        var accessibilities = accessibilities
        accessibilities[accessible] = (accessibilities[accessible] ?? 0) - 1
        let groups = groups.map { known in
            Group(name: known.name, items: known.items - (known.name == group ? 1 : 0))
        }
        return ItemTally(
            items: items - 1,
            groups: groups.filter { $0.items > 0 }, itemsOfOtherGroups: itemsOfOtherGroups,
            accessibilities: accessibilities.filter { $0.value > 0 }, isPortable: isPortable,
            isFirstUnlocked: isFirstUnlocked)
    }

    /// Returns the number of items with one of these accessibilities.
    package func items(_ accessibilities: Accessibility...) -> Int {
        accessibilities.reduce(0) { $0 + (self.accessibilities[$1] ?? 0) }
    }

    /// The number of items bound to this machine.
    package var itemsOfThisDevice: Int {
        accessibilities.reduce(0) { $0 + ($1.key.isThisDeviceOnly ? $1.value : 0) }
    }
}
