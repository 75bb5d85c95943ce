internal import LanyardCertificates
internal import KeychainServices
internal import KeychainServicesFoundation
internal import SecurityFunctions

extension ItemRequest {
    /// Finds items.
    ///
    /// - Returns: What the request asks for, nil if that is nothing.
    func copyMatching() throws(KeychainError) -> AnyObject? {
        guard selectedClass?.isKnownToLanyard ?? true else {
            throw KeychainError(.itemNotFound)
        }
        let request = try locatingItems()
        let query = request.query
        try query.checkForCopyMatching()
        guard policy == nil || query.itemClass == .certificate || query.itemClass == .identity
        else {
            throw KeychainError(.param, "only certificates and identities fit a policy")
        }
        var found: [ResultParts] = []
        for name in request.keychains where found.count < query.limit {
            found += try withKeychain(name) { keychain throws(KeychainError) in
                try request.matches(query, in: keychain, name, limit: query.limit - found.count)
            }
        }
        guard let first = found.first else {
            throw KeychainError(.itemNotFound)
        }
        guard !returns.isEmpty else {
            return nil
        }
        guard query.limit != 1 || match.limit ?? .one != .one else {
            return try first.object(returns)
        }
        let objects = try found.map { parts throws(KeychainError) in try parts.object(returns) }
        return NSArray(array: objects)
    }

    private func matches(
        _ query: Query, in keychain: Keychain, _ name: String?, limit: Int
    ) throws(KeychainError) -> [ResultParts] {
        if returns.isEmpty, policy == nil {
            var query = query
            query.match.limit = .one
            return try keychain.firstMatch(of: query) == nil ? [] : [ResultParts()]
        }
        // What is skipped or does not fit doesn't count.
        if limit == Int.max || policy != nil || authentication == .skip {
            return Array(try allMatches(query, in: keychain, name).prefix(limit))
        }
        var found: [ResultParts] = []
        for reference in try keychain.references(matching: query, limit: limit) {
            var query = query
            query.reference = reference
            query.match.limit = .one
            if let item = try keychain.firstMatch(of: query) {
                found.append(try ResultParts(item, name, access))
            }
        }
        return found.filter(isWanted)
    }

    private func allMatches(
        _ query: Query, in keychain: Keychain, _ name: String?
    ) throws(KeychainError) -> [ResultParts] {
        var query = query
        query.returns.formUnion([.attributes, .persistentReference])
        query.match.limit = .all
        var found: [(parts: ResultParts, keychain: String?)] = []
        try keychain.forEachMatch(query) { item throws(KeychainError) in
            let parts = try ResultParts(item, name, access)
            if isWanted(parts) {
                let reference = parts.persistentReference?.reference
                found.append((parts, reference.flatMap { keychain.keychainName(of: $0) }))
            }
            return .next
        }
        return oldestFirst(found, \.parts.attributes?.creationDate, \.keychain).map(\.parts)
    }

    /// Whether a result is complete: a locked secret may be left out. A certificate must fit the policy.
    private func isWanted(_ parts: ResultParts) -> Bool {
        guard let policy else {
            return !returns.contains(.data) || parts.data != nil
        }
        let der = parts.data ?? Data()
        guard let certificate = try? Certificate(der: der.span) else {
            return false
        }
        return policy.fits(certificate, on: match.validOnDate)
    }

    /// Changes the matching items.
    func update(_ changes: ItemRequest) throws(KeychainError) {
        guard changes.match == MatchOptions(), changes.returns.isEmpty, changes.object == nil,
            changes.persistentReference == nil, changes.policy == nil,
            changes.itemClass ?? selectedClass == selectedClass
        else {
            throw KeychainError(.param, "an update sets attributes and the value alone")
        }
        guard returns.isEmpty else {
            throw KeychainError(.param, "an update returns nothing")
        }
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
        try changeEach { keychain, query throws(KeychainError) in try keychain.delete(query) }
    }

    /// Runs a change in each keychain of the request.
    private func changeEach(
        _ body: (Keychain, Query) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        guard selectedClass?.isKnownToLanyard ?? true else {
            throw KeychainError(.itemNotFound)
        }
        guard policy == nil else {
            throw KeychainError(.param, "update and delete take no match options")
        }
        let request = try locatingItems()
        var query = request.query
        // The default of file keychains on a Mac.
        if query.match.limit == .all {
            query.match.limit = nil
        }
        query.returns = []
        let wanted = query
        var hasChanged = false
        for name in request.keychains {
            try KeychainError.ignoring(.itemNotFound) { () throws(KeychainError) in
                try withKeychain(name) { keychain throws(KeychainError) in
                    try body(keychain, wanted)
                }
                hasChanged = true
            }
        }
        guard hasChanged else {
            throw KeychainError(.itemNotFound)
        }
    }

    /// Runs a closure on a keychain that reads certificates and keys.
    func withKeychain<Result>(
        _ name: String?, _ body: (Keychain) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try ProgramKeychains.withKeychain(name, mayAsk: authentication == .allow) {
            keychain throws(KeychainError) in
            try body(keychain.using(CertificateDecoder()))
        }
    }

    /// What uses of the keys have that the request finds.
    var access: KeyAccess {
        KeyAccess(context: context, mayAsk: authentication == .allow, prompt: prompt)
    }

    /// Returns the request with the items of the list as they are in the keychains.
    private func locatingItems() throws(KeychainError) -> ItemRequest {
        guard let items, items.contains(where: { $0.item == nil }) else {
            return self
        }
        var request = self
        request.itemClass = selectedClass
        request.items = []
        for object in items {
            guard object.item == nil else {
                request.items?.append(object)
                continue
            }
            var query = Query(object.itemClass, object.contentAttributes, returns: .reference)
            query.synchronizable = .any
            query.match.limit = .all
            let wanted = query
            for name in searchList ?? [keychain] {
                let found = try withKeychain(name) { keychain throws(KeychainError) in
                    try keychain.references(matching: wanted, limit: Int.max)
                }
                request.items? += found.map { .stored(SecKeychainItem($0, keychain: name)) }
            }
        }
        return request
    }

    private var query: Query {
        let object = object
        let itemClass = selectedClass
        var query = Query(itemClass, attributes, returns: returns.forObjects(of: itemClass))
        if policy != nil {
            query.returns.insert(.data)
        }
        query.synchronizable = synchronizable
        query.match = match
        query.context = context
        if purpose == .search {
            query.match.prompt = prompt
        }
        if let object, object.item == nil {
            query.attributes = attributes.merging(object.contentAttributes)
        }
        // A certificate is always readable, whatever it was added with.
        if itemClass == .certificate || itemClass == .identity {
            query.attributes.accessible = query.attributes.accessible?.readableWhileLocked
        }
        query.reference = object?.item?.reference
        query.items = items?.compactMap(\.item?.reference)
        query.persistentReference = persistentReference
        if object != nil || persistentReference != nil {
            query.synchronizable = .any
        }
        // A certificate can always be read.
        if authentication == .skip, itemClass != .certificate, itemClass != .identity,
            query.returns.remove(.data) != nil
        {
            query.returns.insert(.readableData)
        }
        return query
    }
}
