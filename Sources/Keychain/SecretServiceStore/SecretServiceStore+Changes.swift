#if SecretService
public import KeychainServices

extension SecretServiceStore {
    /// Changes every item that matches a query: all of them or none, as far as the service can undo
    /// a change.
    ///
    /// An item whose identity changes is replaced: the new item of the service is created before
    /// the old one is deleted. It keeps its reference.
    ///
    /// - Throws: ``Status/duplicateItem`` if an item would take another one's identity,
    ///   ``Status/authFailed`` for an accessibility that needs a passphrase; what
    ///   ``SecretServiceStore`` says.
    ///
    /// The corresponding methods are SetSecret of org.freedesktop.Secret.Item and Set of
    /// org.freedesktop.DBus.Properties.
    public func update(
        _ query: Query, _ changes: ItemAttributes, secret: borrowing Secret?
    ) throws(KeychainError) -> Int {
        let kept: SecretBox?
        switch secret {
        case .some(let secret): kept = SecretBox(secret.copy())
        case .none: kept = nil
        }
        let count = try perform { link throws(KeychainError) in
            let (planned, items) = try plan(query, changes, kept, link)
            guard held != nil || !planned.contains(where: \.changesIdentity) else {
                return nil as Int?
            }
            try hold(or: planned, link)
            return items.count
        }
        if let count {
            return count
        }
        // Replacing an item includes deleting the old one.
        return try perform(.deleting) { link throws(KeychainError) in
            let (planned, items) = try plan(query, changes, kept, link)
            try hold(or: planned, link)
            return items.count
        }
    }

    /// Returns the items without those that a killed service left without a secret, if there are
    /// others.
    private func wholeItems(
        _ items: [StoredItem], _ link: ServiceLink
    ) throws(KeychainError) -> [StoredItem] {
        guard items.count > 1 else {
            return items
        }
        var whole: [StoredItem] = []
        for item in items where try !areUnfinished([item], link) {
            whole.append(item)
        }
        return whole
    }

    /// Returns the changes of an update, and the items that it matches.
    private func plan(
        _ query: Query, _ changes: ItemAttributes, _ kept: SecretBox?, _ link: ServiceLink
    ) throws(KeychainError) -> ([PendingChange], [StoredItem]) {
        let items = try wholeItems(matching(query, link), link)
        var planned: [PendingChange] = []
        for item in items {
            let change = heldChange(of: item)
            var attributes = item.attributes.merging(changes)
            try attributes.checkStorable()
            try SecretServiceStore.checkAccessible(attributes)
            attributes.creationDate = item.attributes.creationDate
            change.attributes = attributes
            change.changed = nextMoment()
            change.secret = kept ?? change.secret
            planned.append(change)
        }
        try checkIdentities(planned, items, link)
        return (planned, items)
    }

    /// Deletes every item that matches a query: all of them or none, as far as the service allows
    /// it.
    ///
    /// - Throws: What ``SecretServiceStore`` says.
    ///
    /// The corresponding method is Delete of org.freedesktop.Secret.Item.
    public func delete(_ query: Query) throws(KeychainError) -> Int {
        try perform(.deleting) { link throws(KeychainError) in
            let items = try matching(query, link)
            let planned = items.map { item in
                let change = heldChange(of: item)
                change.attributes = nil
                return change
            }
            try hold(or: planned, link)
            return items.count
        }
    }

    /// Throws if an item would take another one's identity. Items that share one already, as
    /// different programs create them, may stay.
    private func checkIdentities(
        _ planned: [PendingChange], _ items: [StoredItem], _ link: ServiceLink
    ) throws(KeychainError) {
        var identities: Set<ItemIdentity> = []
        for (change, item) in zip(planned, items) {
            guard let result = change.result else {
                continue
            }
            guard result.identity != item.identity else {
                continue
            }
            guard identities.insert(result.identity).inserted else {
                throw KeychainError(.duplicateItem)
            }
            let query = Query(
                identityOf: result.attributes, result.reference.itemClass)
            for other in try matching(query, link)
            where other.remote.path != item.remote.path && other.identity == result.identity {
                throw KeychainError(.duplicateItem)
            }
        }
    }

    /// Returns the change to start from: what the transaction already has for the item, or an empty
    /// one.
    private func heldChange(of item: StoredItem) -> PendingChange {
        let change: PendingChange
        if let before = held?.changes[item.remote.path] {
            change = PendingChange(before.item)
            change.attributes = before.attributes
            change.changed = before.changed
            change.secret = before.secret
        } else {
            change = PendingChange(item)
        }
        return change
    }

    /// Saves changes for the end of the transaction, or applies them now if there is none.
    private func hold(or planned: [PendingChange], _ link: ServiceLink) throws(KeychainError) {
        if held == nil {
            try apply(planned, link)
        } else {
            for change in planned {
                held?.changes[change.item.remote.path] = change
            }
        }
    }
}
#endif
