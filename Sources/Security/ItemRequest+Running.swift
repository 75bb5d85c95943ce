internal import KeychainServices
internal import KeychainServicesFoundation
internal import SecurityFunctions

extension ItemRequest {
    /// Adds the item.
    ///
    /// - Returns: What the request asks for, nil if that is nothing.
    func add() throws(KeychainError) -> AnyObject? {
        let itemClass = try storedClass()
        guard match == MatchOptions(), persistentReference == nil else {
            throw KeychainError(.param, "a new item takes no match options and no reference")
        }
        let name = keychain
        let added = try withKeychain(name) { keychain throws(KeychainError) in
            let secret = Secret(data ?? Data())
            let wanted = returns.subtracting(.data)
            guard
                let item = try keychain.add(
                    itemClass, attributes, secret: secret, returns: wanted, context: context)
            else {
                return returns.contains(.data) ? ResultParts(data: data ?? Data()) : nil
            }
            var parts = ResultParts(item, keychain: name)
            parts.data = returns.contains(.data) ? data ?? Data() : nil
            return parts
        }
        return added?.object(returns)
    }

    /// Finds items.
    ///
    /// - Returns: What the request asks for, nil if that is nothing.
    func copyMatching() throws(KeychainError) -> AnyObject? {
        guard try selectsStoredItems() else {
            throw KeychainError(.itemNotFound)
        }
        let query = query
        try query.checkForCopyMatching()
        var found: [ResultParts] = []
        for name in keychains where found.count < query.limit {
            found += try withKeychain(name) { keychain throws(KeychainError) in
                try matches(query, in: keychain, name, limit: query.limit - found.count)
            }
        }
        guard let first = found.first else {
            throw KeychainError(.itemNotFound)
        }
        guard !returns.isEmpty else {
            return nil
        }
        guard query.limit != 1 || match.limit ?? .one != .one else {
            return first.object(returns)
        }
        return NSArray(array: found.map { $0.object(returns) })
    }

    private func matches(
        _ query: Query, in keychain: Keychain, _ name: String?, limit: Int
    ) throws(KeychainError) -> [ResultParts] {
        if returns.isEmpty {
            var query = query
            query.match.limit = .one
            return try keychain.firstMatch(of: query) == nil ? [] : [ResultParts()]
        }
        if limit == Int.max {
            return try allMatches(query, in: keychain, name)
        }
        var found: [ResultParts] = []
        for reference in try keychain.references(matching: query, limit: limit) {
            var query = query
            query.reference = reference
            query.match.limit = .one
            if let item = try keychain.firstMatch(of: query) {
                found.append(ResultParts(item, keychain: name))
            }
        }
        return found.filter(isWanted)
    }

    private func allMatches(
        _ query: Query, in keychain: Keychain, _ name: String?
    ) throws(KeychainError) -> [ResultParts] {
        var query = query
        query.returns.formUnion(.attributes)
        var found: [ResultParts] = []
        try keychain.forEachMatch(query) { item throws(KeychainError) in
            found.append(ResultParts(item, keychain: name))
            return .next
        }
        return oldestFirst(found.filter(isWanted), \.attributes?.creationDate)
    }

    /// Whether a result is complete: a locked secret may be left out.
    private func isWanted(_ parts: ResultParts) -> Bool {
        !returns.contains(.data) || parts.data != nil
    }

    /// Changes the matching items.
    func update(_ changes: ItemRequest) throws(KeychainError) {
        guard changes.match == MatchOptions(), changes.returns.isEmpty, changes.item == nil,
            changes.persistentReference == nil, changes.itemClass ?? itemClass == itemClass
        else {
            throw KeychainError(.param, "an update sets attributes and the value alone")
        }
        guard returns.isEmpty else {
            throw KeychainError(.param, "an update returns nothing")
        }
        guard try selectsStoredItems() else {
            throw KeychainError(.itemNotFound)
        }
        try changes.checkHasNoForeignAttribute()
        try changeEach { keychain, query throws(KeychainError) in
            if let data = changes.data {
                try keychain.update(query, changes.attributes, secret: Secret(data))
            } else {
                try keychain.update(query, changes.attributes)
            }
        }
    }

    /// Deletes the matching items.
    func delete() throws(KeychainError) {
        guard try selectsStoredItems() else {
            throw KeychainError(.itemNotFound)
        }
        try changeEach { keychain, query throws(KeychainError) in try keychain.delete(query) }
    }

    /// Runs a change in each keychain of the request.
    private func changeEach(
        _ body: (Keychain, Query) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        var query = query
        // The default of file keychains on a Mac.
        if query.match.limit == .all {
            query.match.limit = nil
        }
        query.returns = []
        var hasChanged = false
        for name in keychains {
            do throws(KeychainError) {
                try withKeychain(name) { keychain throws(KeychainError) in
                    try body(keychain, query)
                }
                hasChanged = true
            } catch {
                guard error.status == .itemNotFound else {
                    throw error
                }
            }
        }
        guard hasChanged else {
            throw KeychainError(.itemNotFound)
        }
    }

    private func withKeychain<Result>(
        _ name: String?, _ body: (Keychain) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try ProgramKeychains.withKeychain(name, mayAsk: authentication == .allow, body)
    }

    private var query: Query {
        let stored = itemClass ?? item?.reference.itemClass
        var query = Query(
            stored ?? persistentReference?.reference.itemClass, attributes, returns: returns)
        query.synchronizable = synchronizable
        query.match = match
        query.context = context
        if purpose == .search {
            query.match.prompt = prompt
        }
        query.reference = item?.reference
        query.items = items?.map(\.reference)
        query.persistentReference = persistentReference
        if item != nil || persistentReference != nil {
            query.synchronizable = .any
        }
        if authentication == .skip, query.returns.remove(.data) != nil {
            query.returns.insert(.readableData)
        }
        return query
    }

    /// Returns the class of a new item.
    private func storedClass() throws(KeychainError) -> ItemClass {
        guard let itemClass else {
            throw KeychainError(.param, "the item has no class")
        }
        guard itemClass.isStored else {
            throw KeychainError(.unimplemented, "certificates and keys can't be stored yet")
        }
        try checkHasNoForeignAttribute()
        return itemClass
    }

    /// Whether the request is about passwords; there are no other items.
    private func selectsStoredItems() throws(KeychainError) -> Bool {
        guard itemClass?.isStored ?? true else {
            return false
        }
        try checkHasNoForeignAttribute()
        return true
    }

    private func checkHasNoForeignAttribute() throws(KeychainError) {
        if let foreignAttribute {
            throw KeychainError(
                .noSuchAttribute, "passwords have no attribute '\(foreignAttribute)'")
        }
    }
}
