import KeychainServices

extension StoreConformance {
    @ConformanceCases static var addCases: [ConformanceCase] {
        for itemClass in passwordClasses {
            ConformanceCase("\(itemClass) added without any attribute") { keychain in
                try keychain.add(itemClass, ItemAttributes(), secret: Secret("s"))
                let item = try keychain.onlyItem(Query(itemClass))
                try expectEqual(item.attributes.accessGroup, keychain.accessGroup)
                try expectEqual(item.attributes.accessible, keychain.accessible)
                try expectEqual(item.attributes.account ?? "", "")
                try expectEqual(item.attributes.label, nil)
                try expectEqual(item.secret, [0x73])
            }
            ConformanceCase("\(itemClass) twice is a duplicate and stays as it was") {
                keychain in
                try keychain.add(itemClass, .account("a"), secret: Secret("first"))
                try keychain.expectRefusal(.duplicateItem) {
                    try keychain.add(itemClass, .account("a"), secret: Secret("second"))
                }
            }
            ConformanceCase("\(itemClass) deleted and added again is another item") {
                keychain in
                try keychain.add(itemClass, .account("a"), secret: Secret("first"))
                let first = try keychain.onlyItem(Query(itemClass)).reference
                try keychain.delete(Query(itemClass))
                try keychain.add(itemClass, .account("a"), secret: Secret("second"))
                let second = try keychain.onlyItem(Query(itemClass))
                try expect(second.reference != first, "the reference was used again")
                try expectEqual(second.secret, Array("second".utf8))
                try expectStatus(.itemNotFound) {
                    _ = try keychain.copyMatching(Query(first))
                }
            }
        }
        ConformanceCase("the classes are apart") { keychain in
            try keychain.add(.genericPassword, .account("a"), secret: Secret("generic"))
            try keychain.add(.internetPassword, .account("a"), secret: Secret("internet"))
            for (itemClass, secret) in zip(passwordClasses, ["generic", "internet"]) {
                let item = try keychain.onlyItem(.account("a", itemClass))
                try expectEqual(item.secret, Array(secret.utf8))
                try expectEqual(item.reference.itemClass, itemClass)
            }
            try keychain.delete(Query(.genericPassword))
            try expectEqual(try keychain.count(Query(.internetPassword)), 1)
        }
    }
}
