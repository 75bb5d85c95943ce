internal import Keychain

/// Finds the items that a person may mean by a name.
struct ItemSearch {
    let name: ItemName
    let group: ByteString?

    /// What to say when there is none.
    ///
    /// - Parameter what: The name as it was given.
    static func nothing(_ what: String) -> KeychainError {
        KeychainError(.itemNotFound, "there is no item '\(what)'", hint: "see lanyard list")
    }

    /// Hands the items to a closure, those added or changed last first.
    func forEach(
        in keychain: Keychain, returns: ReturnOptions,
        _ body: (borrowing MatchedItem, ItemAttributes) throws(KeychainError) -> Step
    ) throws(KeychainError) {
        var attributes = ItemAttributes()
        attributes.accessGroup = group
        attributes.account = name.attributes.account
        attributes.service = name.attributes.service
        attributes.server = name.attributes.server
        attributes.port = name.attributes.port
        var query = Query(name.itemClass, attributes, returns: returns.union(.attributes))
        query.synchronizable = .any
        query.match.limit = .all
        if name.itemClass == .internetPassword {
            // A server's letter case means nothing; an account's does, and is compared below.
            query.match.caseInsensitive = true
        }
        try keychain.forEachMatch(query) { item throws(KeychainError) in
            guard let attributes = item.attributes, isMeant(attributes) else {
                return .next
            }
            return try body(item, attributes)
        }
    }

    private func isMeant(_ attributes: ItemAttributes) -> Bool {
        guard name.itemClass == .internetPassword else {
            return true
        }
        let wanted = name.attributes
        return (wanted.account == nil || wanted.account == attributes.account ?? "")
            && (group == nil || group == attributes.accessGroup)
            // docker's logins have no scheme where docker gives none.
            && (attributes.protocol == nil
                || attributes.protocol?.shownScheme == wanted.protocol?.shownScheme)
            && isMeant(path: attributes.path ?? "")
    }

    /// A URL without a path means every path; docker's paths have slashes around them, git's don't.
    private func isMeant(path: ByteString) -> Bool {
        guard let wanted = name.attributes.path, !wanted.isEmpty else {
            return true
        }
        return path.trimmingSlashes == wanted
    }
}
