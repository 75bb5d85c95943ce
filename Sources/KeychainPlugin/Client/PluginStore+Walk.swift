public import KeychainServices
internal import StrictJSON

extension PluginStore {
    /// Hands the items that a query means to a closure, those added or changed last first. They are
    /// fetched in small groups, and not more than the query's limit unless the closure wants more.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if a secret is asked for that is locked; what the
    ///   closure throws, what the plugin answers, and what ``open(timeLimit:)`` throws.
    public func forEachMatch(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        guard let itemClass = query.itemClass, !query.contradictsItself else {
            return
        }
        var handedOver = 0
        var batch = try begin(query, count: query.count(after: 0))
        while true {
            for item in batch.items {
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
            batch = try goOn(walk, query, count: query.count(after: handedOver))
        }
    }

    private func begin(_ query: Query, count: Int) throws(KeychainError) -> PluginBatch {
        try request(.match) { writer throws(KeychainError) in
            try writer.member(query)
            try writer.member("returnSecret", query.returns.contains(.data))
            try writer.member("count", Int64(count))
        } result: { reader throws(KeychainError) in
            try PluginBatch(from: &reader, query, count: count)
        }
    }

    private func goOn(
        _ walk: Int64, _ query: Query, count: Int
    ) throws(KeychainError) -> PluginBatch {
        try request(.next) { writer throws(KeychainError) in
            try writer.member("walk", walk)
            try writer.member("count", Int64(count))
        } result: { reader throws(KeychainError) in
            try PluginBatch(from: &reader, query, count: count)
        }
    }

    /// Hands an item over, and ends the walk if no further one is wanted.
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

    /// The caller has what it wanted. The plugin is told so before the next request, which often never
    /// comes: who wants one item ends then.
    private func end(_ walk: Int64?) {
        if let walk {
            unendedWalks.append(walk)
        }
    }

    /// Tells the plugin which walks are over. If this fails, the next request says so.
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
    /// How many items to ask for next.
    fileprivate func count(after handedOver: Int) -> Int {
        let rest = limit - handedOver
        return rest > 0 ? min(rest, PluginProtocol.batchCount) : PluginProtocol.batchCount
    }
}
