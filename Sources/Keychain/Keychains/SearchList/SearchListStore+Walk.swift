public import KeychainServices

extension SearchListStore: KeychainStore {
    /// Passes the items that match a query to a closure, keychain by keychain.
    ///
    /// A keychain that can't be used now, or a Secret Service too busy to answer, is skipped and reported
    /// at the end of the program.
    ///
    /// - Throws: What the closure throws; if nothing was found, the error that made a keychain unreadable,
    ///   for example that it is locked; ``Status/userCanceled`` at once.
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
                    // Readable items come first.
                    damage = damage ?? told(error, of: keychain)
                    continue
                }
                guard !walk.hasThrown, !walk.isInside(keychain.name) else {
                    throw error
                }
                try passOver(keychain, error, of: keychains.count, &failure)
            }
            if walk.isStopped || endsAtFirstKeychain && walk.keychain != nil {
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

    /// True: a query can search other keychains than those of the user's list.
    public var hasSearchList: Bool { true }

    /// Returns the names of other programs' items that were skipped so far.
    public func skippedItems() -> [String] { keychains.flatMap { $0.skippedItems } }

    /// Returns an error with the keychain's name if there are several keychains.
    private func told(_ error: KeychainError, of keychain: ListedKeychain) -> KeychainError {
        guard keychains.count > 1 else {
            return error
        }
        return KeychainError(
            error.status, "keychain '\(keychain.name)': \(error.reason)", hint: error.hint)
    }

    /// Why a keychain's items can't be read or changed.
    struct Failure {
        let keychain: ListedKeychain
        let error: KeychainError
    }

    /// Returns the error of a failure, which the caller reports.
    func thrown(_ failure: Failure) -> KeychainError {
        report.forget(failure.keychain)
        return failure.error
    }

    /// How far a walk has come.
    private struct Walk {
        /// The keychain of the last item.
        var keychain: String?
        var isStopped = false
        /// Whether the closure ended the walk with an error.
        var hasThrown = false

        /// Whether the closure has already got items of a keychain.
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

    /// Records that a keychain can't be used. One that is only tried is skipped from then on.
    ///
    /// - Returns: The failure to throw if no other keychain has a match; nil to treat the keychain as if it
    ///   were not in the list.
    func note(_ error: KeychainError, of keychain: ListedKeychain) -> Failure? {
        report.note(keychain, error)
        if keychain.isImplicit {
            keychain.leaveOut(error)
        }
        return keychain.isImplicit || error.status == .notAvailable || error.isOfLanyardItself
            ? nil : Failure(keychain: keychain, error: error)
    }

    /// Continues with the next keychain after an error of this one.
    ///
    /// - Parameters:
    ///   - count: The number of keychains to search.
    ///   - failure: The first failure to throw if no other keychain has a match.
    /// - Throws: The error, if it ends the search.
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
    /// Whether the keychain can't be used now, although the call and its items are valid.
    var isOfUse: Bool {
        switch status {
        case .notAvailable, .interactionNotAllowed, .noSuchKeychain, .readOnly: true
        default: isOfLanyardItself
        }
    }

    /// Whether Lanyard itself is the Secret Service: its items are in other keychains of the search list.
    var isOfLanyardItself: Bool { status == .duplicateKeychain }
}
