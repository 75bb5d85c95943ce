internal import Keychain

extension ItemImporter {
    /// What became of an item.
    enum Outcome {
        case new, same, changed, differs, uncompared, repeated
        case failed(KeychainError)
    }

    /// Puts the items that were taken into the keychain.
    func putAll() throws(KeychainError) -> [Outcome] {
        var outcomes: [Outcome] = []
        outcomes.reserveCapacity(pending.count)
        let items = pending.map(\.item)
        // Most are new, or most were imported before: what the last one was tells.
        var isNewExpected = true
        while outcomes.count < pending.count {
            if isNewExpected, let added = try keychain.add(items[outcomes.count...]) {
                outcomes.append(contentsOf: repeatElement(.new, count: added))
                guard outcomes.count < pending.count else {
                    break
                }
            }
            let outcome = try outcome(ofPutting: pending[outcomes.count])
            if case .new = outcome {
                isNewExpected = true
            } else {
                isNewExpected = false
            }
            outcomes.append(outcome)
        }
        return outcomes
    }

    private func outcome(ofPutting item: ImportedItem) throws(KeychainError) -> Outcome {
        do throws(KeychainError) {
            return try put(item)
        } catch {
            guard error.isOfOneItem else {
                throw error
            }
            return .failed(error)
        }
    }

    private func put(_ imported: ImportedItem) throws(KeychainError) -> Outcome {
        let item = imported.item
        guard let there = try compare(item) else {
            try keychain.add(
                item.itemClass, item.attributes, secret: item.secret, keepsDates: true)
            return .new
        }
        guard !there.isSame else {
            return .same
        }
        // The first one of a file has come first at every import.
        guard !imported.isRepeated else {
            return .repeated
        }
        guard options.replaces else {
            return .differs
        }
        var changes = item.attributes
        changes.accessible =
            changes.accessible
            ?? keychain.changesForNewSecret(of: there.attributes).accessible
        let place = Query(identityOf: item.attributes, item.itemClass)
        try keychain.update(place, changes, secret: item.secret.copy())
        return .changed
    }

    private func compare(_ item: NewItem) throws(KeychainError) -> ComparedItem? {
        try keychain.compared(item.itemClass, item.attributes, item.secret, by: .login)
    }

    /// What would become of the items that were taken.
    func lookAll() throws(KeychainError) -> [Outcome] {
        var outcomes: [Outcome] = []
        for item in pending {
            do throws(KeychainError) {
                outcomes.append(try look(item))
            } catch {
                guard error.isOfOneItem else {
                    throw error
                }
                outcomes.append(.failed(error))
            }
        }
        return outcomes
    }

    /// What would become of an item. A locked keychain stays locked.
    private func look(_ item: ImportedItem) throws(KeychainError) -> Outcome {
        if !isLocked {
            do throws(KeychainError) {
                return outcome(of: item, try compare(item.item))
            } catch {
                guard error.status == .interactionNotAllowed else {
                    throw error
                }
                isLocked = true
            }
        }
        var isThere = false
        var query = Query(identityOf: item.item.attributes, item.item.itemClass)
        query.returns = .attributes
        try keychain.forEachMatch(query) { _ in
            isThere = true
            return .stop
        }
        return isThere ? .uncompared : outcome(of: item, nil)
    }

    private func outcome(of item: ImportedItem, _ there: ComparedItem?) -> Outcome {
        switch there {
        case nil where item.isRepeatedWhole: .same
        case nil: item.isRepeated ? .repeated : .new
        case .some(let there) where there.isSame: .same
        case .some: item.isRepeated ? .repeated : options.replaces ? .changed : .differs
        }
    }
}
