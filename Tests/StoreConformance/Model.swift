import KeychainServices

/// What a keychain has to hold, as a plain dictionary.
struct Model {
    private var items: [ModelItem.Key: ModelItem] = [:]

    mutating func add(_ item: ModelItem, in groups: ModelGroups) -> Status {
        guard groups.mayUse(item.attributes) else {
            return .missingEntitlement
        }
        guard items[item.key] == nil else {
            return .duplicateItem
        }
        items[item.key] = item
        return .success
    }

    mutating func update(
        _ query: Query, _ changes: ItemAttributes, _ secret: [UInt8]?, in groups: ModelGroups,
        step: Int
    ) -> Status {
        guard groups.mayUse(query.attributes), groups.mayUse(changes) else {
            return .missingEntitlement
        }
        var left = items
        let meant = items.values.filter { groups.have($0) && $0.isMeant(by: query) }
        for item in meant {
            left[item.key] = nil
        }
        for var item in meant {
            item.change(changes, secret, step: step)
            guard left.updateValue(item, forKey: item.key) == nil else {
                return .duplicateItem
            }
        }
        items = left
        return meant.isEmpty ? .itemNotFound : .success
    }

    mutating func delete(_ query: Query, in groups: ModelGroups) -> Status {
        guard groups.mayUse(query.attributes) else {
            return .missingEntitlement
        }
        let count = items.count
        items = items.filter { !groups.have($0.value) || !$0.value.isMeant(by: query) }
        return items.count < count ? .success : .itemNotFound
    }

    /// The certificates that have their private key among the items.
    func identities(in groups: ModelGroups) -> [ModelItem] {
        items.values.filter { certificate in
            certificate.itemClass == .certificate && groups.have(certificate)
                && items.values.contains { groups.have($0) && $0.isPrivateKey(of: certificate) }
        }
    }

    mutating func deleteIdentities(in groups: ModelGroups) -> Status {
        let identities = identities(in: groups)
        for item in identities + identities.flatMap({ privateKeys(of: $0, in: groups) }) {
            items[item.key] = nil
        }
        return identities.isEmpty ? .itemNotFound : .success
    }

    /// The private keys of a certificate in its group; all if there are none.
    private func privateKeys(of certificate: ModelItem, in groups: ModelGroups) -> [ModelItem] {
        let all = items.values.filter { groups.have($0) && $0.isPrivateKey(of: certificate) }
        let near = all.filter {
            $0.attributes.accessGroup == certificate.attributes.accessGroup
        }
        return near.isEmpty ? all : near
    }

    /// Throws unless the keychain found exactly what the query means, in order. Items that one
    /// step changed may come in any order.
    func check(
        _ found: [Item], _ query: Query, in groups: ModelGroups
    ) throws(ConformanceFailure) {
        let meant = items.values.filter { groups.have($0) && $0.isMeant(by: query) }
        try expectEqual(found.count, meant.count, "items that match")
        var last = Int.max
        for item in found {
            guard let same = meant.first(where: { $0.isSame(as: item) }) else {
                throw ConformanceFailure("an item is not as it should be", #fileID, #line)
            }
            try expect(same.changed <= last, "the items are not in order")
            last = same.changed
        }
    }
}
