extension Query {
    /// Throws if nothing can be asked with this query.
    ///
    /// - Throws: ``Status/param`` without a class, with a reference to another class, a limit below
    ///   one or a match option that passwords don't have; what ``ItemAttributes`` can't have.
    package func checkForCopyMatching() throws(KeychainError) {
        try check()
        if case .atMost(let count) = match.limit, count < 1 {
            throw KeychainError(.param, "a query can't be limited to \(count) items")
        }
        if match.subjectContains != nil {
            throw KeychainError(.param, "passwords have no subject to match")
        }
    }

    /// Throws if nothing can be updated or deleted with this query.
    ///
    /// - Throws: What ``checkForCopyMatching()`` does; ``Status/param`` for any match option and
    ///   for a persistent reference with attributes beside it.
    package func checkForChange() throws(KeychainError) {
        try check()
        if match != MatchOptions() {
            throw KeychainError(.param, "update and delete take no match options")
        }
        if persistentReference != nil, attributes != ItemAttributes() {
            throw KeychainError(
                .param, "a persistent reference can't stand beside attributes here")
        }
    }

    private func check() throws(KeychainError) {
        guard let itemClass else {
            throw KeychainError(.param, "the query names no class of items")
        }
        try attributes.check(for: itemClass)
        if attributes.synchronizable != nil {
            throw KeychainError(
                .param, "a query takes synchronizable outside its attributes")
        }
        guard reference?.itemClass ?? itemClass == itemClass,
            persistentReference?.reference.itemClass ?? itemClass == itemClass
        else {
            throw KeychainError(.param, "the reference is to an item of another class")
        }
    }

    /// How many items to return at most.
    public var limit: Int {
        switch match.limit ?? .one {
        case .one: 1
        case .all: Int.max
        case .atMost(let count): count
        }
    }

    /// The ids that an item must have, none if any will do.
    public var ids: [ItemID] {
        switch (reference?.id, persistentReference?.reference.id) {
        case (nil, nil): []
        case (let one?, nil), (nil, let one?): [one]
        case (let one?, let other?): [one, other]
        }
    }

    /// Whether an item of this class with these attributes is meant.
    public func matches(
        _ itemClass: ItemClass, _ candidate: ItemAttributes, id: ItemID
    ) -> Bool {
        guard itemClass == self.itemClass, ids.allSatisfy({ $0 == id }) else {
            return false
        }
        switch synchronizable {
        case .any: break
        case .synchronizable where candidate.synchronizable != true: return false
        case .notSynchronizable where candidate.synchronizable == true: return false
        default: break
        }
        return attributes.allEqual(in: candidate, ignoringCase: match.caseInsensitive == true)
    }
}

extension ItemAttributes {
    /// Whether each attribute that is present here has the same value there. Identity parts that
    /// are absent there count as empty or 0, the two marks as no. Letter case is set aside, if at
    /// all, in texts; ``generic`` is data and the protocol is a code.
    func allEqual(in other: ItemAttributes, ignoringCase: Bool) -> Bool {
        // What is not asked for is not even looked at.
        func sameText(_ wanted: ByteString?, _ found: @autoclosure () -> ByteString?) -> Bool {
            guard let wanted else {
                return true
            }
            guard ignoringCase, let found = found() else {
                return wanted == found()
            }
            return wanted.isEqualIgnoringCase(found)
        }
        func sameServer(_ wanted: ByteString?, _ found: @autoclosure () -> ByteString) -> Bool {
            guard ignoringCase, let wanted else {
                return same(wanted, found())
            }
            return wanted.lowercasedASCII == found().lowercasedASCII
        }
        func samePart(_ wanted: ByteString?, _ found: @autoclosure () -> ByteString?) -> Bool {
            sameText(wanted, found() ?? "")
        }
        func same<Value: Equatable>(
            _ wanted: Value?, _ found: @autoclosure () -> Value?
        ) -> Bool {
            wanted == nil || wanted == found()
        }
        return samePart(accessGroup, other.accessGroup)
            && sameServer(server, other.server ?? "")
            && samePart(account, other.account)
            && samePart(path, other.path)
            && same(port, other.port ?? 0)
            && same(`protocol`?.rawValue, other.protocol?.rawValue ?? "")
            && samePart(service, other.service)
            && same(generic, other.generic)
            && samePart(securityDomain, other.securityDomain)
            && same(
                authenticationType?.rawValue.rawValue,
                other.authenticationType?.rawValue.rawValue ?? 0)
            && same(accessible, other.accessible)
            && same(accessControl, other.accessControl)
            && same(creationDate, other.creationDate)
            && same(modificationDate, other.modificationDate)
            && sameText(label, other.label)
            && sameText(itemDescription, other.itemDescription)
            && sameText(comment, other.comment)
            && same(creator, other.creator)
            && same(type, other.type)
            && same(isInvisible, other.isInvisible ?? false)
            && same(isNegative, other.isNegative ?? false)
    }
}
