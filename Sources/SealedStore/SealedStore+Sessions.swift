public import Keychain

/// What a transaction sees of the keychain, beside its items.
struct OpenState {
    let keys: UnlockedKeys
    let rowSet: RowSet
}

extension SealedStore {
    /// Runs a closure on one unchanging state of the keychain.
    func reading<Result>(
        _ body: (OpenState) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        if let rowSet = openRowSet {
            try checkTransaction()
            return try body(OpenState(keys: try openKeys(), rowSet: rowSet))
        }
        let state = try beginReading()
        defer { end() }
        return try body(state)
    }

    private func beginReading() throws(KeychainError) -> OpenState {
        try CompanionFiles.check(of: location.file)
        try FormatVersion.checkHeader(database)
        do throws(KeychainError) {
            return try begin("BEGIN")
        } catch let interrupted {
            // A change that was interrupted has to be undone first, which takes writing.
            guard interrupted.status == .readOnly, database.access == .reading else {
                throw interrupted
            }
            do throws(KeychainError) {
                try reopenForWriting()
            } catch  where error.status == .readOnly {
                throw interrupted
            }
        }
        return try begin("BEGIN")
    }

    /// Begins a transaction and checks what it sees. A keychain of an older format is converted
    /// first.
    private func begin(_ sql: String) throws(KeychainError) -> OpenState {
        if let state = try beginInCurrentFormat(sql) {
            return state
        }
        try migrate()
        guard let state = try beginInCurrentFormat(sql) else {
            throw FormatVersion.notAKeychain
        }
        return state
    }

    /// - Returns: nil, with no transaction begun, if the keychain has an older format.
    private func beginInCurrentFormat(_ sql: String) throws(KeychainError) -> OpenState? {
        do throws(KeychainError) {
            try database.execute(sql)
            let format = try FormatVersion.check(database, formats)
            // Also of an older one: what is not ours is not converted.
            let state = try load()
            if format.number == formats.last?.number {
                return state
            }
        } catch {
            end()
            throw error
        }
        end()
        return nil
    }

    /// Ends a transaction that has nothing to write.
    func end() {
        if database.isInTransaction {
            try? database.execute("ROLLBACK")
        }
    }

    /// Runs a closure that no other process changes the keychain during; nothing of what it did
    /// stays if it throws. Transactions can stand inside one another.
    public func transaction<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        guard openRowSet == nil else {
            return try nestedTransaction(body)
        }
        guard openWalks == 0 else {
            throw KeychainError(
                .param, "the keychain can't be changed while its items are being read")
        }
        try CompanionFiles.check(of: location.file)
        try FormatVersion.checkHeader(database)
        try reopenForWriting()
        let state = try begin("BEGIN IMMEDIATE")
        let result: Result
        do throws(KeychainError) {
            openRowSet = state.rowSet
            result = try body()
            try checkTransaction()
            if let changed = openRowSet, changed != state.rowSet {
                try write(changed, state.keys)
            }
            try database.execute("COMMIT")
            openRowSet = nil
        } catch {
            openRowSet = nil
            end()
            throw error
        }
        try? anchor(state.keys).advance(to: state.keys.keybag)
        return result
    }

    private func nestedTransaction<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try checkTransaction()
        let before = openRowSet
        try database.execute("SAVEPOINT nested")
        do throws(KeychainError) {
            let result = try body()
            try database.execute("RELEASE nested")
            return result
        } catch {
            openRowSet = before
            do throws(KeychainError) {
                try checkTransaction()
                try database.execute("ROLLBACK TO nested")
                try database.execute("RELEASE nested")
            } catch {
                end()
            }
            throw error
        }
    }

    /// Throws if SQLite has undone the whole transaction, as it may after an I/O error or on a full
    /// disk. Each further change would else be one by itself, without its part of the row set.
    private func checkTransaction() throws(KeychainError) {
        guard database.isInTransaction else {
            throw KeychainError(.io, "the change was undone after an error in the middle of it")
        }
    }

    func reopenForWriting() throws(KeychainError) {
        guard database.access == .reading else {
            return
        }
        database = try Database(
            path: location.file, access: .writing, busyTimeout: busyTimeout)
        try FormatVersion.checkHeader(database)
    }

    /// Brings the keys up to what the transaction that just began sees.
    private func load() throws(KeychainError) -> OpenState {
        let statement = try database.prepare("SELECT keybag, row_set FROM keychain")
        guard try statement.step() else {
            throw KeychainError(.invalidKeychain)
        }
        let encodedKeybag = statement.blob(0)
        let sealedRowSet = statement.blob(1)
        let current: UnlockedKeys
        if let keys, keys.encodedKeybag == encodedKeybag {
            current = keys
        } else {
            current = try UnlockedKeys(encodedKeybag: encodedKeybag, machineKey: machineKey)
            try anchor(current).check(current.keybag)
            keys = current
        }
        // Opened also where only an item is wanted: the keybag of another keychain of this machine
        // would else look like a keychain without that item.
        return OpenState(keys: current, rowSet: try RowSet(opening: sealedRowSet, current))
    }

    private func write(_ rowSet: RowSet, _ keys: UnlockedKeys) throws(KeychainError) {
        let statement = try database.prepare("UPDATE keychain SET row_set = ?1")
        try statement.bind(try rowSet.seal(keys), at: 1)
        _ = try statement.step()
        guard database.changes == 1 else {
            throw KeychainError(.invalidKeychain)
        }
    }

    func anchor(_ keys: UnlockedKeys) -> GenerationAnchor {
        GenerationAnchor(
            stateFolder: location.stateFolder, keychainID: keys.keybag.keychainID)
    }

    /// The keys of the open transaction.
    func openKeys() throws(KeychainError) -> UnlockedKeys {
        guard let keys else {
            throw KeychainError(.invalidKeychain)
        }
        return keys
    }
}
