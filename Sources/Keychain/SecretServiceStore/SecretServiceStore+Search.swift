#if SecretService
internal import KeychainServices

extension SecretServiceStore {
    /// Returns the items that match a query, including the transaction's changes, most recently
    /// added or changed first.
    func matching(
        _ query: Query, _ link: ServiceLink
    ) throws(KeychainError) -> [StoredItem] {
        var items = try unlocking(link) { () throws(KeychainError) in
            try stored(query, link)
        }
        if let held {
            items = held.applied(to: items)
        }
        items.removeAll {
            !query.matches($0.reference.itemClass, $0.attributes, id: $0.reference.id)
        }
        items.sort { ($0.changed, $0.remote.path) > ($1.changed, $1.remote.path) }
        return query.match.order == .oldestFirst ? items.reversed() : items
    }

    /// Returns items of the service that include every match.
    private func stored(
        _ query: Query, _ link: ServiceLink
    ) throws(KeychainError) -> [StoredItem] {
        if let id = query.ids.first, let path = paths[id] {
            let items = try load([path], link).filter { $0.reference.id == id }
            if !items.isEmpty {
                return items
            }
        }
        let found = try search(query, link)
        if found.isEmpty {
            try checkSearchable(link)
        }
        return try load(found, link)
    }

    /// Throws if a locked database hides its items: KeePassXC then finds nothing, while
    /// gnome-keyring still reports items.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` then.
    private func checkSearchable(_ link: ServiceLink) throws(KeychainError) {
        guard try !link.isGnomeKeyring() else {
            return
        }
        let collection = try link.properties()
        if collection.isLocked, collection.itemPaths.isEmpty {
            throw KeychainError(.interactionNotAllowed)
        }
    }

    /// Returns the paths of the items that the service finds for a query, perhaps with others.
    private func search(
        _ query: Query, _ link: ServiceLink
    ) throws(KeychainError) -> [String] {
        var narrowings: [Narrowing] = []
        for narrowing in itemSchemas.flatMap({ $0.narrowings(query) })
        where !narrowings.contains(narrowing) {
            narrowings.append(narrowing)
        }
        if narrowings.contains(.everything) {
            return try link.properties().itemPaths
        }
        var paths: [String] = []
        for case .attributes(let wanted) in narrowings {
            for path in try link.search(wanted) where !paths.contains(path) {
                paths.append(path)
            }
        }
        return paths
    }

    /// Returns the items at these paths, without deleted ones and those of other programs.
    private func load(
        _ paths: [String], _ link: ServiceLink
    ) throws(KeychainError) -> [StoredItem] {
        var items: [StoredItem] = []
        for item in try link.items(paths) {
            if let item = try stored(item) {
                self.paths[item.reference.id] = item.remote.path
                items.append(item)
            }
        }
        return items
    }

    /// - Throws: ``Status/interactionNotAllowed`` for an item that the service itself can't read yet.
    private func stored(_ item: RemoteItem) throws(KeychainError) -> StoredItem? {
        guard !item.isSealed else {
            throw KeychainError(.interactionNotAllowed)
        }
        guard let stored = StoredItem(item) else {
            foreign[item.path] = item.shownName
            return nil
        }
        return stored
    }
}
#endif
