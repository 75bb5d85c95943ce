import KeychainServices

extension StoreConformance {
    @ConformanceCases static var copyCases: [ConformanceCase] {
        for returns in [ReturnOptions(), .data, [.data, .attributes]] {
            for limit in [MatchLimit?.none, .one, .all, .atMost(3)] {
                ConformanceCase(
                    "nothing matches: limit \(limit, default: "default"), returns \(returns.rawValue)"
                ) { keychain in
                    try keychain.addAccounts("a")
                    var query = Query.account("b", returns: returns)
                    query.match.limit = limit
                    try expectStatus(.itemNotFound) { _ = try keychain.copyMatching(query) }
                }
            }
        }
        ConformanceCase("an empty keychain has nothing") { keychain in
            for itemClass in passwordClasses {
                try expectStatus(.itemNotFound) {
                    _ = try keychain.copyMatching(Query(itemClass))
                }
                try expectStatus(.itemNotFound) {
                    try keychain.update(Query(itemClass), .account("a"))
                }
                try expectStatus(.itemNotFound) { try keychain.delete(Query(itemClass)) }
            }
        }
        ConformanceCase("a request for nothing only reports that an item exists") { keychain in
            try keychain.addAccounts("a", "b")
            for limit in [MatchLimit?.none, .one, .all, .atMost(1)] {
                let query = Query(.genericPassword).with { $0.match.limit = limit }
                switch try keychain.copyMatching(query) {
                case .exists: break
                default: try expect(false, "the test for existence returned an item")
                }
            }
        }
        ConformanceCase("copying changes nothing") { keychain in
            try keychain.addAccounts("a", "b", "c")
            let before = try keychain.contents()
            _ = try keychain.copyMatching(.account("a", returns: [.data, .attributes]))
            try expectEqual(try keychain.contents(), before)
        }
    }
}
