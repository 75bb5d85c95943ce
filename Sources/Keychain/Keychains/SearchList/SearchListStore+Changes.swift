internal import LanyardConfiguration
internal import LanyardPrompting
public import KeychainServices
internal import SealedStore

extension SearchListStore {
    /// Adds an item to the default keychain. If that one fails and a fallback is configured, the item goes
    /// there, with a warning.
    ///
    /// - Throws: What the keychain throws.
    public func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret,
        context: AuthenticationContext?
    ) throws(KeychainError) -> ItemReference {
        defer { hasChanged() }
        guard let name = list.defaultName else {
            return try addToFirstUsable(itemClass, attributes, secret: secret, context)
        }
        let keychain = keychain(name)
        do throws(KeychainError) {
            return try add(
                to: keychain, itemClass, attributes, secret: secret, context)
        } catch {
            guard list.names.count > 1 || list.fallback != nil, error.isOfUse else {
                throw error
            }
            guard let fallback = list.fallback, fallback != name else {
                throw KeychainError(
                    error.status,
                    "the default keychain '\(name)' can't be used: \(error.reason)",
                    hint: error.hint ?? "lanyard status")
            }
            let reference = try add(
                to: self.keychain(fallback), insteadOf: [keychain], itemClass, attributes,
                secret: secret, context)
            report.forget(keychain)
            printWarning(
                "stored in the keychain '\(fallback)', since '\(name)' can't be used: "
                    + error.reason)
            return reference
        }
    }

    /// Hands changes over to the team, once they are stored.
    private func hasChanged() {
        if openTransactions == 0 {
            BackgroundExchange.startAfterChange()
        }
    }

    private func add(
        to keychain: ListedKeychain, _ itemClass: ItemClass, _ attributes: ItemAttributes,
        secret: borrowing Secret, _ context: AuthenticationContext?
    ) throws(KeychainError) -> ItemReference {
        let reference = try keychain.storeOrNew().add(
            itemClass, attributes, secret: secret, context: context)
        origins.add(reference.id, of: keychain)
        report.stored()
        keychain.wasUsed()
        return reference
    }

    /// - Parameter homes: The keychains that the item was meant for.
    private func add(
        to keychain: ListedKeychain, insteadOf homes: [ListedKeychain], _ itemClass: ItemClass,
        _ attributes: ItemAttributes, secret: borrowing Secret, _ context: AuthenticationContext?
    ) throws(KeychainError) -> ItemReference {
        // Noted first: a program that is killed leaves a note too many rather than none.
        let elsewhere = StoredElsewhere(configuration.places)
        let noted = homes.filter { elsewhere.add(keychain.name, home: $0.name) }
        do throws(KeychainError) {
            return try add(to: keychain, itemClass, attributes, secret: secret, context)
        } catch {
            for home in noted {
                elsewhere.remove(keychain.name, home: home.name)
            }
            throw error
        }
    }

    private func addToFirstUsable(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret,
        _ context: AuthenticationContext?
    ) throws(KeychainError) -> ItemReference {
        var failure: KeychainError?
        var missed: [ListedKeychain] = []
        for keychain in keychains {
            do throws(KeychainError) {
                return try add(
                    to: keychain, insteadOf: missed, itemClass, attributes, secret: secret, context)
            } catch {
                // A chosen keychain that is merely locked gets no replacement: the user meant that one.
                let isBusy = error.status == .databaseLocked
                let isSkipped =
                    keychain.isImplicit
                    ? error.isOfUse || isBusy
                    : error.status == .notAvailable || error.isOfLanyardItself
                guard isSkipped else {
                    throw error
                }
                _ = note(error, of: keychain)
                if report.isWorthTelling(keychain, error) {
                    missed.append(keychain)
                }
                failure = error
            }
        }
        throw failure ?? KeychainError(.noSuchKeychain)
    }

    /// The keychain that new items would go to, as far as known.
    private var firstUsable: ListedKeychain? { keychains.first { $0.failure == nil } }

    /// Throws if an item can't ask at each use in its keychain, or in the one that new items go to, as far as
    /// known.
    ///
    /// - Parameter reference: The item, nil for a new one.
    /// - Throws: ``Status/authFailed`` if the keychain has nothing to ask for.
    package func checkAsking(_ reference: ItemReference?) throws(KeychainError) {
        let known = reference.flatMap { origins[$0.id] }
        let keychain = known ?? list.defaultName.map { self.keychain($0) } ?? firstUsable
        let store: (any KeychainStore)?
        do throws(KeychainError) {
            store = try keychain?.store()
        } catch {
            // Why it can't be used is reported where the item is stored.
            return
        }
        if let store = store as? SealedStore {
            try store.checkAsking()
        } else if store == nil, keychain != nil {
            // It is created with its first item, without a passphrase.
            throw SealedStore.noPassphrase
        }
    }

    /// Changes the items that match a query, in every keychain that works.
    ///
    /// - Throws: What a keychain throws, if it works or no other has such an item. Items in the keychains
    ///   before it have changed then.
    public func update(
        _ query: Query, _ changes: ItemAttributes, secret: borrowing Secret?
    ) throws(KeychainError) -> Int {
        try inEachKeychain(of: query) { keychain throws(KeychainError) in
            let changed = try keychain.store()?.update(query, changes, secret: secret) ?? 0
            if changed > 0 {
                keychain.wasUsed()
            }
            return changed
        }
    }

    /// Deletes the items that match a query, in every keychain that works.
    ///
    /// - Throws: As ``update(_:_:secret:)``.
    public func delete(_ query: Query) throws(KeychainError) -> Int {
        try inEachKeychain(of: query) { keychain throws(KeychainError) in
            let deleted = try keychain.store()?.delete(query) ?? 0
            if deleted > 0 {
                keychain.hasFewerItems()
            }
            return deleted
        }
    }

    /// Returns the number of items that a closure changes in all keychains that work.
    private func inEachKeychain(
        of query: Query, _ body: (ListedKeychain) throws(KeychainError) -> Int
    ) throws(KeychainError) -> Int {
        defer { hasChanged() }
        var count = 0
        var failure: Failure?
        let keychains = keychains(for: query)
        for keychain in keychains {
            do throws(KeychainError) {
                count += try body(keychain)
            } catch {
                try passOver(keychain, error, of: keychains.count, &failure)
            }
        }
        if let failure, count == 0 {
            throw thrown(failure)
        }
        return count
    }

    /// Runs a closure in a transaction of the default keychain, if it works, and of each keychain in which
    /// something was found.
    ///
    /// - Throws: What the closure and the keychains throw.
    public func transaction(_ body: () throws(KeychainError) -> Void) throws(KeychainError) {
        openTransactions += 1
        defer {
            openTransactions -= 1
            hasChanged()
        }
        try transaction(in: participants()[...], body)
    }

    /// Runs a closure that only reads; with a single keychain besides those known to be unusable, in that one's read
    /// transaction.
    ///
    /// - Throws: What the closure and the keychain throw.
    public func readTogether(_ body: () throws(KeychainError) -> Void) throws(KeychainError) {
        let usable = keychains.filter { $0.failure == nil }
        guard usable.count == 1, let store = try usable[0].store() else {
            return try body()
        }
        try store.readTogether(body)
    }

    /// Returns the keychains that take part in a transaction.
    private func participants() -> [ListedKeychain] {
        var participants: [ListedKeychain] = []
        if let name = list.defaultName {
            participants.append(keychain(name))
        } else if let firstUsable {
            participants.append(firstUsable)
        }
        for keychain in keychains
        where origins.contains(keychain)
            && !participants.contains(where: { $0 === keychain })
        {
            participants.append(keychain)
        }
        // A caller that needs an unusable keychain gets the error from the call itself.
        return participants.filter { keychain in
            _ = try? keychain.store()
            return keychain.failure == nil
        }
    }

    private func transaction(
        in participants: ArraySlice<ListedKeychain>, _ body: () throws(KeychainError) -> Void
    ) throws(KeychainError) {
        guard let first = participants.first else {
            return try body()
        }
        var hasBegun = false
        var isDone = false
        do throws(KeychainError) {
            try first.storeOrNew().transaction { () throws(KeychainError) in
                hasBegun = true
                isDone = false
                try transaction(in: participants.dropFirst(), body)
                isDone = true
            }
        } catch {
            // A keychain that was skipped on the way has nothing to commit.
            if isDone, first.failure != nil, !first.hasChanged {
                return
            }
            // What can't be written has no transaction: the fallback gets what is new.
            if !hasBegun, error.isOfUse, list.fallback != nil, list.fallback != first.name {
                return try transaction(in: participants.dropFirst(), body)
            }
            throw error
        }
    }
}
