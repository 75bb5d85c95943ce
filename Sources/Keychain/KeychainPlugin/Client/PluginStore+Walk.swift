public import KeychainServices
internal import StrictJSON

extension PluginStore {
    /// Passes the items that match a query to a closure, by default most recently added or changed
    /// first. They are fetched in small groups, up to the query's limit unless the closure wants
    /// more.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if a requested secret is locked; what the closure
    ///   throws, what the plugin answers, and what ``open(timeLimit:)`` throws.
    public func forEachMatch(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        guard let itemClass = query.itemClass, !query.contradictsItself else {
            return
        }
        try open()
        guard knowsQueryOptions || query.match.order != .oldestFirst else {
            return try forEachMatchBackwards(query, body)
        }
        var asked = knowsAccessGroups ? query : query.withoutAccessGroups
        asked.match = asked.match.withoutCertificateOptions
        asked = knowsQueryOptions ? asked : asked.withoutOptions
        var handedOver = 0
        var batch = try begin(asked, count: query.count(after: 0))
        while true {
            for item in batch.items where item.isMeant(by: query) {
                handedOver += 1
                let goesOn = try goesOn(in: batch.walk) { () throws(KeychainError) in
                    try body(
                        MatchedItem(
                            ItemReference(itemClass: itemClass, id: item.id), item.attributes,
                            secret: item.takeSecret(), returns: query.returns))
                }
                guard goesOn else {
                    return
                }
            }
            guard let walk = batch.walk else {
                return
            }
            batch = try goOn(walk, asked, count: query.count(after: handedOver))
        }
    }

    /// Passes the items of a plugin that only knows the other order, after it has sent all of them.
    private func forEachMatchBackwards(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        var newestFirst = query
        newestFirst.match.order = nil
        newestFirst.match.limit = .all
        newestFirst.returns.formUnion([.attributes, .reference])
        var items: [PluginItem] = []
        try forEachMatch(newestFirst) { item throws(KeychainError) in
            items.append(PluginItem(item.reference!.id, item.attributes!, secret: item.secret))
            return .next
        }
        for item in items.reversed() {
            let matched = MatchedItem(
                ItemReference(itemClass: query.itemClass!, id: item.id), item.attributes,
                secret: item.takeSecret(), returns: query.returns)
            guard try body(matched) == .next else {
                return
            }
        }
    }

    /// A plugin that does not store the query's class has no items of it.
    private func begin(_ query: Query, count: Int) throws(KeychainError) -> PluginBatch {
        do throws(KeychainError) {
            return try request(.match, mayAsk: query.match.mayAsk) { writer throws(KeychainError) in
                try writer.member(query)
                try writer.member("returnSecret", query.returns.contains(.data))
                try writer.member("count", Int64(count))
            } result: { reader throws(KeychainError) in
                try PluginBatch(from: &reader, query, count: count)
            }
        } catch  where error.status == .noSuchClass {
            return PluginBatch([], walk: nil)
        }
    }

    private func goOn(
        _ walk: Int64, _ query: Query, count: Int
    ) throws(KeychainError) -> PluginBatch {
        try request(.next, mayAsk: query.match.mayAsk) { writer throws(KeychainError) in
            try writer.member("walk", walk)
            try writer.member("count", Int64(count))
        } result: { reader throws(KeychainError) in
            try PluginBatch(from: &reader, query, count: count)
        }
    }

    /// Passes an item on, and ends the walk if the caller wants no more.
    private func goesOn(
        in walk: Int64?, _ body: () throws(KeychainError) -> WalkControl
    ) throws(KeychainError) -> Bool {
        do throws(KeychainError) {
            if try body() == .next {
                return true
            }
        } catch {
            end(walk)
            throw error
        }
        end(walk)
        return false
    }

    /// Ends a walk early. The plugin hears of it with the next request, which often never comes,
    /// because a program that wants one item ends then.
    private func end(_ walk: Int64?) {
        if let walk {
            unendedWalks.append(walk)
        }
    }

    /// Tells the plugin which walks have ended. If this fails, the next request reports it.
    func endWalks() {
        let walks = unendedWalks
        unendedWalks = []
        for walk in walks {
            try? request(.end) { writer throws(KeychainError) in
                try writer.member("walk", walk)
            }
        }
    }
}

extension Query {
    /// Returns the number of items to request next.
    fileprivate func count(after handedOver: Int) -> Int {
        let rest = limit - handedOver
        return rest > 0 ? min(rest, PluginProtocol.batchCount) : PluginProtocol.batchCount
    }
}
