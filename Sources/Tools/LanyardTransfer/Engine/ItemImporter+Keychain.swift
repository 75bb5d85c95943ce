internal import KeychainServices

extension ItemImporter {
    /// The outcome of an item.
    enum Outcome {
        case new, same, changed, differs, repeated
        /// Its secret is not known without asking the user, of an item that asks at each use or a locked keychain.
        case uncompared(asks: Bool)
        case failed(KeychainError)

        /// Whether the keychain gained the item.
        var isWritten: Bool {
            switch self {
            case .new, .changed: true
            default: false
            }
        }
    }

    /// Stores items in the keychain.
    ///
    /// - Returns: Their outcomes, in order.
    func put(_ imported: ArraySlice<ImportedItem>) throws(KeychainError) -> [Outcome] {
        var outcomes: [Outcome] = []
        outcomes.reserveCapacity(imported.count)
        for item in imported {
            willPut()
            outcomes.append(try outcome(ofPutting: item))
        }
        return outcomes
    }

    private func outcome(ofPutting item: ImportedItem) throws(KeychainError) -> Outcome {
        do throws(KeychainError) {
            return try put(item)
        } catch  where error.isOfOneItem && !options.isAllOrNothing {
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
        // The first item of a file comes first at every import.
        guard seen.repetition(ofItem: imported.number) == .none else {
            return .repeated
        }
        guard options.replaces.includes(there.attributes, replacedBy: item.attributes) else {
            return outcomeOfLeaving
        }
        let place = Query(identityOf: item.attributes, item.itemClass)
        guard item.itemClass != .certificate else {
            // It can't be changed.
            try keychain.delete(place)
            try keychain.add(.certificate, item.attributes, secret: item.secret, keepsDates: true)
            return .changed
        }
        var changes = item.attributes
        if options.rule == .loginWithoutLabel {
            changes.label = nil
        }
        let changesForNewSecret = keychain.changesForNewSecret(of: there.attributes)
        changes.accessible = changes.accessible ?? changesForNewSecret.accessible
        changes.isNegative = changes.isNegative ?? changesForNewSecret.isNegative
        try keychain.update(place, changes, secret: item.secret.copy())
        return .changed
    }

    private func compare(_ item: NewItem) throws(KeychainError) -> ComparedItem? {
        try keychain.compared(item.itemClass, item.attributes, item.secret, by: options.rule)
    }

    /// Returns what would happen to the pending items. A locked keychain stays locked.
    func look(_ items: [ImportedItem]) throws(KeychainError) -> [Outcome] {
        defer { items.forEach { _ in willPut() } }
        try lookOnce(for: items[0].item)
        let before = order
        do throws(KeychainError) {
            return try keychain.readTogether { () throws(KeychainError) in
                order = before
                return try look(items) { item throws(KeychainError) in try lookIfUnlocked(item) }
            }
        } catch {
            guard error.status == .interactionNotAllowed else {
                throw error
            }
        }
        order = before
        return try look(items) { item throws(KeychainError) in
            do throws(KeychainError) {
                return try lookIfUnlocked(item)
            } catch {
                guard error.status == .interactionNotAllowed, !isLocked else {
                    throw error
                }
                let there = try attributes(inPlaceOf: item)
                let asks = there?.accessControl?.flags.isEmpty == false
                isLocked = !asks
                return there == nil ? outcome(of: item, nil) : .uncompared(asks: asks)
            }
        }
    }

    private func look(
        _ items: [ImportedItem], _ outcome: (ImportedItem) throws(KeychainError) -> Outcome
    ) throws(KeychainError) -> [Outcome] {
        var outcomes: [Outcome] = []
        try order?.look(for: items.lazy.map(\.item), in: keychain)
        for item in items {
            do throws(KeychainError) {
                outcomes.append(try outcome(item))
            } catch  where error.isOfOneItem {
                outcomes.append(.failed(error))
            }
        }
        return outcomes
    }

    /// Returns what would happen to an item; without its secret once the keychain turned out to be locked.
    private func lookIfUnlocked(_ item: ImportedItem) throws(KeychainError) -> Outcome {
        guard isLocked else {
            return outcome(of: item, try compare(item.item))
        }
        let there = try attributes(inPlaceOf: item)
        return there == nil ? outcome(of: item, nil) : .uncompared(asks: false)
    }

    /// Returns the attributes of the item in the keychain that has the place of one, nil without any.
    private func attributes(
        inPlaceOf item: ImportedItem
    ) throws(KeychainError) -> ItemAttributes? {
        var query = Query(identityOf: item.item.attributes, item.item.itemClass)
        query.returns = .attributes
        return try keychain.firstMatch(of: query)?.attributes
    }

    private func outcome(of item: ImportedItem, _ there: ComparedItem?) -> Outcome {
        let repetition = seen.repetition(ofItem: item.number)
        return switch there {
        case nil where repetition == .whole: .same
        case .some(let there) where there.isSame: .same
        case _ where repetition != .none: .repeated
        case nil: .new
        case .some(let there)
        where options.replaces.includes(there.attributes, replacedBy: item.item.attributes):
            .changed
        case .some: outcomeOfLeaving
        }
    }

    /// The outcome of an item that yields to the existing one.
    private var outcomeOfLeaving: Outcome { options.replaces == .older ? .same : .differs }
}
