/// An identity to be found again among many: those that differ are told apart without a look at their
/// bytes, which lie each somewhere else in memory.
package struct KnownIdentity: Hashable {
    private let hash: Int
    private let identity: ItemIdentity

    /// An identity, with a number that is worth nothing in another process.
    package init(_ identity: ItemIdentity) {
        hash = identity.hashValue
        self.identity = identity
    }

    /// Whether both are the same identity.
    package static func == (left: KnownIdentity, right: KnownIdentity) -> Bool {
        left.hash == right.hash && left.identity == right.identity
    }

    /// Feeds the number to a hasher.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}
