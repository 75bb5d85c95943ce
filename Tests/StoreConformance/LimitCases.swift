import KeychainServices

extension StoreConformance {
    @ConformanceCases static var limitCases: [ConformanceCase] {
        for present in [1, 2, 5] {
            let limits: [(MatchLimit?, wanted: Int?)] = [
                (nil, nil), (.one, nil), (.all, present), (.atMost(1), 1),
                (.atMost(2), min(2, present)), (.atMost(5), present), (.atMost(.max), present),
            ]
            for (limit, wanted) in limits {
                ConformanceCase("limit \(limit, default: "default") with \(present) items") {
                    keychain in
                    for number in 0..<present {
                        try keychain.addAccounts(ByteString("\(number)"))
                    }
                    let query = Query(.genericPassword, returns: [.data, .attributes])
                        .with { $0.match.limit = limit }
                    let newestFirst = (0..<present).reversed().map { ByteString("\($0)") }
                    switch try keychain.copyMatching(query) {
                    case .exists: try expect(false, "no item was returned")
                    case .item(let item):
                        try expectEqual(nil, wanted, "one item was returned")
                        try expectEqual(item.attributes?.account, newestFirst[0])
                    case .items(let items):
                        try expectEqual(items.count, wanted)
                        for position in items.indices {
                            let account = items[position].attributes?.account
                            try expectEqual(account, newestFirst[position])
                            try expectEqual(items[position].secretBytes, account?.bytes)
                        }
                    }
                }
            }
        }
        for count in [0, -1, Int.min] {
            ConformanceCase("limit atMost(\(count)) is refused") { keychain in
                try keychain.addAccounts("a")
                for returns: ReturnOptions in [[], .data] {
                    let query = Query(.genericPassword, returns: returns)
                        .with { $0.match.limit = .atMost(count) }
                    try expectStatus(.param) { _ = try keychain.copyMatching(query) }
                }
            }
        }
    }
}
