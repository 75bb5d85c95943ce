internal import KeychainServices

/// The items of an import, to find those that repeat an earlier one. Most imports never need it.
struct SeenItems {
    /// Each item's identity, and a digest of its secret.
    private var items: [(identity: ItemIdentity, digest: Int)] = []
    /// The first item of each identity, among the examined items.
    private var first: [ItemIdentity: Int] = [:]
    private var lookedThrough = 0

    /// How an item repeats another one.
    enum Repetition {
        case none
        /// The identity is the same.
        case identity
        /// The secret is the same, too.
        case whole
    }

    /// Adds an item.
    ///
    /// - Returns: Its number.
    mutating func append(_ item: NewItem) -> Int {
        items.append((item.identity, item.secretDigest))
        return items.count - 1
    }

    /// Returns how an item repeats the first one with its identity.
    mutating func repetition(ofItem number: Int) -> Repetition {
        while lookedThrough <= number {
            let identity = items[lookedThrough].identity
            if first[identity] == nil {
                first[identity] = lookedThrough
            }
            lookedThrough += 1
        }
        let item = items[number]
        guard let first = first[item.identity], first < number else {
            return .none
        }
        return items[first].digest == item.digest ? .whole : .identity
    }
}
