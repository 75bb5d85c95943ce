import KeychainServices

extension StoreConformance {
    @ConformanceCases static var synchronizableCases: [ConformanceCase] {
        for itemClass in passwordClasses {
            ConformanceCase("\(itemClass) synchronizable and not are different items") {
                keychain in
                try keychain.addThree(itemClass)
                try expectEqual(try keychain.items(itemClass).count, 2)
            }
            ConformanceCase("\(itemClass) copied by whether it is synchronizable") {
                keychain in
                try keychain.addThree(itemClass)
                for (match, wanted) in matches {
                    let query = Query.account("a", itemClass).with {
                        $0.synchronizable = match
                    }
                    try expectEqual(
                        Set(try keychain.items(query).map(\.secret)), wanted, "\(match)")
                }
            }
            ConformanceCase("\(itemClass) changed by whether it is synchronizable") {
                keychain in
                for (match, wanted) in matches {
                    try keychain.addThree(itemClass)
                    let query = Query(itemClass).with { $0.synchronizable = match }
                    try keychain.update(query, secret: Secret(bytes: [9]))
                    let left = Set(try keychain.items(itemClass).map(\.secret))
                    try expectEqual(left.subtracting([[9]]), both.subtracting(wanted))
                    try keychain.delete(query)
                    try expectEqual(
                        Set(try keychain.items(itemClass).map(\.secret)),
                        both.subtracting(wanted))
                    if wanted != both {
                        try keychain.delete(Query(itemClass).with { $0.synchronizable = .any })
                    }
                }
            }
            ConformanceCase("\(itemClass) made synchronizable and back") { keychain in
                try keychain.add(itemClass, .account("a"), secret: Secret(bytes: [0]))
                try keychain.update(
                    Query(itemClass), ItemAttributes { $0.synchronizable = true })
                try expectEqual(try keychain.count(Query(itemClass)), 0)
                let query = Query(itemClass).with { $0.synchronizable = .synchronizable }
                try expectEqual(try keychain.onlyItem(query).secret, [0])
                try keychain.update(query, ItemAttributes { $0.synchronizable = false })
                try expectEqual(try keychain.onlyItem(Query(itemClass)).secret, [0])
            }
        }
        ConformanceCase("a query with synchronizable among its attributes is refused") {
            keychain in
            try keychain.addAccounts("a")
            for value in [true, false] {
                let query = Query(
                    .genericPassword, ItemAttributes { $0.synchronizable = value })
                try expectStatus(.param) { _ = try keychain.copyMatching(query) }
                try keychain.expectRefusal(.param) {
                    try keychain.update(query, secret: Secret("s"))
                }
                try keychain.expectRefusal(.param) { try keychain.delete(query) }
            }
        }
    }

    private static let both: Set<[UInt8]> = [[0], [1]]
    private static let matches: [(SynchronizableMatch, wanted: Set<[UInt8]>)] = [
        (.notSynchronizable, [[0]]), (.synchronizable, [[1]]), (.any, both),
    ]
}

extension Keychain {
    /// Adds an item that is not synchronizable, the secret 0, one that is, the secret 1, and sees
    /// the first refused when it says so.
    fileprivate func addThree(_ itemClass: ItemClass) throws {
        var attributes = ItemAttributes.account("a")
        try add(itemClass, attributes, secret: Secret(bytes: [0]))
        attributes.synchronizable = true
        try add(itemClass, attributes, secret: Secret(bytes: [1]))
        attributes.synchronizable = false
        try expectRefusal(.duplicateItem) {
            try add(itemClass, attributes, secret: Secret(bytes: [2]))
        }
    }
}
