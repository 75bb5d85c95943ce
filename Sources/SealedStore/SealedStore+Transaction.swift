public import KeychainServices
internal import LinuxSystem

extension SealedStore {
    /// Runs a closure on one unchanging state of the keychain.
    func reading<Result>(
        _ body: (Records) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        threadLock.acquire()
        defer { threadLock.release() }
        if let records = try presentRecords() {
            return try body(records)
        }
        return try file.naming { () throws(KeychainError) in
            let records = try open(.reading)
            defer { file.end() }
            return try body(records)
        }
    }

    /// What the transaction sees that is open, nil if none is.
    func presentRecords() throws(KeychainError) -> Records? {
        if changing != nil {
            try file.checkTransaction()
        }
        return changing ?? held
    }

    /// Runs a closure whose reads all see one unchanging state, which many of them take much less time
    /// in. Others can't write meanwhile, so it should be short; nothing may be changed in it.
    ///
    /// A locked keychain is unlocked when the closure needs that; then it runs again from its start.
    public func readTogether<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        threadLock.acquire()
        defer { threadLock.release() }
        guard changing == nil, held == nil else {
            return try reading { _ throws(KeychainError) in try body() }
        }
        return try unlockingIfWanted { () throws(KeychainError) in
            held = try open(.reading)
            defer {
                held = nil
                file.end()
            }
            return try body()
        }
    }

    /// The keybag as it is stored. Nothing in it is to be believed.
    func storedKeybag() throws(KeychainError) -> Keybag {
        threadLock.acquire()
        defer { threadLock.release() }
        try checkNoTransaction()
        defer { file.end() }
        return try file.naming { () throws(KeychainError) in
            try Keybag(decoding: try file.begin(.reading).keybag)
        }
    }

    /// Begins a transaction on a keychain that the keys at hand open; one that they don't is unlocked before.
    private func open(_ access: Database.Access) throws(KeychainError) -> Records {
        let session = try begin(access)
        guard case .locked = session else {
            return try opened(session)
        }
        file.end()
        try unlockForThisProcess()
        return try opened(begin(access))
    }

    private func opened(_ session: KeybagSession) throws(KeychainError) -> Records {
        do throws(KeychainError) {
            return try session.state
        } catch {
            file.end()
            throw error
        }
    }

    /// Begins a transaction, and opens what it sees. A keychain of an older format is converted first.
    func begin(_ access: Database.Access) throws(KeychainError) -> KeybagSession {
        for _ in 0..<2 {
            let content = try file.begin(access)
            do throws(KeychainError) {
                let session = try load(content)
                // What is not known to be ours is not converted.
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

    /// Runs a closure that no other process changes the keychain during; nothing of what it did
    /// stays if it throws. Transactions can stand inside one another.
    ///
    /// A locked keychain is unlocked when the closure needs that, outside the transaction, as a
    /// person takes long; then the closure runs again from its start.
    public func transaction<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        threadLock.acquire()
        defer { threadLock.release() }
        guard changing == nil else {
            return try nestedTransaction(body)
        }
        guard !isWalking, held == nil else {
            throw KeychainError(
                .param, "the keychain can't be changed while its items are being read")
        }
        return try unlockingIfWanted { () throws(KeychainError) in
            try outermostTransaction(body)
        }
    }

    private func outermostTransaction<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let records = try open(.writing)
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
        follow(records)
        if leavesRoom {
            file.compact()
        }
        return result
    }

    /// Runs a closure that changes items, all of them or none.
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

    /// Keeps the number of the last change, and the generation of a keybag that another machine changed, or
    /// whose change was interrupted before that.
    private func follow(_ records: Records) {
        let keybag = records.keys.keybag
        let change = records.rowSet.change
        guard records.seen?.isBehind(keybag, change: change) ?? true,
            let turn = try? UnlockLock(.work, at: location, timeout: 1000)
        else {
            return
        }
        // Read again, as others may have written it since.
        try? anchor.advance(to: keybag, change: change)
        _ = consume turn
    }

    /// Begins a transaction that no other process changes the keychain during.
    func beginWriting() throws(KeychainError) -> Records {
        try file.naming { () throws(KeychainError) in try opened(begin(.writing)) }
    }

    private func nestedTransaction<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try file.checkTransaction()
        let before = try changingRecords().rowSet
        try file.database.execute("SAVEPOINT nested")
        do throws(KeychainError) {
            let result = try body()
            try file.database.execute("RELEASE nested")
            return result
        } catch {
            changing?.rowSet = before
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

    /// Runs a closure whose one statement SQLite undoes by itself if it fails, in the open transaction or
    /// in one of its own.
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

    /// Throws inside a transaction, as what locks, unlocks or changes the keybag has its own; no person
    /// is asked, either, while no other process can write.
    func checkNoTransaction() throws(KeychainError) {
        guard changing == nil else {
            throw KeychainError(
                .param, "the keychain can't be locked or unlocked in the middle of a change")
        }
    }

    /// Brings the keys up to what the transaction that just began sees.
    private func load(_ content: SealedFile.Content) throws(KeychainError) -> KeybagSession {
        guard let current = try atHand.open(content.keybag) else {
            return try closed(Keybag(decoding: content.keybag))
        }
        // Each time: another process may have locked the keychain, or gone on to a later keybag, and
        // somebody put this one back.
        let seen = try checkAnchor(current)
        // Opened also where only an item is wanted: the keybag of another keychain of this machine
        // would else look like a keychain without that item.
        let rowSet = try RowSet(opening: content.rowSet, current)
        if let seen {
            try KeychainAnchor.check(rowSet, seen)
        }
        return .open(Records(file.database, current, rowSet, seen: seen))
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

    /// Throws if a keybag is not the one that was last seen, or a later one of its keychain.
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
