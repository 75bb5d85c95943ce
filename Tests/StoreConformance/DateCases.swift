import KeychainServices

extension StoreConformance {
    @ConformanceCases static var dateCases: [ConformanceCase] {
        ConformanceCase("a new item was added and changed at the same moment") { keychain in
            try keychain.addAccounts("a")
            let attributes = try keychain.onlyItem(Query(.genericPassword)).attributes
            try expect(attributes.creationDate != nil, "there is no creation date")
            try expectEqual(attributes.modificationDate, attributes.creationDate)
        }
        ConformanceCase("dates given when adding are ignored") { keychain in
            let attributes = ItemAttributes {
                $0.creationDate = past
                $0.modificationDate = past
            }
            try keychain.add(.genericPassword, attributes, secret: Secret("s"))
            let item = try keychain.onlyItem(Query(.genericPassword))
            try expect(item.attributes.creationDate != past, "the creation date was taken")
            try expect(item.attributes.modificationDate != past, "the modification date was taken")
        }
        ConformanceCase("dates given when updating are ignored") { keychain in
            try keychain.addAccounts("a")
            let before = try keychain.onlyItem(Query(.genericPassword)).attributes
            let changes = ItemAttributes {
                $0.label = "new"
                $0.creationDate = past
                $0.modificationDate = past
            }
            try keychain.update(Query(.genericPassword), changes)
            let after = try keychain.onlyItem(Query(.genericPassword)).attributes
            try expectEqual(after.label, "new")
            try expectEqual(after.creationDate, before.creationDate)
            try expect(after.modificationDate != past, "the modification date was taken")
        }
        ConformanceCase("updating moves the modification date and no other") { keychain in
            try keychain.addAccounts("a", "b")
            let before = try keychain.onlyItem(.account("a")).attributes
            let other = try keychain.onlyItem(.account("b"))
            let start = ContinuousClock.now
            var after = before
            // Dates are whole seconds.
            while after.modificationDate == before.modificationDate {
                try expect(start.duration(to: .now) < .seconds(5), "the date does not move")
                try keychain.update(.account("a"), secret: Secret("new"))
                after = try keychain.onlyItem(.account("a")).attributes
            }
            try expect(after.modificationDate! > before.modificationDate!, "the date moves back")
            try expectEqual(after.creationDate, before.creationDate)
            try expectEqual(try keychain.onlyItem(.account("b")), other)
        }
        ConformanceCase("items are found by their dates") { keychain in
            try keychain.addAccounts("a")
            let found = try keychain.onlyItem(Query(.genericPassword)).attributes
            let paths: [WritableKeyPath<ItemAttributes, Timestamp?>] = [
                \.creationDate, \.modificationDate,
            ]
            for path in paths {
                var query = Query(.genericPassword)
                query.attributes[keyPath: path] = found[keyPath: path]
                try expectEqual(try keychain.count(query), 1)
                query.attributes[keyPath: path] = past
                try expectEqual(try keychain.count(query), 0)
            }
        }
    }

    private static let past = Timestamp(secondsSinceEpoch: -14_182_940)
}
