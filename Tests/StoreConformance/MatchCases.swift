import KeychainServices

extension StoreConformance {
    @ConformanceCases static var matchCases: [ConformanceCase] {
        for sample in AttributeSample.all {
            ConformanceCase("\(sample.name) tells items apart in copy, update and delete") {
                keychain in
                var (mine, others) = (sample.value, sample.other)
                // This allows attributes outside the identity in two items.
                let (key, names) = sample.distinguisher
                mine[keyPath: key] = mine[keyPath: key] ?? names.0
                others[keyPath: key] = others[keyPath: key] ?? names.1
                try keychain.add(sample.itemClass, mine, secret: Secret("mine"))
                try keychain.add(sample.itemClass, others, secret: Secret("other"))

                let query = Query(sample.itemClass, sample.value)
                try expectEqual(try keychain.onlyItem(query).secret, Array("mine".utf8))
                let other = try keychain.onlyItem(Query(sample.itemClass, sample.other))
                try keychain.update(query, secret: Secret("new"))
                try expectEqual(try keychain.onlyItem(query).secret, Array("new".utf8))
                try keychain.delete(query)
                try expectEqual(try keychain.items(sample.itemClass), [other])
            }
        }
        ConformanceCase("every attribute of a query must match") { keychain in
            let whole = ItemAttributes {
                $0.account = "me"
                $0.server = "host"
                $0.port = 443
                $0.label = "label"
            }
            try keychain.add(.internetPassword, whole, secret: Secret("s"))
            try expectEqual(try keychain.count(Query(.internetPassword, whole)), 1)
            let changes: [@Sendable (inout ItemAttributes) -> Void] = [
                { $0.account = "you" }, { $0.server = "hos" }, { $0.port = 80 },
                { $0.label = "labels" }, { $0.path = "p" }, { $0.comment = "" },
                { $0.creator = "lany" }, { $0.isNegative = true },
            ]
            for change in changes {
                let query = ItemAttributes {
                    $0 = whole
                    change(&$0)
                }
                try expectEqual(try keychain.count(Query(.internetPassword, query)), 0)
            }
        }
        ConformanceCase("a query without an access group looks in all that the keychain may use") {
            keychain in
            for group in ["", "git", "docker"] as [ByteString] {
                try keychain.add(
                    .genericPassword, ItemAttributes { $0.accessGroup = group },
                    secret: Secret("s"))
            }
            try expectEqual(try keychain.count(Query(.genericPassword)), 3)
        }
        ConformanceCase("items are neither invisible nor negative by default") {
            keychain in
            try keychain.addAccounts("a")
            for query in [
                ItemAttributes { $0.isInvisible = false },
                ItemAttributes { $0.isNegative = false },
            ] {
                try expectEqual(try keychain.count(Query(.genericPassword, query)), 1)
            }
        }
    }
}

extension AttributeSample {
    /// A part of the identity that is not this attribute, with two values.
    fileprivate var distinguisher:
        (WritableKeyPath<ItemAttributes, ByteString?>, (ByteString, ByteString))
    {
        (\.account, isIdentity ? ("same", "same") : ("first", "second"))
    }
}
