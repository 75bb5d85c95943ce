import KeychainServices

extension StoreConformance {
    /// The cases about items that come from elsewhere and keep their dates. They are among ``cases``;
    /// a keychain plugin may say that it does not keep dates, and is excused from these then.
    @ConformanceCases public static var keptDateCases: [ConformanceCase] {
        ConformanceCase("an item from elsewhere keeps its dates") { keychain in
            try keychain.addDated("a", created: 300, changed: 600)
            try keychain.addDated("a", .internetPassword, created: 0, changed: 700)
            try expectEqual(try keychain.dates("a"), [300, 600])
            try expectEqual(try keychain.dates("a", .internetPassword), [0, 700])
        }
        ConformanceCase("certificates and keys from elsewhere keep their dates") { keychain in
            let keychain = keychain.withCertificates
            let dated = ItemAttributes {
                $0.creationDate = Timestamp(secondsSinceEpoch: 300)
                $0.modificationDate = Timestamp(secondsSinceEpoch: 600)
            }
            try keychain.add(
                .certificate, dated, secret: ToyCertificates.certificate("Ada"), keepsDates: true)
            var key = ItemAttributes.privateKey
            key.creationDate = dated.creationDate
            key.modificationDate = dated.modificationDate
            try keychain.add(
                .key, key, secret: ToyCertificates.privateKey(), keepsDates: true)
            for itemClass in [ItemClass.certificate, .key] {
                let found = try keychain.onlyItem(Query(itemClass)).attributes
                try expectEqual(found.creationDate, dated.creationDate)
                try expectEqual(found.modificationDate, dated.modificationDate)
            }
        }
        ConformanceCase("an item from elsewhere without dates is as new as others") { keychain in
            try keychain.addDated("a", created: nil, changed: nil)
            try keychain.addAccounts("b")
            let dates = try keychain.dates("a")
            try expectEqual(dates.first, dates.last)
            try expect(dates[0]! > 700, "the date is not now")
            try expect(try dates[0]! <= keychain.dates("b")[0]!, "the date is not now")
        }
        ConformanceCase("one date from elsewhere is both") { keychain in
            try keychain.addDated("a", created: 300, changed: nil)
            try keychain.addDated("b", created: nil, changed: 600)
            try expectEqual(try keychain.dates("a"), [300, 300])
            try expectEqual(try keychain.dates("b"), [600, 600])
        }
        ConformanceCase("impossible dates from elsewhere are bounded") { keychain in
            try keychain.addAccounts("before")
            try keychain.addDated("negative", created: -5, changed: .min)
            try keychain.addDated("future", created: .max, changed: 4_000_000_000)
            try keychain.addDated("backwards", created: 600, changed: 300)
            try keychain.addDated("changed later", created: 300, changed: .max)
            try keychain.addAccounts("after")
            try expectEqual(try keychain.dates("negative"), [0, 0])
            try expectEqual(try keychain.dates("backwards"), [600, 600])
            let now = try keychain.dates("before")[0]!...keychain.dates("after")[0]!
            for date in try keychain.dates("future") + keychain.dates("changed later").suffix(1) {
                try expect(now.contains(date!), "a date is after now")
            }
            try expectEqual(try keychain.dates("changed later").first, 300)
        }
        ConformanceCase("an item from elsewhere is the one added last, old as it is") { keychain in
            try keychain.addAccounts("a")
            try keychain.addDated("b", created: 600, changed: 700)
            try keychain.addDated("c", created: 300, changed: 400)
            try keychain.addAccounts("d")
            try expectEqual(
                try keychain.accounts(Query(.genericPassword)), ["d", "c", "b", "a"])
            try keychain.update(.account("a"), secret: Secret("new"))
            try keychain.update(.account("b"), secret: Secret("new"))
            try expectEqual(
                try keychain.accounts(Query(.genericPassword)), ["b", "a", "d", "c"])
        }
        for name in ["secret", "label", "account"] {
            ConformanceCase("an item from elsewhere with another \(name) was changed now") {
                keychain in
                try keychain.addDated("a", created: 300, changed: 600)
                try keychain.addDated("b", created: 200, changed: 500)
                switch name {
                case "secret": try keychain.update(.account("a"), secret: Secret("new"))
                case "label":
                    try keychain.update(.account("a"), ItemAttributes { $0.label = "new" })
                default: try keychain.update(.account("a"), .account("c"))
                }
                let dates = try keychain.dates(name == "account" ? "c" : "a")
                try expectEqual(dates[0], 300)
                try expect(dates[1]! > 700, "the modification date does not move")
                try expectEqual(try keychain.dates("b"), [200, 500])
            }
        }
        ConformanceCase("items from elsewhere are found by their dates") { keychain in
            try keychain.addDated("a", created: 300, changed: 600)
            try keychain.addDated("b", created: 300, changed: 500)
            var query = Query(.genericPassword)
            query.attributes.creationDate = Timestamp(secondsSinceEpoch: 300)
            try expectEqual(try keychain.accounts(query), ["b", "a"])
            query.attributes.modificationDate = Timestamp(secondsSinceEpoch: 600)
            try expectEqual(try keychain.accounts(query), ["a"])
        }
        ConformanceCase("an item from elsewhere that is there leaves the dates") { keychain in
            try keychain.addDated("a", created: 300, changed: 600)
            let before = try keychain.contents()
            try keychain.expectRefusal(.duplicateItem) {
                try keychain.addDated("a", created: 200, changed: 500)
            }
            try expectEqual(try keychain.contents(), before)
        }
        ConformanceCase("items from elsewhere keep their dates in a transaction") { keychain in
            try keychain.transaction { () throws(KeychainError) in
                try keychain.addDated("a", created: 300, changed: 600)
                try keychain.addDated("b", created: 200, changed: 500)
                try keychain.update(.account("b"), secret: Secret("new"))
            }
            try expectEqual(try keychain.dates("a"), [300, 600])
            let dates = try keychain.dates("b")
            try expectEqual(dates[0], 200)
            try expect(dates[1]! > 700, "the modification date does not move")
        }
    }
}

extension Keychain {
    /// Adds an item from elsewhere, with dates in seconds since 1970. Clocks show later ones than 700.
    fileprivate func addDated(
        _ account: ByteString, _ itemClass: ItemClass = .genericPassword, created: Int64?,
        changed: Int64?
    ) throws(KeychainError) {
        let attributes = ItemAttributes {
            $0.account = account
            $0.creationDate = created.map { Timestamp(secondsSinceEpoch: $0) }
            $0.modificationDate = changed.map { Timestamp(secondsSinceEpoch: $0) }
        }
        try add(itemClass, attributes, secret: Secret("s"), keepsDates: true)
    }

    /// When an item was made and changed.
    fileprivate func dates(
        _ account: ByteString, _ itemClass: ItemClass = .genericPassword
    ) throws -> [Int64?] {
        let attributes = try onlyItem(.account(account, itemClass)).attributes
        return [attributes.creationDate, attributes.modificationDate].map {
            $0?.secondsSinceEpoch
        }
    }
}
