internal import KeychainServices

/// Finds the items that a person may mean by a name.
struct ItemSearch {
    let name: ItemName
    let group: ByteString?
    /// Whether only items are meant that are synchronizable, or only those that are not; nil for both.
    var synchronizable: Bool?
    /// Whether items that say that there is no password are left out.
    var leavesOutNegative = false

    /// Hands the items to a closure: those that the name means first, then those that a list shows under
    /// the same name; of each, those added or changed last first.
    func forEach(
        in keychain: Keychain, returns: ReturnOptions,
        _ body: (borrowing MatchedItem, ItemAttributes) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        var isStopped = false
        for meaning in meanings where !isStopped {
            try forEach(meaning, in: keychain, returns: returns) {
                item, attributes throws(KeychainError) in
                let step = try body(item, attributes)
                isStopped = step == .stop
                return step
            }
        }
    }

    /// Hands the one item that is meant before all others to a closure: one that has just this name, and
    /// without such a one any that matches; of several, the one that was added or changed last.
    ///
    /// - Returns: Whether there is one.
    func first(
        in keychain: Keychain, returns: ReturnOptions,
        _ body: (borrowing MatchedItem, ItemAttributes) throws(KeychainError) -> Void
    ) throws(KeychainError) -> Bool {
        let meaning = meanings[0]
        var isFound = false
        // The usual case takes one look.
        if meaning.isExact {
            try forEach(meaning, in: keychain, returns: returns) {
                item, attributes throws(KeychainError) in
                isFound = true
                try body(item, attributes)
                return .stop
            }
        }
        if !isFound, let reference = try best(in: keychain) {
            let query = Query(reference, returns: returns.union(.attributes))
            try keychain.forEachMatch(query) { item throws(KeychainError) in
                isFound = true
                try body(item, item.attributes ?? ItemAttributes())
                return .stop
            }
        }
        return isFound
    }

    /// The item that is meant before all others, whose secret is not touched.
    private func best(in keychain: Keychain) throws(KeychainError) -> ItemReference? {
        var best: ItemReference?
        try forEach(in: keychain, returns: .reference) { item, attributes in
            guard isExact(item.itemClass, attributes) else {
                best = best ?? item.reference
                return .next
            }
            best = item.reference
            return .stop
        }
        return best
    }

    /// Whether an item that matches has just this name, and not only a path where the name has none.
    func isExact(_ itemClass: ItemClass, _ attributes: ItemAttributes) -> Bool {
        let wanted = itemClass == name.itemClass ? name.attributes : name.otherAttributes
        return (attributes.path ?? "").trimmingSlashes == wanted?.path ?? ""
    }

    /// One of the two things that a name can stand for.
    private struct Meaning {
        let itemClass: ItemClass
        let attributes: ItemAttributes
        /// Whether all items that match have just this name.
        var isExact: Bool { itemClass == .genericPassword || attributes.path?.isEmpty == false }
    }

    private var meanings: [Meaning] {
        let own = Meaning(itemClass: name.itemClass, attributes: name.attributes)
        let other = name.otherAttributes.map {
            Meaning(itemClass: name.otherClass, attributes: $0)
        }
        return [own] + [other].compactMap(\.self)
    }

    private func forEach(
        _ meaning: Meaning, in keychain: Keychain, returns: ReturnOptions,
        _ body: (borrowing MatchedItem, ItemAttributes) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        var attributes = ItemAttributes()
        attributes.accessGroup = group
        attributes.account = meaning.attributes.account
        attributes.service = meaning.attributes.service
        attributes.server = meaning.attributes.server
        attributes.port = meaning.attributes.port
        attributes.isNegative = leavesOutNegative ? false : nil
        var query = Query(
            meaning.itemClass, attributes, returns: returns.union([.attributes, .reference]))
        query.synchronizable =
            synchronizable.map { $0 ? .synchronizable : .notSynchronizable } ?? .any
        query.match.limit = .all
        guard meaning.itemClass == .internetPassword else {
            return try keychain.forEachMatch(query) { item throws(KeychainError) in
                try hand(item, meantBy: meaning, to: body)
            }
        }
        // A server's letter case means nothing, but only a keychain of its own kind can search without it.
        // So the usual one comes first; an account's case is compared below.
        var handed: Set<ItemReference> = []
        var isStopped = false
        for ignoresCase in [false, true] where !isStopped {
            query.match.caseInsensitive = ignoresCase
            try keychain.forEachMatch(query) { item throws(KeychainError) in
                guard let reference = item.reference, handed.insert(reference).inserted else {
                    return .next
                }
                let step = try hand(item, meantBy: meaning, to: body)
                isStopped = step == .stop
                return step
            }
        }
    }

    private func hand(
        _ item: borrowing MatchedItem, meantBy meaning: Meaning,
        to body: (borrowing MatchedItem, ItemAttributes) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) -> WalkControl {
        guard let attributes = item.attributes, isMeant(attributes, by: meaning) else {
            return .next
        }
        return try body(item, attributes)
    }

    private func isMeant(_ attributes: ItemAttributes, by meaning: Meaning) -> Bool {
        guard meaning.itemClass == .internetPassword else {
            return true
        }
        let wanted = meaning.attributes
        let scheme = attributes.protocol?.shownScheme?.lowercasedASCII
        return (wanted.account == nil || wanted.account == attributes.account ?? "")
            && (group == nil || group == attributes.accessGroup)
            // docker's logins have no scheme where docker gives none.
            && (scheme == nil || scheme == wanted.protocol?.shownScheme)
            && isMeant(path: attributes.path ?? "", wanted: wanted.path ?? "")
    }

    /// A name without a path means every path; docker's paths have slashes around them, git's don't.
    private func isMeant(path: ByteString, wanted: ByteString) -> Bool {
        wanted.isEmpty || path.trimmingSlashes == wanted
    }
}
