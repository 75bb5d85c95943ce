import KeychainServices

extension StoreConformance {
    @ConformanceCases static var orderCases: [ConformanceCase] {
        ConformanceCase("the item added last comes first") { keychain in
            try keychain.addAccounts("b", "c", "a")
            try expectEqual(try keychain.accounts(Query(.genericPassword)), ["a", "c", "b"])
        }
        ConformanceCase("the item changed last comes first") { keychain in
            try keychain.addAccounts("a", "b", "c")
            try keychain.update(.account("a"), secret: Secret("new"))
            try expectEqual(try keychain.accounts(Query(.genericPassword)), ["a", "c", "b"])
            try keychain.update(.account("b"), ItemAttributes { $0.label = "new" })
            try expectEqual(try keychain.accounts(Query(.genericPassword)), ["b", "a", "c"])
            switch try keychain.copyMatching(Query(.genericPassword, returns: .attributes)) {
            case .item(let item): try expectEqual(item.attributes?.account, "b")
            default: try expect(false, "no item was returned")
            }
        }
        ConformanceCase("items changed together come before the others") { keychain in
            try keychain.addAccounts("a", "b", "c", "d")
            let changed = ItemAttributes { $0.label = "changed" }
            for account in ["a", "c"] as [ByteString] {
                try keychain.update(.account(account), changed)
            }
            try keychain.update(.account("d"), ItemAttributes { $0.comment = "x" })
            try keychain.update(Query(.genericPassword, changed), secret: Secret("new"))
            let accounts = try keychain.accounts(Query(.genericPassword))
            try expectEqual(Set(accounts[..<2]), ["a", "c"])
            try expectEqual(accounts[2...], ["d", "b"])
        }
        ConformanceCase("deleting leaves the order of the others") { keychain in
            try keychain.addAccounts("a", "b", "c", "d")
            try keychain.delete(.account("c"))
            try keychain.addAccounts("e")
            try expectEqual(try keychain.accounts(Query(.genericPassword)), ["e", "d", "b", "a"])
        }
        ConformanceCase("a change that is refused leaves the order") { keychain in
            try keychain.addAccounts("a", "b", "c")
            try keychain.expectRefusal(.duplicateItem) {
                try keychain.update(.account("a"), .account("b"))
            }
        }
    }
}
