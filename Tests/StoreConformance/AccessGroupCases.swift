import KeychainServices

extension StoreConformance {
    @ConformanceCases static var accessGroupCases: [ConformanceCase] {
        ConformanceCase("an item without an access group gets the first that may be used") {
            keychain in
            let own = keychain.using(AccessGroups("b", others: ["a"]))
            try own.add(.genericPassword, .account("x"), secret: Secret("s"))
            try own.add(.genericPassword, .account("y", in: "a"), secret: Secret("s"))
            try expectEqual(try keychain.groups(), ["a", "b"])
        }
        for (name, groups) in lists {
            ConformanceCase("\(name): other groups' items are neither found nor deleted") {
                keychain in
                let others = try keychain.fillGroups(besides: groups)
                let own = keychain.using(groups)
                for itemClass in passwordClasses {
                    try expectEqual(
                        try own.items(itemClass).map { $0.attributes.accessGroup },
                        ([groups.first] + groups.others).reversed())
                    let query = Query(itemClass)
                    try own.update(query, ItemAttributes { $0.comment = "mine" })
                    try own.delete(query)
                    try expectStatus(.itemNotFound) { try own.delete(query) }
                }
                try expectEqual(try keychain.contents(), others)
            }
            ConformanceCase("\(name): a named group's items alone are found and changed") {
                keychain in
                _ = try keychain.fillGroups(besides: groups)
                let own = keychain.using(groups)
                for group in [groups.first] + groups.others {
                    for itemClass in passwordClasses {
                        let query = Query(itemClass, ItemAttributes { $0.accessGroup = group })
                        try expectEqual(
                            try own.items(query).map { $0.attributes.accessGroup }, [group])
                        try own.update(query, ItemAttributes { $0.comment = "mine" })
                        let mine = Query(itemClass, ItemAttributes { $0.comment = "mine" })
                        try expectEqual(
                            try keychain.items(mine).map { $0.attributes.accessGroup }, [group])
                        try own.delete(query)
                        try expectEqual(try keychain.count(mine), 0)
                    }
                }
                try expectEqual(try own.contents().count, 0)
            }
            ConformanceCase("\(name): any other group is refused") { keychain in
                _ = try keychain.fillGroups(besides: groups)
                let own = keychain.using(groups)
                let foreign = ItemAttributes { $0.accessGroup = "foreign" }
                for itemClass in passwordClasses {
                    let query = Query(itemClass, foreign)
                    try expectStatus(.missingEntitlement) { _ = try own.copyMatching(query) }
                    try keychain.expectRefusal(.missingEntitlement) { try own.delete(query) }
                    try keychain.expectRefusal(.missingEntitlement) {
                        try own.update(query, secret: Secret("new"))
                    }
                    try keychain.expectRefusal(.missingEntitlement) {
                        try own.update(Query(itemClass), foreign)
                    }
                    try keychain.expectRefusal(.missingEntitlement) {
                        try own.add(
                            itemClass, .account("new", in: "foreign"), secret: Secret("s"))
                    }
                }
            }
            ConformanceCase("\(name): a reference to another group's item finds nothing") {
                keychain in
                let others = try keychain.fillGroups(besides: groups)
                let own = keychain.using(groups)
                for item in others {
                    for query in [
                        Query(item.reference), Query(item.reference.persistentReference),
                    ] {
                        try expectStatus(.itemNotFound) { _ = try own.copyMatching(query) }
                        try keychain.expectRefusal(.itemNotFound) { try own.delete(query) }
                        try keychain.expectRefusal(.itemNotFound) {
                            try own.update(query, secret: Secret("new"))
                        }
                    }
                }
                for item in try own.contents() {
                    try expectEqual(try own.onlyItem(Query(item.reference)), item)
                }
            }
            ConformanceCase("\(name): a limit counts only items that may be used") { keychain in
                for account in ["a", "b", "c"] as [ByteString] {
                    try keychain.add(
                        .genericPassword, .account(account, in: groups.first),
                        secret: Secret("s"))
                    try keychain.add(
                        .genericPassword, .account(account, in: "foreign"), secret: Secret("s"))
                }
                let own = keychain.using(groups)
                var query = Query(.genericPassword, returns: [.attributes, .data])
                let first = try own.firstMatch(of: query)?.attributes
                try expectEqual(first?.accessGroup, groups.first)
                try expectEqual(first?.account, "c")
                query.match.limit = .atMost(2)
                try expectEqual(try own.attributes(of: query).map(\.account), ["c", "b"])
            }
            ConformanceCase("\(name): letter case counts in the groups that may be used") {
                keychain in
                for group in ["OWN", groups.first] {
                    try keychain.add(
                        .genericPassword, .account("Me", in: group), secret: Secret("s"))
                }
                var query = Query(.genericPassword, .account("me"))
                query.match.caseInsensitive = true
                for group in [nil, groups.first] {
                    query.attributes.accessGroup = group
                    let found = try keychain.using(groups).items(query)
                    try expectEqual(found.map { $0.attributes.accessGroup }, [groups.first])
                }
                query.attributes.accessGroup = "OWN"
                try expectStatus(.missingEntitlement) {
                    _ = try keychain.using(groups).copyMatching(query)
                }
            }
        }
        ConformanceCase("an update moves items between groups that may be used") { keychain in
            let own = keychain.using(AccessGroups("own", others: ["shared"]))
            try own.add(.genericPassword, .account("a"), secret: Secret("a"))
            try own.add(.genericPassword, .account("b", in: "shared"), secret: Secret("b"))
            try keychain.add(
                .genericPassword, .account("c", in: "foreign"), secret: Secret("c"))
            try own.update(
                Query(.genericPassword), ItemAttributes { $0.accessGroup = "shared" })
            try expectEqual(try keychain.groups(), ["foreign", "shared", "shared"])
        }
        ConformanceCase("an item can't move to a group that has the same one") { keychain in
            let own = keychain.using(AccessGroups("own", others: ["shared"]))
            try own.add(.genericPassword, .account("a"), secret: Secret("a"))
            try own.add(.genericPassword, .account("a", in: "shared"), secret: Secret("b"))
            try keychain.expectRefusal(.duplicateItem) {
                try own.update(
                    Query(.genericPassword, .account("a", in: "own")),
                    ItemAttributes { $0.accessGroup = "shared" })
            }
        }
        ConformanceCase("a transaction over some groups undoes its changes") { keychain in
            let groups = AccessGroups("own", others: ["shared"])
            _ = try keychain.fillGroups(besides: groups)
            let own = keychain.using(groups)
            try keychain.expectRefusal(.missingEntitlement) {
                try own.transaction { () throws(KeychainError) in
                    try own.delete(Query(.genericPassword))
                    try own.delete(Query(.genericPassword, .account("a", in: "foreign")))
                }
            }
        }
    }

    private static let lists: [(name: String, groups: AccessGroups)] = [
        ("one group", AccessGroups("own")),
        ("several groups", AccessGroups("own", others: ["shared", ""])),
    ]
}

extension ItemAttributes {
    fileprivate static func account(
        _ account: ByteString, in group: ByteString
    ) -> ItemAttributes {
        ItemAttributes {
            $0.account = account
            $0.accessGroup = group
        }
    }
}

extension Keychain {
    /// The access groups of all generic passwords, sorted.
    fileprivate func groups() throws -> [ByteString] {
        try items(.genericPassword).map { $0.attributes.accessGroup ?? "" }
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// Adds the same item of each class to some groups and to others.
    ///
    /// - Returns: The other groups' items.
    fileprivate func fillGroups(besides groups: AccessGroups) throws -> [Item] {
        for group in [groups.first] + groups.others + ["foreign", "own2", "OWN", "git"] {
            for itemClass in passwordClasses {
                try add(itemClass, .account("a", in: group), secret: Secret("s"))
            }
        }
        return try contents().filter { !groups.contains($0.attributes.accessGroup ?? "") }
    }
}
