extension Query {
    /// Throws if the query can't search.
    ///
    /// - Throws: ``Status/param`` without a class, with a reference to another class, a limit below
    ///   one or a match option that the class lacks; what ``ItemAttributes`` can't have.
    package func checkForCopyMatching() throws(KeychainError) {
        try check()
        if case .atMost(let count) = match.limit, count < 1 {
            throw KeychainError(.param, "a query can't be limited to \(count) items")
        }
        if match.isForCertificates, itemClass != .certificate, itemClass != .identity {
            throw KeychainError(.param, "only certificates and identities have such match options")
        }
    }

    /// Throws if the query can't update or delete.
    ///
    /// - Throws: What ``checkForCopyMatching()`` throws; ``Status/param`` for any match option and
    ///   for a persistent reference together with attributes.
    package func checkForChange() throws(KeychainError) {
        try check()
        if match != MatchOptions() {
            throw KeychainError(.param, "update and delete take no match options")
        }
        if persistentReference != nil, attributes != ItemAttributes() {
            throw KeychainError(
                .param, "a persistent reference can't be combined with attributes here")
        }
    }

    private func check() throws(KeychainError) {
        guard let itemClass else {
            throw KeychainError(.param, "the query names no class of items")
        }
        try attributes.check(for: itemClass)
        if attributes.synchronizable != nil {
            throw KeychainError(
                .param, "a query takes synchronizable on its own, not in its attributes")
        }
        guard reference?.itemClass ?? itemClass == itemClass,
            persistentReference?.reference.itemClass ?? itemClass == itemClass
        else {
            throw KeychainError(.param, "the reference is to an item of another class")
        }
    }

    /// The most items to return.
    public var limit: Int {
        switch match.limit ?? .one {
        case .one: 1
        case .all: Int.max
        case .atMost(let count): count
        }
    }

    /// The ids that an item must have, empty if any will do.
    public var ids: [ItemID] {
        switch (reference?.id, persistentReference?.reference.id) {
        case (nil, nil): []
        case (let one?, nil), (nil, let one?): [one]
        case (let one?, let other?): [one, other]
        }
    }

    /// Whether an item of this class with these attributes matches.
    public func matches(
        _ itemClass: ItemClass, _ candidate: ItemAttributes, id: ItemID
    ) -> Bool {
        guard itemClass == self.itemClass, ids.allSatisfy({ $0 == id }) else {
            return false
        }
        if let items, !items.contains(where: { $0.id == id && $0.itemClass == itemClass }) {
            return false
        }
        if let accessGroups, !accessGroups.contains(candidate.accessGroup ?? "") {
            return false
        }
        switch synchronizable {
        case .any: break
        case .synchronizable where candidate.synchronizable != true: return false
        case .notSynchronizable where candidate.synchronizable == true: return false
        default: break
        }
        return attributes.allMatch(candidate, match)
            && (!match.isForCertificates || match.matchesCertificate(candidate))
    }
}
