import KeychainServices

extension StoreConformance {
    @ConformanceCases static var transactionCases: [ConformanceCase] {
        ConformanceCase("a transaction keeps its changes") { keychain in
            try keychain.addAccounts("a", "b")
            let added = try keychain.transaction { () throws(KeychainError) in
                try keychain.change()
                return try keychain.add(
                    .genericPassword, .account("d"), secret: Secret("d"), returns: .reference)?
                    .reference
            }
            try expectEqual(
                try keychain.accounts(Query(.genericPassword)), ["d", "changed", "c"])
            try expectEqual(try keychain.onlyItem(.account("d")).reference, added)
            try expectEqual(
                try keychain.onlyItem(.account("changed")).secret, Array("new".utf8))
        }
        ConformanceCase("a transaction sees its own changes") { keychain in
            try keychain.addAccounts("a", "b")
            var seen: [Item] = []
            try keychain.transaction { () throws(KeychainError) in
                try keychain.change()
                seen = try keychain.itemsInTransaction()
            }
            try expectEqual(seen, try keychain.items(.genericPassword))
        }
        ConformanceCase("a failing transaction changes nothing") { keychain in
            try keychain.addAccounts("a", "b")
            try keychain.add(.internetPassword, .account("a"), secret: Secret("internet"))
            try keychain.expectRefusal(.userCanceled) {
                try keychain.transaction { () throws(KeychainError) in
                    try keychain.change()
                    try keychain.delete(Query(.internetPassword))
                    throw KeychainError(.userCanceled)
                }
            }
        }
        ConformanceCase("a transaction whose last call fails changes nothing") { keychain in
            try keychain.addAccounts("a", "b")
            try keychain.expectRefusal(.duplicateItem) {
                try keychain.transaction { () throws(KeychainError) in
                    try keychain.change()
                    try keychain.add(.genericPassword, .account("c"), secret: Secret("again"))
                }
            }
        }
        ConformanceCase("a failure caught inside a transaction does not end it") { keychain in
            try keychain.addAccounts("a")
            try keychain.transaction { () throws(KeychainError) in
                for account in ["a", "b"] as [ByteString] {
                    do throws(KeychainError) {
                        try keychain.add(
                            .genericPassword, .account(account), secret: Secret("new"))
                    } catch {
                        try keychain.update(.account(account), secret: Secret("changed"))
                    }
                }
            }
            try expectEqual(
                try keychain.items(.genericPassword).map(\.secret),
                [Array("new".utf8), Array("changed".utf8)])
        }
        ConformanceCase("a failing transaction leaves the keychain intact") { keychain in
            for round in 0..<3 {
                try expectStatus(.userCanceled) {
                    try keychain.transaction { () throws(KeychainError) in
                        try keychain.add(.genericPassword, .account("a"), secret: Secret("s"))
                        throw KeychainError(.userCanceled)
                    }
                }
                try keychain.addAccounts(ByteString("\(round)"))
            }
            try expectEqual(try keychain.accounts(Query(.genericPassword)), ["2", "1", "0"])
        }
        ConformanceCase("an empty transaction changes nothing") { keychain in
            try keychain.addAccounts("a")
            let before = try keychain.contents()
            let result = try keychain.transaction { () throws(KeychainError) in 7 }
            try expectEqual(result, 7)
            try expectEqual(try keychain.contents(), before)
        }
    }
}

extension Keychain {
    /// With the accounts a and b there: adds c, makes b another account with another secret,
    /// deletes a.
    fileprivate func change() throws(KeychainError) {
        try add(.genericPassword, .account("c"), secret: Secret("c"))
        try update(.account("b"), .account("changed"), secret: Secret("new"))
        try delete(.account("a"))
    }

    fileprivate func itemsInTransaction() throws(KeychainError) -> [Item] {
        do {
            return try items(.genericPassword)
        } catch {
            throw error as? KeychainError ?? KeychainError(.param, "\(error)")
        }
    }
}
