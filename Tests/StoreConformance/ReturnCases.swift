import KeychainServices

extension StoreConformance {
    @ConformanceCases static var returnCases: [ConformanceCase] {
        for itemClass in passwordClasses {
            for returns in (1...15).map({ ReturnOptions(rawValue: $0) }) {
                ConformanceCase("\(itemClass) copied with returns \(returns.rawValue)") {
                    keychain in
                    try keychain.add(itemClass, .account("a"), secret: Secret("secret"))
                    let known = try keychain.onlyItem(Query(itemClass))
                    let query = Query.account("a", itemClass, returns: returns)
                    switch try keychain.copyMatching(query) {
                    case .item(let item): try item.expectIs(known, returns)
                    default: try expect(false, "no item was returned")
                    }
                    switch try keychain.copyMatching(query.with { $0.match.limit = .all }) {
                    case .items(let items): try items[0].expectIs(known, returns)
                    default: try expect(false, "no items were returned")
                    }
                }
                ConformanceCase("\(itemClass) added with returns \(returns.rawValue)") {
                    keychain in
                    let added = try keychain.add(
                        itemClass, .account("a"), secret: Secret("secret"), returns: returns)
                    let known = try keychain.onlyItem(Query(itemClass))
                    switch consume added {
                    case .some(let added):
                        // The caller has the secret.
                        try added.expectIs(known, returns.subtracting(.data))
                    case .none:
                        try expectEqual(returns, .data, "nothing was returned")
                    }
                }
            }
        }
        ConformanceCase("an item that is added is returned, not an older one") { keychain in
            try keychain.addAccounts("a")
            let attributes = ItemAttributes.account("b")
            let added = try required(
                keychain.add(
                    .genericPassword, attributes, secret: Secret("s"),
                    returns: [.attributes, .reference]))
            try expectEqual(added.attributes?.account, "b")
            try expectEqual(added.reference, try keychain.onlyItem(.account("b")).reference)
        }
        ConformanceCase("a synchronizable item that is added is returned") { keychain in
            let attributes = ItemAttributes { $0.synchronizable = true }
            let added = try required(
                keychain.add(
                    .genericPassword, attributes, secret: Secret("s"), returns: .attributes))
            try expectEqual(added.attributes?.synchronizable, true)
        }
    }
}

/// The item that a call has to return.
private func required(_ item: consuming MatchedItem?) throws -> MatchedItem {
    guard let item else {
        throw ConformanceFailure("no item was returned", #fileID, #line)
    }
    return item
}

extension MatchedItem {
    /// Throws unless this has of an item what was asked for and nothing else.
    fileprivate borrowing func expectIs(_ item: Item, _ returns: ReturnOptions) throws {
        let reference = item.reference
        try expectEqual(itemClass, reference.itemClass)
        try expectEqual(
            attributes, returns.contains(.attributes) ? item.attributes : nil)
        try expectEqual(
            secretBytes, returns.contains(.data) ? item.secret : nil)
        try expectEqual(
            self.reference, returns.contains(.reference) ? reference : nil)
        try expectEqual(
            persistentReference,
            returns.contains(.persistentReference) ? reference.persistentReference : nil)
    }
}
