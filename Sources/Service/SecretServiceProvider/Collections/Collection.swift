#if SecretService
internal import LanyardConfiguration
internal import KeychainServices
internal import LinuxSystem
internal import SealedStore

/// A collection of items. The corresponding section of the specification is "Collections".
final class Collection {
    /// The name of its keychain, or ``session``.
    let name: String
    private let source: any CollectionSource
    private let scope: ServiceScope
    private(set) var catalog = ItemCatalog()
    private(set) var isLocked = false

    /// The collection that ends with the service.
    static let session = "session"

    init(name: String, _ source: any CollectionSource, _ scope: ServiceScope = ServiceScope()) {
        self.name = name
        self.source = source
        self.scope = scope
        _ = refresh()
    }

    var path: ObjectPath { .collection(name) }

    /// When its first item was created and its last one changed, in seconds since the epoch; 0 without items.
    var dates: (created: UInt64, modified: UInt64) { catalog.dates }

    /// Whether the uses of its items are logged.
    var logsUses: Bool { source.logsUses }

    /// The folders in which other programs' changes can be seen.
    var folders: Set<FolderWatch.Folder> { source.folders }

    /// Takes over the user's changed configuration.
    func follow(_ configuration: Configuration) {
        source.follow(configuration)
    }

    /// Closes its keychain after a call.
    func close() { source.close() }

    /// What has happened to a collection.
    struct News {
        var created: [ItemID] = []
        var changed: [ItemID] = []
        var deleted: [ItemID] = []
        var isLockChanged = false

        var isEmpty: Bool {
            created.isEmpty && changed.isEmpty && deleted.isEmpty && !isLockChanged
        }
    }

    /// Takes over what this service and other programs have changed.
    func refresh() -> News {
        var news = News()
        for change in source.changes() {
            let id = change.reference.id
            let isKnown = catalog[id] != nil
            guard let attributes = change.after, scope.shows(group: attributes.accessGroup),
                let item = ServedItem(change.reference, attributes)
            else {
                if isKnown {
                    catalog.remove(id)
                    news.deleted.append(id)
                }
                continue
            }
            catalog.set(item)
            if isKnown {
                news.changed.append(id)
            } else {
                news.created.append(id)
            }
        }
        news.isLockChanged = source.isLocked != isLocked
        isLocked = source.isLocked
        return news
    }

    /// Returns an item.
    ///
    /// - Throws: ``BusError/noSuchObject``.
    func item(_ id: ItemID) throws(BusError) -> ServedItem {
        guard let item = catalog[id] else {
            throw .noSuchObject
        }
        return item
    }

    /// Whether clients see an item as locked.
    func isLocked(_ item: ServedItem) -> Bool { isLocked || item.hasConditions }

    /// Locks it.
    ///
    /// - Returns: Whether it is locked now: a keychain without a passphrase can't be locked.
    func lock() throws(BusError) -> Bool {
        try busErrors { () throws(KeychainError) in try source.lock() }
        return isLocked
    }
}

// Secrets.
extension Collection {
    /// Reads an item's secret.
    ///
    /// - Throws: ``BusError/isLocked``, ``BusError/noSuchObject``.
    func secret(_ id: ItemID, _ context: AuthenticationContext?) throws(BusError) -> Secret {
        let item = try item(id)
        guard !isLocked(item) else {
            throw .isLocked
        }
        var query = query(item, context)
        query.match.authenticationUI = .fail
        query.returns = .data
        return try use { keychain throws(KeychainError) in
            guard let found = try keychain.firstMatch(of: query) else {
                throw KeychainError(.itemNotFound)
            }
            switch consume found {
            case let item: return try Collection.secret(of: item)
            }
        }
    }

    /// Uses the keychain for a call, and notes whether it waited in vain for another program.
    private func use<Result: ~Copyable>(
        _ body: (Keychain) throws(KeychainError) -> Result
    ) throws(BusError) -> Result {
        do throws(KeychainError) {
            let result = try body(source.keychain())
            source.isBusy = false
            return result
        } catch {
            source.isBusy = error.status == .databaseLocked
            throw BusError(error)
        }
    }

    private static func secret(of item: borrowing MatchedItem) throws(KeychainError) -> Secret {
        switch item.secret {
        case .some(let secret): return secret.copy()
        case .none: throw KeychainError(.itemNotFound)
        }
    }

    private func query(_ item: ServedItem, _ context: AuthenticationContext?) -> Query {
        var query = Query(item.reference)
        query.context = context
        return query
    }

    /// Creates an item, or replaces the one with the same attributes.
    ///
    /// - Returns: Its id; that of another item if the keychain has no form in which the replaced one can stay.
    func store(
        _ attributes: [ByteString: ByteString], label: ByteString, contentType: ByteString,
        secret: borrowing Secret, replaces: Bool, _ context: AuthenticationContext?
    ) throws(BusError) -> ItemID {
        guard !isLocked else {
            throw .isLocked
        }
        try checkSize(secret)
        guard replaces, let item = catalog.item(withExactly: attributes) else {
            if let limits = source.limits, catalog.count >= limits.items {
                throw .limitsExceeded("the collection has \(limits.items) items, the most it takes")
            }
            return try add(attributes, label: label, contentType: contentType, secret, context)
        }
        if item.changes(to: attributes, label: label, contentType: contentType) != nil {
            try change(
                item, attributes, label: label, contentType: contentType, .some(secret.copy()),
                context)
            return item.reference.id
        }
        let id = try add(attributes, label: label, contentType: contentType, secret, context)
        try delete(item.reference.id, context)
        return id
    }

    /// Changes an item's secret.
    func setSecret(
        _ id: ItemID, _ secret: borrowing Secret, contentType: ByteString,
        _ context: AuthenticationContext?
    ) throws(BusError) {
        let item = try item(id)
        guard !isLocked(item) else {
            throw .isLocked
        }
        try checkSize(secret)
        try change(
            item, item.attributes, label: item.label, contentType: contentType,
            .some(secret.copy()), context)
    }

    private func checkSize(_ secret: borrowing Secret) throws(BusError) {
        if let limits = source.limits, secret.count > limits.secret {
            throw .limitsExceeded("the collection takes no secret over \(limits.secret) bytes")
        }
    }

    /// Changes an item's label or attributes.
    func change(
        _ id: ItemID, attributes: [ByteString: ByteString]? = nil, label: ByteString? = nil
    ) throws(BusError) {
        let item = try item(id)
        guard !isLocked(item) else {
            throw .isLocked
        }
        try change(
            item, attributes ?? item.attributes, label: label ?? item.label,
            contentType: item.contentType, nil, nil)
    }

    /// Deletes an item.
    func delete(_ id: ItemID, _ context: AuthenticationContext?) throws(BusError) {
        let item = try item(id)
        guard !isLocked(item) else {
            throw .isLocked
        }
        try use { keychain throws(KeychainError) in
            try keychain.delete(query(item, context))
        }
        source.hasChanged()
    }

    private func add(
        _ attributes: [ByteString: ByteString], label: ByteString, contentType: ByteString,
        _ secret: borrowing Secret, _ context: AuthenticationContext?
    ) throws(BusError) -> ItemID {
        try use { keychain throws(KeychainError) in
            var numbers = AlikeNumbers()
            while true {
                let (itemClass, stored) = ServedItem.stored(
                    attributes, label: label, contentType: contentType, number: numbers.next())
                try scope.check(stored.accessGroup)
                do throws(KeychainError) {
                    let added = try keychain.add(
                        itemClass, stored, secret: secret, returns: .reference, context: context)
                    if let added, let reference = added.reference {
                        source.hasChanged()
                        return reference.id
                    }
                    throw KeychainError(.itemNotFound)
                } catch  where error.status == .duplicateItem && numbers.areLeft {
                }
            }
        }
    }

    private func change(
        _ item: ServedItem, _ attributes: [ByteString: ByteString], label: ByteString,
        contentType: ByteString, _ secret: borrowing Secret?, _ context: AuthenticationContext?
    ) throws(BusError) {
        try use { keychain throws(KeychainError) in
            var numbers = AlikeNumbers()
            while true {
                guard
                    let changes = item.changes(
                        to: attributes, label: label, contentType: contentType,
                        number: numbers.next())
                else {
                    throw KeychainError(
                        .param, "an item of git or docker can't get other programs' attributes")
                }
                if changes.entries.isEmpty, secret == nil {
                    return
                }
                if let group = changes.accessGroup {
                    try scope.check(group)
                }
                do throws(KeychainError) {
                    try keychain.update(query(item, context), changes, secret: secret)
                    return source.hasChanged()
                } catch  where error.status == .duplicateItem && numbers.areLeft {
                }
            }
        }
    }
}

/// The numbers that tell apart items which would be the same in the keychain: at first small ones, then any, so
/// that few are tried however many items there are.
private struct AlikeNumbers {
    private var tried = 0

    /// Whether it is worth trying another one.
    var areLeft: Bool { tried < 16 }

    mutating func next() -> Int {
        tried += 1
        return tried <= 4 ? tried : Int.random(in: 1_000..<1_000_000_000)
    }
}

/// Runs a closure, and throws its errors in D-Bus' form.
func busErrors<Result: ~Copyable>(
    _ body: () throws(KeychainError) -> Result
) throws(BusError) -> Result {
    do throws(KeychainError) {
        return try body()
    } catch {
        throw BusError(error)
    }
}
#endif
