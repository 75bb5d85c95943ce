package import KeychainServices

/// How many items a sealed keychain has of each kind.
package struct ItemTally: Equatable, Sendable {
    /// An access group, and how many items are in it.
    package struct Group: Equatable, Sendable {
        /// The group's name.
        package let name: ByteString
        /// How many items are in it, at least one.
        package let items: Int
    }

    /// How many items there are, as the authenticated sum over all rows says.
    package let items: Int
    /// The access groups, the largest first, and of those as large the one whose name comes first.
    package let groups: [Group]
    /// How many items are in none of ``groups``, as their group could not be told.
    package let itemsOfOtherGroups: Int
    /// How many items there are of each accessibility, at least one.
    package let accessibilities: [Accessibility: Int]
    /// Whether the keychain has a passphrase, and that opens it on any machine.
    package let isPortable: Bool
    /// Whether secrets can be read that the first unlock opens.
    package let isFirstUnlocked: Bool

    /// How many items have one of these accessibilities.
    package func items(_ accessibilities: Accessibility...) -> Int {
        accessibilities.reduce(0) { $0 + (self.accessibilities[$1] ?? 0) }
    }

    /// How many items can be read on this machine only.
    package var itemsOfThisDevice: Int {
        accessibilities.reduce(0) { $0 + ($1.key.isThisDeviceOnly ? $1.value : 0) }
    }
}
