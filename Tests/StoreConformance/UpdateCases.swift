import KeychainServices

extension StoreConformance {
    @ConformanceCases static var updateCases: [ConformanceCase] {
        for sample in AttributeSample.all {
            ConformanceCase("\(sample.name) updated, everything else stays") { keychain in
                let whole = ItemAttributes { attributes in
                    sample.set(&attributes)
                    attributes.account = attributes.account ?? "a"
                    attributes.label = attributes.label ?? "label"
                }
                try keychain.add(sample.itemClass, whole, secret: Secret("secret"))
                let before = try keychain.onlyItem(Query(sample.itemClass))
                try keychain.update(Query(sample.itemClass), sample.other)
                let after = try keychain.onlyItem(Query(sample.itemClass))
                var wanted = before
                sample.setOther(&wanted.attributes)
                wanted.attributes.modificationDate = after.attributes.modificationDate
                try expectEqual(after, wanted)
                try expectEqual(
                    try keychain.onlyItem(Query(sample.itemClass, sample.other)), wanted)
                try expectEqual(
                    try keychain.count(Query(sample.itemClass, sample.value)), 0)
            }
        }
        for itemClass in passwordClasses {
            ConformanceCase("\(itemClass) secret updated, the attributes stay") { keychain in
                try keychain.add(itemClass, .account("a"), secret: Secret("old"))
                let before = try keychain.onlyItem(Query(itemClass))
                try keychain.update(Query(itemClass), secret: Secret("a longer one"))
                var after = try keychain.onlyItem(Query(itemClass))
                try expectEqual(after.secret, Array("a longer one".utf8))
                after.secret = before.secret
                after.attributes.modificationDate = before.attributes.modificationDate
                try expectEqual(after, before)
            }
            ConformanceCase("\(itemClass) identity and secret updated together") { keychain in
                try keychain.add(itemClass, .account("a"), secret: Secret("old"))
                try keychain.update(Query(itemClass), .account("b"), secret: Secret("new"))
                try expectEqual(
                    try keychain.onlyItem(.account("b", itemClass)).secret, Array("new".utf8))
                try keychain.add(itemClass, .account("a"), secret: Secret("free again"))
                try expectEqual(try keychain.count(Query(itemClass)), 2)
            }
            ConformanceCase("\(itemClass) updated to what it is") { keychain in
                try keychain.add(itemClass, .account("a"), secret: Secret("s"))
                try keychain.update(Query(itemClass), .account("a"), secret: Secret("s"))
                try expectEqual(try keychain.accounts(Query(itemClass)), ["a"])
            }
            ConformanceCase("\(itemClass) identity emptied") { keychain in
                try keychain.add(itemClass, .account("a"), secret: Secret("s"))
                try keychain.update(Query(itemClass), .account(""))
                try keychain.expectRefusal(.duplicateItem) {
                    try keychain.add(itemClass, ItemAttributes(), secret: Secret("s"))
                }
            }
        }
        ConformanceCase("update acts on every match and on no other item") { keychain in
            try keychain.addAccounts("a", "b", "c", "d")
            let label = ItemAttributes { $0.label = "x" }
            for account in ["a", "b", "c"] as [ByteString] {
                try keychain.update(.account(account), label)
            }
            let other = try keychain.onlyItem(.account("d"))
            let comment = ItemAttributes { $0.comment = "seen" }
            try keychain.update(Query(.genericPassword, label), comment, secret: Secret("s"))
            let changed = try keychain.items(.genericPassword, comment)
            try expectEqual(changed.map(\.secret), [[0x73], [0x73], [0x73]])
            try expectEqual(try keychain.onlyItem(.account("d")), other)
        }
        ConformanceCase("update of a missing item") { keychain in
            try keychain.addAccounts("a")
            try keychain.expectRefusal(.itemNotFound) {
                try keychain.update(.account("b"), .account("c"), secret: Secret("s"))
            }
        }
        ConformanceCase("an update that changes nothing is refused") { keychain in
            try keychain.addAccounts("a")
            try keychain.expectRefusal(.param) { try keychain.update(.account("a")) }
            let dates = ItemAttributes {
                $0.creationDate = Timestamp(secondsSinceEpoch: 1)
                $0.modificationDate = Timestamp(secondsSinceEpoch: 1)
            }
            try keychain.expectRefusal(.param) { try keychain.update(.account("a"), dates) }
        }
    }
}
