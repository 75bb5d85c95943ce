public import KeychainServices
internal import LinuxSystem

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
        threadLock.acquire()
        defer { threadLock.release() }
        if let rowSet = openRowSet {
            try checkTransaction()
            return try body(OpenState(keys: try openKeys(), rowSet: rowSet))
        }
        if let heldState {
            return try body(heldState)
        }
        return try unlockingIfNeeded { () throws(KeychainError) in
            let state = try beginReading(load)
            defer { end() }
            return try body(state)
        }
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
        return try reading { state throws(KeychainError) in
            let before = heldState
            heldState = openRowSet == nil ? state : nil
            defer { heldState = before }
            return try body()
        }
    }

    /// The keybag as it is stored. Nothing in it is to be believed.
    func storedKeybag() throws(KeychainError) -> Keybag {
        threadLock.acquire()
        defer { threadLock.release() }
        try checkNoTransaction()
        defer { end() }
        return try namingFile { () throws(KeychainError) in
            try beginReading { () throws(KeychainError) in
                try Keybag(decoding: try loadColumns().keybag)
            }
        }
    }

    func beginReading<State>(
        _ load: () throws(KeychainError) -> State
    ) throws(KeychainError) -> State {
        try CompanionFiles.check(of: location.fileName, in: folder)
        try FormatVersion.checkHeader(database)
        do throws(KeychainError) {
            return try begin("BEGIN", load)
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
        return try begin("BEGIN", load)
    }

    /// Begins a transaction and checks what it sees. A keychain of an older format is converted
    /// first.
    func begin<State>(
        _ sql: String, _ load: () throws(KeychainError) -> State
    ) throws(KeychainError) -> State {
        if let state = try beginInCurrentFormat(sql, load) {
            return state
        }
        try migrate()
        guard let state = try beginInCurrentFormat(sql, load) else {
            throw FormatVersion.notAKeychain
        }
        return state
    }

    /// - Returns: nil, with no transaction begun, if the keychain has an older format.
    private func beginInCurrentFormat<State>(
        _ sql: String, _ load: () throws(KeychainError) -> State
    ) throws(KeychainError) -> State? {
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
    ///
    /// A locked keychain is unlocked when the closure needs that, outside the transaction, as a
    /// person takes long; then the closure runs again from its start.
    public func transaction<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        threadLock.acquire()
        defer { threadLock.release() }
        guard openRowSet == nil else {
            return try nestedTransaction(body)
        }
        guard !isWalking, heldState == nil else {
            throw KeychainError(
                .param, "the keychain can't be changed while its items are being read")
        }
        return try unlockingIfNeeded { () throws(KeychainError) in
            try outermostTransaction(body)
        }
    }

    private func outermostTransaction<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let state = try beginWriting()
        let result: Result
        var change = state.rowSet.change
        var leavesRoom = false
        do throws(KeychainError) {
            openRowSet = state.rowSet
            result = try body()
            try checkTransaction()
            if let changed = openRowSet, changed != state.rowSet {
                try write(changed, state.keys)
                change = changed.change
                leavesRoom = try isWorthCompacting()
            }
            try database.execute("COMMIT")
            openRowSet = nil
        } catch {
            openRowSet = nil
            end()
            throw error
        }
        follow(state.keys.keybag, change: change)
        if leavesRoom {
            compact()
        }
        return result
    }

    /// Keeps the number of the last change, and the generation of a keybag that another machine changed, or
    /// whose change was interrupted before that.
    private func follow(_ keybag: Keybag, change: Int64) {
        guard anchor.isBehind(keybag, change: change),
            let turn = try? UnlockLock(.work, at: location, timeout: 1000)
        else {
            return
        }
        try? anchor.advance(to: keybag, change: change)
        _ = consume turn
    }

    /// Begins a transaction that no other process changes the keychain during.
    func beginWriting() throws(KeychainError) -> OpenState {
        try namingFile { () throws(KeychainError) in
            try CompanionFiles.check(of: location.fileName, in: folder)
            try FormatVersion.checkHeader(database)
            try reopenForWriting()
            return try begin("BEGIN IMMEDIATE", load)
        }
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

    /// Runs a closure whose one statement SQLite undoes by itself if it fails, in the open transaction or
    /// in one of its own.
    func oneInsertion(_ body: () throws(KeychainError) -> Void) throws(KeychainError) {
        threadLock.acquire()
        defer { threadLock.release() }
        guard let before = openRowSet else {
            return try transaction(body)
        }
        try checkTransaction()
        do throws(KeychainError) {
            try body()
        } catch {
            openRowSet = before
            throw error
        }
    }

    /// Throws if SQLite has undone the whole transaction, as it may after an I/O error or on a full
    /// disk. Each further change would else be one by itself, without its part of the row set.
    func checkTransaction() throws(KeychainError) {
        guard database.isInTransaction else {
            throw KeychainError(.io, "the change was undone after an error in the middle of it")
        }
    }

    /// Throws inside a transaction, as what locks, unlocks or changes the keybag has its own; no person
    /// is asked, either, while no other process can write.
    func checkNoTransaction() throws(KeychainError) {
        guard openRowSet == nil else {
            throw KeychainError(
                .param, "the keychain can't be locked or unlocked in the middle of a change")
        }
    }

    func reopenForWriting() throws(KeychainError) {
        guard database.access == .reading else {
            return
        }
        database = try Database(
            path: folder.pinnedPath(of: location.fileName), name: location.file,
            access: .writing, busyTimeout: busyTimeout)
        try FormatVersion.checkHeader(database)
    }

    /// Brings the keys up to what the transaction that just began sees.
    func load() throws(KeychainError) -> OpenState {
        let columns = try loadColumns()
        let current: UnlockedKeys
        if let keys, keys.encodedKeybag == columns.keybag {
            keys.forgetCached()
            current = keys
        } else {
            current = try open(columns.keybag)
        }
        // Each time: another process may have locked the keychain, or gone on to a later keybag, and
        // somebody put this one back.
        let seen = try checkAnchor(current)
        keys = current
        // Opened also where only an item is wanted: the keybag of another keychain of this machine
        // would else look like a keychain without that item.
        let rowSet = try RowSet(opening: columns.rowSet, current)
        if let seen {
            try KeychainAnchor.check(rowSet, seen)
        }
        return OpenState(keys: current, rowSet: rowSet)
    }

    private func loadColumns() throws(KeychainError) -> (keybag: [UInt8], rowSet: [UInt8]) {
        let statement = try database.prepare(
            "SELECT keybag, row_set FROM keychain", keeps: true)
        guard try statement.step() else {
            throw KeychainError(.invalidKeychain)
        }
        return (statement.blob(0), statement.blob(1))
    }

    private func open(_ encodedKeybag: [UInt8]) throws(KeychainError) -> UnlockedKeys {
        do throws(KeychainError) {
            return try UnlockedKeys(
                file: location.file, encodedKeybag: encodedKeybag, sourceKeys: sourceKeys,
                machineKey: machineKey)
        } catch {
            if !acceptsRestored, [.interactionNotAllowed, .authFailed].contains(error.status) {
                try anchor.checkID(try Keybag(decoding: encodedKeybag).keychainID)
            }
            throw error.status == .authFailed && machineKey == nil ? machineKeyIsMissing : error
        }
    }

    /// Throws if a keybag is not the one that was last seen, or a later one of its keychain.
    ///
    /// - Returns: What was last seen of it, nil if that does not matter.
    func checkAnchor(_ keys: UnlockedKeys) throws(KeychainError) -> AnchorContent? {
        guard acceptsRestored else {
            let seen = try anchor.check(
                keys.keybag, encoded: keys.encodedKeybag, machineKey: machineKey)
            keys.cache?.epochs = seen?.epochs
            return seen
        }
        if let cache = keys.cache {
            cache.epochs = try KeychainAnchor.epochs(
                ofKeychain: keys.keybag.keychainID, stateFolder: location.stateFolder)
        }
        return nil
    }

    var machineKeyIsMissing: KeychainError {
        KeychainError(
            .authFailed,
            "the machine key '\(MachineKey.path(in: location.stateFolder))' is missing",
            hint: "put it back from a backup: without it the keychain can't be opened")
    }

    func write(_ rowSet: RowSet, _ keys: UnlockedKeys) throws(KeychainError) {
        let statement = try database.prepare("UPDATE keychain SET row_set = ?1")
        try statement.bind(try rowSet.seal(keys), at: 1)
        _ = try statement.step()
        guard database.changes == 1 else {
            throw KeychainError(.invalidKeychain)
        }
    }

    /// The keys of the open transaction.
    func openKeys() throws(KeychainError) -> UnlockedKeys {
        guard let keys else {
            throw KeychainError(.invalidKeychain)
        }
        return keys
    }
}
