import KeychainServices

extension StoreConformance {
    @ConformanceCases static var updateConflictCases: [ConformanceCase] {
        for sample in AttributeSample.all where sample.isIdentity {
            ConformanceCase("\(sample.name) updated to an item that exists is a duplicate") {
                keychain in
                try keychain.add(sample.itemClass, sample.value, secret: Secret("mine"))
                try keychain.add(sample.itemClass, sample.other, secret: Secret("other"))
                try keychain.expectRefusal(.duplicateItem) {
                    let changes = sample.other
                    try keychain.update(
                        Query(sample.itemClass, sample.value), changes, secret: Secret("new"))
                }
            }
        }
        ConformanceCase("two items updated to the same are a duplicate") { keychain in
            try keychain.addAccounts("a", "b")
            try keychain.expectRefusal(.duplicateItem) {
                try keychain.update(Query(.genericPassword), .account("c"))
            }
            try keychain.expectRefusal(.duplicateItem) {
                try keychain.update(Query(.genericPassword), .account("a"))
            }
        }
        for conflicting in ["first", "second", "last"] {
            ConformanceCase("the \(conflicting) of three items updated is a duplicate") {
                keychain in
                let (old, new) = (service("old"), service("new"))
                try keychain.add(
                    .genericPassword, new.merging(.account(ByteString(conflicting))),
                    secret: Secret("in the way"))
                for account in ["first", "second", "last"] {
                    try keychain.add(
                        .genericPassword, old.merging(.account(ByteString(account))),
                        secret: Secret(account))
                }
                try keychain.expectRefusal(.duplicateItem) {
                    try keychain.update(Query(.genericPassword, old), new, secret: Secret("new"))
                }
                try keychain.delete(Query(.genericPassword, new))
                try keychain.update(Query(.genericPassword, old), new, secret: Secret("new"))
                try expectEqual(try keychain.count(Query(.genericPassword, new)), 3)
            }
        }
        ConformanceCase("one of two items updated can't be stored") { keychain in
            try keychain.addAccounts("a")
            try keychain.add(
                .genericPassword, ItemAttributes { $0.synchronizable = true },
                secret: Secret("s"))
            try keychain.addAccounts("b")
            let query = Query(.genericPassword).with { $0.synchronizable = .any }
            try keychain.expectRefusal(.param) {
                try keychain.update(
                    query, ItemAttributes { $0.accessible = .alwaysThisDeviceOnly })
            }
        }
    }

    private static func service(_ service: ByteString) -> ItemAttributes {
        ItemAttributes { $0.service = service }
    }
}
