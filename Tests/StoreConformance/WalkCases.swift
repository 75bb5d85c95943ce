import KeychainServices

extension StoreConformance {
    @ConformanceCases static var walkCases: [ConformanceCase] {
        ConformanceCase("a walk stops where the closure says so") { keychain in
            try keychain.addAccounts("a", "b", "c", "d")
            for stop in 1...4 {
                var seen: [ByteString?] = []
                try keychain.forEachMatch(allAttributes) { item throws(KeychainError) in
                    seen.append(item.attributes?.account)
                    return seen.count == stop ? .stop : .next
                }
                try expectEqual(seen, Array(["d", "c", "b", "a"].prefix(stop)))
            }
        }
        ConformanceCase("a walk stops at the query's limit") { keychain in
            try keychain.addAccounts("a", "b", "c", "d")
            let limits: [(MatchLimit?, Int)] = [
                (nil, 1), (.one, 1), (.atMost(3), 3), (.atMost(9), 4), (.all, 4),
            ]
            for (limit, wanted) in limits {
                var count = 0
                let query = allAttributes.with { $0.match.limit = limit }
                try keychain.forEachMatch(query) { _ throws(KeychainError) in
                    count += 1
                    return .next
                }
                try expectEqual(count, wanted)
            }
        }
        ConformanceCase("an empty walk is not an error") { keychain in
            try keychain.addAccounts("a")
            try keychain.forEachMatch(.account("b", returns: .data)) {
                _ throws(KeychainError) in
                throw KeychainError(.param, "item not found")
            }
        }
        ConformanceCase("an error of the closure ends the walk") { keychain in
            try keychain.addAccounts("a", "b")
            var count = 0
            try expectStatus(.userCanceled) {
                try keychain.forEachMatch(allAttributes) { _ throws(KeychainError) in
                    count += 1
                    throw KeychainError(.userCanceled)
                }
            }
            try expectEqual(count, 1)
            try keychain.addAccounts("c")
            try expectEqual(try keychain.count(allAttributes), 3)
        }
        ConformanceCase("a walk returns the requested parts") { keychain in
            try keychain.addAccounts("a")
            try keychain.forEachMatch(.account("a", returns: .data)) {
                item throws(KeychainError) in
                let isRight = item.secretBytes == [0x61] && item.attributes == nil
                guard isRight, item.reference == nil, item.persistentReference == nil else {
                    throw KeychainError(.param, "the walk gave something else")
                }
                return .next
            }
        }
    }

    private static let allAttributes = Query(.genericPassword, returns: .attributes)
        .with { $0.match.limit = .all }
}
