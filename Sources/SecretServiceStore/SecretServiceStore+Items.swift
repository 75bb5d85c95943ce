#if SecretService
internal import CGIO
public import Keychain

extension SecretServiceStore {
    /// How many secrets are fetched at once.
    private static let secretBatch = 32

    /// Adds an item, in the form of the program that it is for.
    ///
    /// - Throws: ``Status/duplicateItem`` if its identity exists; ``Status/authFailed`` for an
    ///   accessibility that takes a passphrase; what ``SecretServiceStore`` says.
    ///
    /// The corresponding method is CreateItem of org.freedesktop.Secret.Collection, never with
    /// `replace`, which would replace items that have further attributes, too.
    public func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret
    ) throws(KeychainError) -> ItemReference {
        try SecretServiceStore.checkAccessible(attributes)
        let kept = KeptSecret(secret.copy())
        return try perform(.changing) { link throws(KeychainError) in
            let identity = ItemIdentity(itemClass, attributes)
            let query = Query(sameAs: itemClass, attributes)
            guard
                try matching(query, link, needsSession: true)
                    .allSatisfy({ $0.identity != identity })
            else {
                throw KeychainError(.duplicateItem)
            }
            let written = WrittenItem(adding: itemClass, attributes, changed: nextMoment())
            let path = try create(written, kept, link)
            let unfinished = try askForUnfinished(link)
            let own = try onlyOne(path, identity, query, link)
            held?.added.append(path)
            sweep(unfinished, link)
            return own.reference
        }
    }

    /// Makes sure that of several programs that added an item in the same moment one is left: the first
    /// one, if the others give way, and none of those that have not seen it come.
    ///
    /// - Returns: The item that this program added.
    /// - Throws: ``Status/duplicateItem`` if it was taken away again.
    private func onlyOne(
        _ path: String, _ identity: ItemIdentity, _ query: Query, _ link: ServiceLink
    ) throws(KeychainError) -> StoredItem {
        for _ in 0..<SecretServiceStore.looks {
            let twins = try matching(query, link, needsSession: false)
                .filter { $0.identity == identity }
            guard let own = twins.first(where: { $0.remote.path == path }) else {
                throw KeychainError(.io, "the Secret Service did not keep the item")
            }
            guard twins.count > 1 else {
                return own
            }
            let isFirst = twins.allSatisfy {
                ($0.changed, $0.remote.path) >= (own.changed, own.remote.path)
            }
            guard isFirst else {
                break
            }
            g_usleep(20_000)
        }
        try deleteItem(path, link)
        throw KeychainError(.duplicateItem)
    }

    private static let looks = 10

    /// Hands the items that a query means to a closure, those added or changed last first.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if secrets are asked for and locked, what the
    ///   closure throws, what ``SecretServiceStore`` says.
    ///
    /// The corresponding methods are SearchItems of org.freedesktop.Secret.Collection and
    /// GetSecrets of org.freedesktop.Secret.Service.
    public func forEachMatch(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> Step
    ) throws(KeychainError) {
        let returnsSecrets = query.returns.contains(.data)
        let items = try perform { link throws(KeychainError) in
            try matching(query, link, needsSession: returnsSecrets)
        }
        var rest = items[...]
        var size = min(query.limit, SecretServiceStore.secretBatch)
        while !rest.isEmpty {
            let batch = rest.prefix(size)
            rest = rest.dropFirst(batch.count)
            size = SecretServiceStore.secretBatch
            let secrets = returnsSecrets ? try currentSecrets(batch) : [:]
            for item in batch {
                var secret: Secret?
                if returnsSecrets {
                    // Gone meanwhile.
                    guard let kept = secrets[item.remote.path] else {
                        continue
                    }
                    secret = kept.secret.copy()
                }
                let matched = MatchedItem(
                    item.reference, item.attributes, secret: secret, returns: query.returns)
                guard try body(matched) == .next else {
                    return
                }
            }
        }
    }

    /// The secrets of items as they are in the transaction.
    private func currentSecrets(
        _ items: ArraySlice<StoredItem>
    ) throws(KeychainError) -> [String: KeptSecret] {
        let changed = held?.secrets ?? [:]
        let paths = items.map(\.remote.path).filter { changed[$0] == nil }
        let stored = try perform { link throws(KeychainError) in try secrets(of: paths, link) }
        return stored.merging(changed) { _, changed in changed }
    }

    /// There is no passphrase here that this program knows of.
    static func checkAccessible(_ attributes: ItemAttributes) throws(KeychainError) {
        if attributes.accessible == .whenPasscodeSetThisDeviceOnly {
            throw KeychainError(
                .authFailed, "the Secret Service can't keep items only while there is a passphrase")
        }
    }
}
#endif
