import KeychainServices

extension StoreConformance {
    @ConformanceCases static var deleteCases: [ConformanceCase] {
        ConformanceCase("delete acts on every match and on no other item") { keychain in
            try keychain.addAccounts("a", "b", "c")
            try keychain.add(.internetPassword, .account("a"), secret: Secret("s"))
            let label = ItemAttributes { $0.label = "x" }
            try keychain.update(.account("a"), label)
            try keychain.update(.account("c"), label)
            try keychain.delete(Query(.genericPassword, label))
            try expectEqual(try keychain.accounts(Query(.genericPassword)), ["b"])
            try expectEqual(try keychain.count(Query(.internetPassword)), 1)
        }
        ConformanceCase("delete of a missing item") { keychain in
            try keychain.addAccounts("a")
            try keychain.expectRefusal(.itemNotFound) { try keychain.delete(.account("b")) }
            try keychain.delete(.account("a"))
            try expectStatus(.itemNotFound) { try keychain.delete(.account("a")) }
        }
        ConformanceCase("many items are added, changed and deleted") { keychain in
            let many = 300
            try keychain.transaction { () throws(KeychainError) in
                for number in 0..<many {
                    let attributes = ItemAttributes {
                        $0.account = ByteString("\(number)")
                        $0.service = number % 3 == 0 ? "third" : "other"
                    }
                    try keychain.add(.genericPassword, attributes, secret: Secret("\(number)"))
                }
            }
            try expectEqual(try keychain.count(Query(.genericPassword)), many)
            let third = Query(.genericPassword, ItemAttributes { $0.service = "third" })
            try keychain.update(third, secret: Secret("changed"))
            for item in try keychain.items(.genericPassword) {
                let isThird = item.attributes.service == "third"
                let wanted = isThird ? Array("changed".utf8) : item.attributes.account?.bytes
                try expectEqual(item.secret, wanted)
            }
            try keychain.delete(third)
            try expectEqual(try keychain.count(Query(.genericPassword)), many - many / 3)
            try keychain.delete(Query(.genericPassword))
            try expectEqual(try keychain.count(Query(.genericPassword)), 0)
        }
    }
}
