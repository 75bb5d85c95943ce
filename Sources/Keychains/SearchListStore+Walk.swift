public import KeychainServices

extension SearchListStore: KeychainStore {
    /// Hands the items that a query means to a closure: those of the first keychain, then those of the
    /// second, and so on.
    ///
    /// A keychain that can't be used now, or is a Secret Service too busy to answer, is left out, and that is
    /// told at the end of the program.
    ///
    /// - Throws: What the closure throws; where nothing was found, what keeps the items of a keychain
    ///   from being read, for example that it is locked; ``Status/userCanceled`` at once.
    public func forEachMatch(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        let keychains = keychains(for: query)
        var walk = Walk()
        var failure: Failure?
        var damage: KeychainError?
        for keychain in keychains {
            do throws(KeychainError) {
                try keychain.store()?.forEachMatch(query) { item throws(KeychainError) in
                    try hand(item, of: keychain, to: body, &walk)
                }
            } catch {
                if !walk.hasThrown, error.status == .decode, query.limit == Int.max {
                    // What else can be read is handed out first.
                    damage = damage ?? told(error, of: keychain)
                    continue
                }
                guard !walk.hasThrown, !walk.isInside(keychain.name) else {
                    throw error
                }
                try passOver(keychain, error, of: keychains.count, &failure)
            }
            if walk.isStopped {
                return
            }
        }
        if let damage {
            throw damage
        }
        if let failure, walk.keychain == nil {
            throw thrown(failure)
        }
    }

    /// The names of other programs' items in the keychains that were left out so far.
    public func skippedItems() -> [String] { keychains.flatMap(\.skippedItems) }

    /// An error with the keychain's name, where there are several.
    private func told(_ error: KeychainError, of keychain: ListedKeychain) -> KeychainError {
        guard keychains.count > 1 else {
            return error
        }
        return KeychainError(
            error.status, "keychain '\(keychain.name)': \(error.reason)", hint: error.hint)
    }

    /// What keeps a keychain's items from being read or changed.
    struct Failure {
        let keychain: ListedKeychain
        let error: KeychainError
    }

    /// The error of a failure, which whoever it is thrown to tells.
    func thrown(_ failure: Failure) -> KeychainError {
        report.forget(failure.keychain)
        return failure.error
    }

    /// How far a walk has come.
    private struct Walk {
        /// The keychain of the item that was handed out last.
        var keychain: String?
        var isStopped = false
        /// Whether the closure ended the walk with an error.
        var hasThrown = false

        /// Whether some items of a keychain were handed out already.
        func isInside(_ name: String) -> Bool { keychain == name }
    }

    private func hand(
        _ item: consuming MatchedItem, of keychain: ListedKeychain,
        to body: (consuming MatchedItem) throws(KeychainError) -> WalkControl, _ walk: inout Walk
    ) throws(KeychainError) -> WalkControl {
        if let reference = item.reference ?? item.persistentReference?.reference {
            origins.add(reference.id, of: keychain)
        }
        report.found()
        walk.keychain = keychain.name
        do throws(KeychainError) {
            let step = try body(item)
            walk.isStopped = step == .stop
            return step
        } catch {
            walk.hasThrown = true
            throw error
        }
    }

    /// Takes note that a keychain can't be used. One that is only tried is left alone from then on.
    ///
    /// - Returns: The failure, if it is to be thrown where no other keychain has what is looked for; nil
    ///   if it is as if the keychain were not in the list.
    func note(_ error: KeychainError, of keychain: ListedKeychain) -> Failure? {
        report.note(keychain, error)
        if keychain.isImplicit {
            keychain.leaveOut(error)
        }
        return keychain.isImplicit || error.status == .notAvailable
            ? nil : Failure(keychain: keychain, error: error)
    }

    /// Goes on to the next keychain after an error of this one.
    ///
    /// - Parameters:
    ///   - count: How many keychains are asked.
    ///   - failure: The first one that is to be thrown where no other keychain has what is looked for.
    /// - Throws: The error, if it is not one to go on after.
    func passOver(
        _ keychain: ListedKeychain, _ error: KeychainError, of count: Int,
        _ failure: inout Failure?
    ) throws(KeychainError) {
        let goesOn =
            keychain.isImplicit ? error.status != .userCanceled : count > 1 && error.isOfUse
        guard goesOn else {
            throw error
        }
        let noted = note(error, of: keychain)
        failure = failure ?? noted
    }
}

extension KeychainError {
    /// Whether the keychain can't be used now, while there is nothing wrong with the call or an item.
    var isOfUse: Bool {
        switch status {
        case .notAvailable, .interactionNotAllowed, .noSuchKeychain, .readOnly: true
        default: false
        }
    }
}
