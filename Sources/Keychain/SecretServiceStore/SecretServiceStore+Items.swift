#if SecretService
internal import CLibsecret
public import KeychainServices

extension SecretServiceStore {
    /// The number of secrets to fetch at once.
    private static let secretBatch = 32

    /// Adds an item in the form of the program that it is for.
    ///
    /// - Throws: ``Status/duplicateItem`` if an item with its identity exists;
    ///   ``Status/authFailed`` for an accessibility that needs a passphrase; what
    ///   ``SecretServiceStore`` says.
    ///
    /// The corresponding method is CreateItem of org.freedesktop.Secret.Collection. It is called
    /// without `replace`, which would also replace items with further attributes.
    public func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret,
        context: AuthenticationContext?
    ) throws(KeychainError) -> ItemReference {
        try SecretServiceStore.checkAccessible(attributes)
        let kept = SecretBox(secret.copy())
        let identity = ItemIdentity(itemClass, attributes)
        // The time of the first attempt: a service that ended before answering may have stored it,
        // and is asked again.
        var moment: Int64?
        let added = try perform(.adding(identity)) { link throws(KeychainError) -> Added in
            let query = Query(identityOf: attributes, itemClass)
            // With this lock no other process of Lanyard adds it.
            let isAbsent = absence != nil && turn?.isTaken == true
            absence = nil
            let twins =
                isAbsent ? [] : try matching(query, link).filter { $0.identity == identity }
            if let moment, let own = twins.first(where: { $0.changed == moment }) {
                return Added(own: own, obsolete: [])
            }
            guard try areUnfinished(twins, link) else {
                throw KeychainError(.duplicateItem)
            }
            let changed = nextMoment()
            moment = changed
            let written = WrittenItem(adding: itemClass, attributes, kept, changed: changed)
            let path = try create(written, kept, link)
            let added =
                turn?.isTaken == true
                ? Added(own: own(path, written, changed), obsolete: twins.map(\.remote.path))
                : try onlyOne(path, identity, query, besides: twins, link)
            held?.added.append(path)
            return added
        }
        try delete(added.obsolete)
        guard let own = added.own else {
            throw KeychainError(.duplicateItem)
        }
        return own.reference
    }

    /// The result of adding an item.
    private struct Added {
        /// The item, nil if it must be deleted because another program added it at the same moment.
        var own: StoredItem?
        /// The paths of the items to delete.
        var obsolete: [String]
    }

    /// Deletes items under a lock for deleting.
    private func delete(_ paths: [String]) throws(KeychainError) {
        guard !paths.isEmpty else {
            return
        }
        try perform(.deleting) { link throws(KeychainError) in
            for path in paths {
                try deleteItem(path, link)
            }
        }
    }

    /// Returns a new item as the service now has it, without asking the service.
    private func own(_ path: String, _ written: WrittenItem, _ changed: Int64) -> StoredItem? {
        let now = changed / ItemDates.second
        let own = StoredItem(
            RemoteItem(
                path: path, label: written.label, attributes: written.attributes, created: now,
                modified: now))
        if let own {
            paths[own.reference.id] = path
        }
        return own
    }

    /// Resolves a race between programs that added an item at the same moment without locks. The
    /// first item stays if the others give way; otherwise this one is deleted.
    ///
    /// - Parameter unfinished: Earlier items that are incomplete.
    private func onlyOne(
        _ path: String, _ identity: ItemIdentity, _ query: Query, besides unfinished: [StoredItem],
        _ link: ServiceLink
    ) throws(KeychainError) -> Added {
        let obsolete = unfinished.map(\.remote.path)
        for _ in 0..<SecretServiceStore.looks {
            let twins = try matching(query, link)
                .filter { $0.identity == identity && !obsolete.contains($0.remote.path) }
            guard let own = twins.first(where: { $0.remote.path == path }) else {
                throw KeychainError(.io, "the Secret Service did not store the item")
            }
            guard twins.count > 1 else {
                return Added(own: own, obsolete: obsolete)
            }
            let isFirst = twins.allSatisfy {
                ($0.changed, $0.remote.path) >= (own.changed, own.remote.path)
            }
            guard isFirst else {
                break
            }
            g_usleep(20_000)
        }
        return Added(own: nil, obsolete: obsolete + [path])
    }

    private static let looks = 10

    /// Passes the items that match a query to a closure, by default most recently added or changed
    /// first.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if requested secrets are locked, what the closure
    ///   throws, what ``SecretServiceStore`` says.
    ///
    /// The corresponding methods are SearchItems of org.freedesktop.Secret.Collection and
    /// GetSecrets of org.freedesktop.Secret.Service.
    public func forEachMatch(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        isAskingSuppressed = !query.match.mayAsk
        defer { isAskingSuppressed = false }
        let returnsSecrets = query.returns.contains(.data)
        // A transaction mostly adds an item after searching for it in vain.
        let identity =
            held == nil ? nil : query.wholeIdentity.map { ItemIdentity(query.itemClass!, $0) }
        let items = try perform(identity.map { .adding($0) } ?? .using) {
            link throws(KeychainError) in
            let items = try matching(query, link)
            absence = items.isEmpty && identity != nil ? turn : nil
            return items
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
                    // Deleted meanwhile, or incomplete.
                    guard let kept = secrets[item.remote.path], !item.isUnfinished(kept) else {
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

    /// Returns the secrets of items, including the transaction's changes.
    private func currentSecrets(
        _ items: ArraySlice<StoredItem>
    ) throws(KeychainError) -> [String: SecretBox] {
        let changed = held?.secrets ?? [:]
        let paths = items.map(\.remote.path).filter { changed[$0] == nil }
        let stored = try perform { link throws(KeychainError) in try secrets(of: paths, link) }
        return stored.merging(changed) { _, changed in changed }
    }

    /// Throws for an accessibility or an access control that needs a passphrase, because this program
    /// knows none here.
    static func checkAccessible(_ attributes: ItemAttributes) throws(KeychainError) {
        try attributes.checkUnconditional()
        if attributes.accessible == .whenPasscodeSetThisDeviceOnly {
            throw KeychainError(
                .authFailed, "the Secret Service can't store items that need a passphrase")
        }
    }
}
#endif
