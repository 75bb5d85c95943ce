#if SecretService
internal import KeychainServices

extension SecretServiceStore {
    /// How many questions are on their way at once; some buses allow 128.
    private static let batch = 64

    /// The items that a query means, as they are in the transaction, those added or changed last
    /// first.
    ///
    /// - Parameter needsSession: Whether a session will be needed then: it is opened meanwhile.
    func matching(
        _ query: Query, _ link: ServiceLink, needsSession: Bool
    ) throws(KeychainError) -> [StoredItem] {
        var items = try unlocking(link) { () throws(KeychainError) in
            try stored(query, link, needsSession: needsSession)
        }
        if let held {
            items = held.applied(to: items)
        }
        items.removeAll {
            !query.matches($0.reference.itemClass, $0.attributes, id: $0.reference.id)
        }
        items.sort { ($0.changed, $0.remote.path) > ($1.changed, $1.remote.path) }
        return items
    }

    /// Items of the service among which are all that a query means.
    private func stored(
        _ query: Query, _ link: ServiceLink, needsSession: Bool
    ) throws(KeychainError) -> [StoredItem] {
        if let id = query.ids.first, let path = paths[id] {
            if needsSession {
                _ = try link.session()
            }
            let items = try load([path], link).filter { $0.reference.id == id }
            if !items.isEmpty {
                return items
            }
        }
        let found = try search(query, link, needsSession: needsSession)
        if found.isEmpty {
            try checkSearchable(link)
        }
        return try load(try withoutOtherServers(found, query, link), link)
    }

    /// The paths without those of git's logins at other servers, where many were found only as the letter
    /// case means nothing. All that an item has takes the service several times as long as its attributes.
    private func withoutOtherServers(
        _ paths: [String], _ query: Query, _ link: ServiceLink
    ) throws(KeychainError) -> [String] {
        guard query.ignoresCase, let server = query.attributes.server?.lowercasedASCII,
            paths.count > SecretServiceStore.fewItems
        else {
            return paths
        }
        var kept: [String] = []
        try forEachReply(
            to: "Get",
            .tuple(.string(ByteString(RemoteItem.interface)), .string("Attributes")),
            answer: "(v)", paths, link
        ) { path, answer throws(KeychainError) in
            let attributes = answer.child(0).content.attributeList
            let isGits = [SchemaName.git, SchemaName.network].contains(attributes[SchemaName.key])
            if !isGits || attributes["server"]?.lowercasedASCII == server {
                kept.append(path)
            }
        }
        return kept
    }

    /// How many items are looked at as a whole in any case.
    private static let fewItems = 8

    /// Asks a property of items, many at once, and hands over the answers of those that are there.
    private func forEachReply(
        to method: String, _ arguments: borrowing Variant, answer: StaticString,
        _ paths: [String], _ link: ServiceLink,
        _ body: (String, borrowing Variant) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        var rest = paths[...]
        while !rest.isEmpty {
            let batch = rest.prefix(SecretServiceStore.batch)
            rest = rest.dropFirst(batch.count)
            let replies = batch.map { path in
                link.bus.send(
                    path, ServiceLink.propertiesInterface, method, arguments, answer: answer)
            }
            for (path, reply) in zip(batch, replies) {
                try link.bus.loop.wait { reply.isThere }
                let properties: Variant
                do throws(KeychainError) {
                    properties = try reply.take()
                } catch {
                    guard error.status == .itemNotFound else {
                        throw error
                    }
                    continue
                }
                try body(path, properties)
            }
        }
    }

    /// KeePassXC finds nothing at all while the database is locked, where gnome-keyring says that there
    /// is something.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` then.
    private func checkSearchable(_ link: ServiceLink) throws(KeychainError) {
        if try !isGnomeKeyring(link), try link.collectionProperty("Locked").isTrue,
            try link.collectionProperty("Items").count == 0
        {
            throw KeychainError(.interactionNotAllowed)
        }
    }

    /// The paths of the items that the service finds for a query, and more.
    private func search(
        _ query: Query, _ link: ServiceLink, needsSession: Bool
    ) throws(KeychainError) -> [String] {
        var narrowings: [Narrowing] = []
        for narrowing in itemSchemas.flatMap({ $0.narrowings(query) })
        where !narrowings.contains(narrowing) {
            narrowings.append(narrowing)
        }
        if narrowings.contains(.everything) {
            if needsSession {
                _ = try link.session()
            }
            return try link.collectionProperty("Items").pathList
        }
        var replies: [Reply] = []
        for case .attributes(let wanted) in narrowings {
            replies.append(
                try link.send("SearchItems", .tuple(.attributes(wanted)), answer: "(ao)"))
        }
        if needsSession {
            _ = try link.session()
        }
        var paths: [String] = []
        for reply in replies {
            for path in try link.wait(reply).child(0).pathList where !paths.contains(path) {
                paths.append(path)
            }
        }
        return paths
    }

    /// The items at these paths, without those that are no longer there and those of other
    /// programs.
    private func load(
        _ paths: [String], _ link: ServiceLink
    ) throws(KeychainError) -> [StoredItem] {
        var items: [StoredItem] = []
        try forEachReply(
            to: "GetAll", .tuple(.string(ByteString(RemoteItem.interface))), answer: "(a{sv})",
            paths, link
        ) { path, properties throws(KeychainError) in
            if let item = try loaded(path, properties) {
                self.paths[item.reference.id] = path
                items.append(item)
            }
        }
        return items
    }

    /// - Throws: ``Status/interactionNotAllowed`` for an item that the service itself can't read yet.
    private func loaded(
        _ path: String, _ properties: borrowing Variant
    ) throws(KeychainError) -> StoredItem? {
        guard let item = RemoteItem(path, properties: properties) else {
            return nil
        }
        guard !item.isSealed else {
            throw KeychainError(.interactionNotAllowed)
        }
        guard let stored = StoredItem(item) else {
            foreign[path] = item.shownName
            return nil
        }
        return stored
    }
}

extension Query {
    /// A query for the items that are the same as one with these attributes would be.
    init(sameAs itemClass: ItemClass, _ attributes: ItemAttributes) {
        self.init(itemClass)
        var wanted = ItemAttributes()
        wanted.accessGroup = attributes.accessGroup ?? ""
        wanted.account = attributes.account ?? ""
        if itemClass == .internetPassword {
            wanted.securityDomain = attributes.securityDomain ?? ""
            wanted.server = attributes.server ?? ""
            wanted.protocol = attributes.protocol ?? ProtocolType(rawValue: "")
            wanted.authenticationType =
                attributes.authenticationType
                ?? AuthenticationType(rawValue: FourCharacterCode(rawValue: 0))
            wanted.port = attributes.port ?? 0
            wanted.path = attributes.path ?? ""
        } else {
            wanted.service = attributes.service ?? ""
        }
        self.attributes = wanted
        synchronizable =
            attributes.synchronizable == true ? .synchronizable : .notSynchronizable
    }
}
#endif
