public import KeychainServices
internal import StrictJSON

extension PluginStore {
    /// Adds an item. Its dates become now if the plugin can't store others.
    ///
    /// - Throws: ``Status/duplicateItem`` if an item with its identity exists, what the plugin
    ///   answers, and what ``open(timeLimit:)`` throws.
    public func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret,
        context: AuthenticationContext?
    ) throws(KeychainError) -> ItemReference {
        try attributes.checkUnconditional()
        try open()
        let hasDates = keepsDates && attributes.hasDates
        let id = try request(.add) { writer throws(KeychainError) in
            try writer.member(class: itemClass)
            try writer.member("attributes", hasDates ? attributes : attributes.withoutDates)
            if hasDates {
                try writer.member("keepDates", true)
            }
            try writer.member(base64: "secret", secret)
        } result: { reader throws(KeychainError) in
            try reader.readAdded()
        }
        return ItemReference(itemClass: itemClass, id: id)
    }

    /// Changes every item that matches a query: all of them or none.
    ///
    /// - Throws: ``Status/duplicateItem`` if an item would take another one's identity, what the
    ///   plugin answers, and what ``open(timeLimit:)`` throws.
    public func update(
        _ query: Query, _ changes: ItemAttributes, secret: borrowing Secret?
    ) throws(KeychainError) -> Int {
        try changes.checkUnconditional()
        return try forEachPart(of: query) { query throws(KeychainError) in
            try updatePart(query, changes, secret: secret)
        }
    }

    private func updatePart(
        _ query: Query, _ changes: ItemAttributes, secret: borrowing Secret?
    ) throws(KeychainError) -> Int {
        try request(.update) { writer throws(KeychainError) in
            try writer.member(query)
            try writer.member("changes", changes)
            switch secret {
            case .some(let secret): try writer.member(base64: "secret", secret)
            case .none: break
            }
        } result: { reader throws(KeychainError) in
            try reader.readCount()
        }
    }

    /// Deletes every item that matches a query: all of them or none.
    ///
    /// - Throws: What the plugin answers, and what ``open(timeLimit:)`` throws.
    public func delete(_ query: Query) throws(KeychainError) -> Int {
        try forEachPart(of: query) { query throws(KeychainError) in
            try request(.delete) { writer throws(KeychainError) in
                try writer.member(query)
            } result: { reader throws(KeychainError) in
                try reader.readCount()
            }
        }
    }

    /// Changes what a query matches. A plugin that ignores the access groups or the list of items
    /// would change others too, and gets a query for each group and item. One that does not store the
    /// query's class has nothing to change.
    ///
    /// - Returns: The number of items changed.
    private func forEachPart(
        of query: Query, _ body: (Query) throws(KeychainError) -> Int
    ) throws(KeychainError) -> Int {
        guard !query.contradictsItself else {
            return 0
        }
        try open()
        var parts = [query]
        if let groups = query.accessGroups, !knowsAccessGroups {
            parts = query.parts(of: groups)
        }
        if query.items != nil, !knowsQueryOptions {
            parts = parts.flatMap { $0.partsOfItems }
        }
        do throws(KeychainError) {
            guard parts.count != 1 else {
                return try body(parts[0])
            }
            return try transaction { () throws(KeychainError) in
                var count = 0
                for part in parts {
                    count += try body(part)
                }
                return count
            }
        } catch  where error.status == .noSuchClass {
            return 0
        }
    }

    /// Runs a closure while no other process can change the keychain, and undoes its changes if it
    /// throws or the plugin ends. A plugin without transactions just runs it.
    ///
    /// - Throws: What the closure throws, what the plugin answers, and what ``open(timeLimit:)``
    ///   throws.
    public func transaction(_ body: () throws(KeychainError) -> Void) throws(KeychainError) {
        try open()
        guard hasTransactions else {
            return try body()
        }
        try request(.begin)
        do throws(KeychainError) {
            try body()
        } catch {
            rollBack()
            throw error
        }
        try request(.commit)
    }

    /// Undoes the transaction's changes; if the plugin can't, ending it does.
    private func rollBack() {
        do throws(KeychainError) {
            try request(.rollback)
        } catch {
            breakDown(.nonsense("it refused to undo changes: \(error.reason)"))
        }
    }
}

extension Query {
    /// Whether its references are to different items: then nothing can match.
    var contradictsItself: Bool { Set(ids).count > 1 }

    /// The query for items of any access group.
    var withoutAccessGroups: Query {
        var query = self
        query.accessGroups = nil
        return query
    }

    /// The query for at least the same items, in any order, without members that only some plugins
    /// know.
    var withoutOptions: Query {
        var query = self
        query.items = nil
        query.match.order = nil
        let texts = match.textOptions
        if texts.diacriticInsensitive == true || texts.widthInsensitive == true
            || !texts.hasWholeServers
        {
            query.match.diacriticInsensitive = nil
            query.match.widthInsensitive = nil
            query.match.textAnchor = nil
            query.attributes = attributes.filter {
                $0.attribute == .accessGroup
                    || $0.attribute.form != .text
                        && $0.attribute.form != .server
            }
        }
        return query
    }

    /// Returns a query for each access group.
    func parts(of groups: AccessGroups) -> [Query] {
        groups.list.map { group in
            var part = withoutAccessGroups
            part.attributes.accessGroup = group
            return part
        }
    }

    /// A query for each item in its list.
    var partsOfItems: [Query] {
        var parts: [Query] = []
        for item in items ?? []
        where item.itemClass == itemClass && ids.allSatisfy({ $0 == item.id }) {
            var part = self
            part.items = nil
            part.reference = item
            parts.append(part)
        }
        return parts
    }
}
