public import KeychainServices
internal import LinuxSystem
internal import SQLiteFile

extension SealedStore {
    /// Runs a closure on one unchanging state of the keychain; again if it lacks what is locked.
    ///
    /// - Parameters:
    ///   - conditions: The keys of the call, outside another transaction.
    ///   - match: Says whether the user may be asked, and what to show then.
    ///   - readsOthers: Whether the closure is known to read several items.
    func reading<Result>(
        _ conditions: ConditionKeys = ConditionKeys(), for match: MatchOptions = MatchOptions(),
        readsOthers: Bool = false, _ body: (Records) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        threadLock.acquire()
        defer { threadLock.release() }
        if let records = try presentRecords() {
            return try body(records)
        }
        return try unlockingIfWanted(conditions, for: match, readsOthers: readsOthers) {
            () throws(KeychainError) in
            let records = try open(.reading, conditions)
            defer { file.end() }
            return try body(records)
        }
    }

    /// Returns the records of the open transaction, nil if none is open.
    func presentRecords() throws(KeychainError) -> Records? {
        if changing != nil {
            try file.checkTransaction()
        }
        return changing ?? held
    }

    /// Runs a closure whose reads all see one unchanging state; many reads take much less time that
    /// way. Other programs can't write meanwhile, which is why the closure should be short. It must
    /// not change anything.
    ///
    /// If the closure needs an unlocked keychain, the keychain is unlocked and the closure starts
    /// again.
    public func readTogether(_ body: () throws(KeychainError) -> Void) throws(KeychainError) {
        threadLock.acquire()
        defer { threadLock.release() }
        guard changing == nil, held == nil else {
            return try reading { _ throws(KeychainError) in try body() }
        }
        let conditions = ConditionKeys()
        return try unlockingIfWanted(conditions, readsOthers: true) { () throws(KeychainError) in
            held = try open(.reading, conditions)
            defer {
                held = nil
                file.end()
            }
            return try body()
        }
    }

    /// Returns the keybag as stored, not authenticated yet.
    func storedKeybag() throws(KeychainError) -> Keybag {
        threadLock.acquire()
        defer { threadLock.release() }
        try checkNoTransaction()
        defer { file.end() }
        return try file.naming { () throws(KeychainError) in
            try Keybag(decoding: try file.begin(.reading).keybag)
        }
    }

    /// Begins a transaction of a call. A keychain that the available keys don't open is what it lacks.
    private func open(
        _ access: Database.Access, _ conditions: ConditionKeys
    ) throws(KeychainError) -> Records {
        let session = try begin(access)
        if case .locked = session {
            file.end()
            throw conditions.lacksUnlocking()
        }
        let records = try opened(session)
        records.conditions = conditions
        return records
    }

    private func opened(_ session: KeybagSession) throws(KeychainError) -> Records {
        do throws(KeychainError) {
            return try session.state
        } catch {
            file.end()
            throw error
        }
    }

    /// Begins a transaction and opens what it sees. A keychain of an older format is converted
    /// first.
    func begin(_ access: Database.Access) throws(KeychainError) -> KeybagSession {
        for _ in 0..<2 {
            let content = try file.begin(access)
            do throws(KeychainError) {
                let session = try load(content)
                // Only a keychain known to be ours is converted.
                guard !content.isCurrent, case .open = session else {
                    return session
                }
            } catch {
                file.end()
                throw error
            }
            file.end()
            try file.migrate()
        }
        throw FormatVersion.notAKeychain
    }

    /// Runs a closure while no other process can change the keychain, and undoes its changes if it
    /// throws. Transactions can be nested.
    ///
    /// If the closure needs an unlocked keychain, the keychain is unlocked outside the transaction,
    /// because the user may take long to answer. Then the closure starts again.
    public func transaction(_ body: () throws(KeychainError) -> Void) throws(KeychainError) {
        threadLock.acquire()
        defer { threadLock.release() }
        guard changing == nil else {
            return try nestedTransaction(body)
        }
        guard !isWalking, held == nil else {
            throw KeychainError(
                .param, "the keychain can't be changed while its items are being read")
        }
        let conditions = ConditionKeys()
        return try unlockingIfWanted(conditions) { () throws(KeychainError) in
            try outermostTransaction(conditions, body)
        }
    }

    /// Runs a closure in a transaction of its own.
    ///
    /// - Parameter conditions: The keys of the call, for secrets with an access control.
    func outermostTransaction<Result>(
        _ conditions: ConditionKeys, _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let records = try open(.writing, conditions)
        let before = records.rowSet
        let result: Result
        var leavesRoom = false
        do throws(KeychainError) {
            changing = records
            result = try body()
            try file.checkTransaction()
            if records.rowSet != before {
                try file.write(rowSet: records.rowSet.seal(records.keys))
                leavesRoom = try file.isWorthCompacting()
            }
            try file.commit()
            changing = nil
        } catch {
            changing = nil
            file.end()
            throw error
        }
        log(records.uses?.uses ?? [])
        follow(records)
        if leavesRoom {
            file.compact()
        }
        return result
    }

    /// Runs a closure that changes items: all of them or none.
    func changeItems<Result>(
        _ body: (Records) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try transaction { () throws(KeychainError) in try body(changingRecords()) }
    }

    private func changingRecords() throws(KeychainError) -> Records {
        guard let changing else {
            throw FormatVersion.notAKeychain
        }
        return changing
    }

    /// Records the number of the last change. Also records the generation of a keybag that another
    /// machine changed, or whose change was interrupted before that.
    ///
    /// It records nothing if the keychain was deleted or replaced after the change: the record would
    /// then refuse the one that is there now.
    private func follow(_ records: Records) {
        let keybag = records.keys.keybag
        let change = records.rowSet.change
        guard records.seen?.isBehind(keybag, change: change) ?? true,
            let turn = try? UnlockLock(.work, at: location, timeout: 1000)
        else {
            return
        }
        // Read again, because another process may have written it since.
        if (try? anchor.wasReset(since: records.seen)) != true {
            advanceAnchor(to: keybag, change: change)
        }
        _ = consume turn
    }

    /// Records a change that is complete, even if this fails. A failure is reported once.
    func advanceAnchor(to keybag: Keybag, change: Int64) {
        do throws(KeychainError) {
            try anchor.advance(to: keybag, change: change)
        } catch {
            if !hasReportedAnchor {
                hasReportedAnchor = true
                provider?.changeIsNotRecorded(error)
            }
        }
    }

    /// Begins a transaction in which no other process can change the keychain.
    func beginWriting() throws(KeychainError) -> Records {
        try file.naming { () throws(KeychainError) in try opened(begin(.writing)) }
    }

    private func nestedTransaction<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try file.checkTransaction()
        let before = try changingRecords().rowSet
        let usesBefore = changing?.uses?.uses.count ?? 0
        try file.database.execute("SAVEPOINT nested")
        do throws(KeychainError) {
            let result = try body()
            try file.database.execute("RELEASE nested")
            return result
        } catch {
            changing?.rowSet = before
            changing?.uses?.keep(usesBefore)
            do throws(KeychainError) {
                try file.checkTransaction()
                try file.database.execute("ROLLBACK TO nested")
                try file.database.execute("RELEASE nested")
            } catch {
                file.end()
            }
            throw error
        }
    }

    /// Runs a closure with a single statement, which SQLite undoes if it fails, in the open
    /// transaction or in a new one.
    func oneInsertion(_ body: (Records) throws(KeychainError) -> Void) throws(KeychainError) {
        threadLock.acquire()
        defer { threadLock.release() }
        guard let records = changing else {
            return try changeItems(body)
        }
        try file.checkTransaction()
        let before = records.rowSet
        do throws(KeychainError) {
            try body(records)
        } catch {
            records.rowSet = before
            throw error
        }
    }

    /// Throws inside a transaction: locking, unlocking and changing the keybag need one of their
    /// own, and no question may be open while other processes can't write.
    func checkNoTransaction() throws(KeychainError) {
        guard changing == nil else {
            throw KeychainError(
                .param, "the keychain can't be locked or unlocked in the middle of a change")
        }
    }

    /// Updates the keys to what the new transaction sees.
    private func load(_ content: SealedFile.Content) throws(KeychainError) -> KeybagSession {
        guard let current = try atHand.open(content.keybag) else {
            return try closed(Keybag(decoding: content.keybag))
        }
        // Each time, because another process may have locked the keychain or moved on to a later
        // keybag, and an attacker may have put this one back.
        let seen = try checkAnchor(current)
        // Opened even to look for an item: with another keychain's keybag the item would just seem
        // to be missing.
        let rowSet = try RowSet(opening: content.rowSet, current)
        if let seen {
            try anchor.check(rowSet, seen)
        }
        let records = Records(file.database, current, rowSet, seen: seen)
        if useLogging != nil {
            if useLogging?.log?.keys !== current {
                useLogging?.log = UseLog(current, location)
            }
            records.uses = ItemUses()
        }
        return .open(records)
    }

    private func closed(_ keybag: Keybag) throws(KeychainError) -> KeybagSession {
        if !acceptsRestored {
            try anchor.checkID(keybag.keychainID)
        }
        guard let error = atHand.refusal(of: keybag) else {
            return .locked
        }
        return .foreign(error)
    }

    /// Throws unless a keybag is the one last seen, or a later one of the same keychain.
    ///
    /// - Returns: What was last seen of it, nil if that does not matter.
    func checkAnchor(_ keys: UnlockedKeys) throws(KeychainError) -> AnchorContent? {
        guard acceptsRestored else {
            let seen = try anchor.check(
                keys.keybag, encoded: keys.encodedKeybag, machineKey: atHand.machineKey)
            keys.cache?.epochs = seen?.epochs
            return seen
        }
        if let cache = keys.cache {
            cache.epochs = try KeychainAnchor.epochs(
                ofKeychain: keys.keybag.keychainID, stateFolder: location.stateFolder)
        }
        return nil
    }
}
