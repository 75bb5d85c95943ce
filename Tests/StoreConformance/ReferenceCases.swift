import KeychainServices

extension StoreConformance {
    @ConformanceCases static var referenceCases: [ConformanceCase] {
        for itemClass in passwordClasses {
            for isSynchronizable in [false, true] {
                for (name, makeQuery) in makers {
                    ConformanceCase(
                        "\(itemClass), synchronizable \(isSynchronizable), by its \(name)"
                    ) { keychain in
                        var attributes = ItemAttributes.account("a")
                        attributes.synchronizable = isSynchronizable
                        try keychain.add(itemClass, attributes, secret: Secret("mine"))
                        let query = makeQuery(try keychain.items(itemClass)[0].reference)
                        try keychain.add(itemClass, .account("b"), secret: Secret("other"))
                        let other = try keychain.items(itemClass, .account("b"))

                        try expectEqual(try keychain.onlyItem(query).attributes.account, "a")
                        try keychain.update(query, .account("c"), secret: Secret("new"))
                        let item = try keychain.onlyItem(query)
                        try expectEqual(item.attributes.account, "c")
                        try expectEqual(item.secret, Array("new".utf8))
                        try keychain.delete(query)
                        try expectEqual(try keychain.items(itemClass), other)
                        try expectStatus(.itemNotFound) { _ = try keychain.copyMatching(query) }
                        try expectStatus(.itemNotFound) { try keychain.delete(query) }
                    }
                }
            }
        }
        ConformanceCase("references are unique") { keychain in
            for number in 0..<50 {
                try keychain.addAccounts(ByteString("\(number)"))
            }
            let references = try keychain.items(.genericPassword).map(\.reference)
            try expectEqual(Set(references).count, 50)
        }
        ConformanceCase("attributes next to a reference must match too") { keychain in
            try keychain.addAccounts("a", "b")
            let reference = try keychain.onlyItem(.account("a")).reference
            for query in [Query(reference), Query(reference.persistentReference)] {
                for (account, count) in [("a", 1), ("b", 0)] {
                    let query = query.with { $0.attributes.account = ByteString(account) }
                    try expectEqual(try keychain.count(query), count)
                }
            }
            let query = Query(reference).with { $0.attributes.account = "b" }
            try keychain.expectRefusal(.itemNotFound) { try keychain.delete(query) }
            try keychain.delete(query.with { $0.attributes.account = "a" })
            try expectEqual(try keychain.accounts(Query(.genericPassword)), ["b"])
        }
        ConformanceCase("two references to different items mean none") { keychain in
            try keychain.addAccounts("a", "b")
            let references = try keychain.items(.genericPassword).map(\.reference)
            var query = Query(references[0])
            query.persistentReference = references[1].persistentReference
            try expectEqual(try keychain.count(query), 0)
            try keychain.expectRefusal(.itemNotFound) { try keychain.delete(query) }
            query.persistentReference = references[0].persistentReference
            try expectEqual(try keychain.count(query), 1)
        }
        ConformanceCase("a reference asks for synchronizable as any query does") { keychain in
            try keychain.addAccounts("a")
            let reference = try keychain.items(.genericPassword)[0].reference
            let query = Query(reference).with { $0.synchronizable = .synchronizable }
            try expectEqual(try keychain.count(query), 0)
        }
        ConformanceCase("a reference to an item of another class is refused") { keychain in
            try keychain.addAccounts("a")
            let reference = try keychain.items(.genericPassword)[0].reference
            let queries = [
                Query(.internetPassword).with { $0.reference = reference },
                Query(.internetPassword).with {
                    $0.persistentReference = reference.persistentReference
                },
            ]
            for query in queries {
                try expectStatus(.param) { _ = try keychain.copyMatching(query) }
                try keychain.expectRefusal(.param) { try keychain.delete(query) }
            }
        }
        ConformanceCase("a persistent reference with attributes can't change anything") {
            keychain in
            try keychain.addAccounts("a")
            let reference = try keychain.items(.genericPassword)[0].reference
            let query = Query(reference.persistentReference).with {
                $0.attributes.account = "a"
            }
            try keychain.expectRefusal(.param) { try keychain.delete(query) }
            try keychain.expectRefusal(.param) {
                try keychain.update(query, secret: Secret("new"))
            }
        }
    }

    private static let makers: [(name: String, query: @Sendable (ItemReference) -> Query)] = [
        ("reference", { Query($0) }),
        ("persistent reference", { Query($0.persistentReference) }),
        (
            "persistent reference kept as bytes",
            { Query(PersistentReference($0.persistentReference.bytes)!) }
        ),
    ]
}
