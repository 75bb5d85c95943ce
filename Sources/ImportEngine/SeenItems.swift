internal import KeychainServices

/// The items of an import, to tell which of them repeat an earlier one. Most imports never ask.
struct SeenItems {
    /// Each item's identity, and a digest of its secret.
    private var items: [(identity: ItemIdentity, digest: Int)] = []
    /// The first item of each identity, of the items that were looked through.
    private var first: [ItemIdentity: Int] = [:]
    private var lookedThrough = 0

    /// Whether an item repeats another one.
    enum Repetition {
        case none
        /// It has the same identity.
        case identity
        /// It has the same secret, too.
        case whole
    }

    /// How many there are.
    var count: Int { items.count }

    /// Takes an item in.
    ///
    /// - Returns: Its number.
    mutating func append(_ item: NewItem) -> Int {
        items.append((item.identity, item.secretDigest))
        return items.count - 1
    }

    /// Whether an item repeats the first one of its identity.
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
