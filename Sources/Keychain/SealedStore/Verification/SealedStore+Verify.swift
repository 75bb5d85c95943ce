public import KeychainServices
internal import LinuxSystem
internal import SQLiteFile

extension SealedStore {
    /// Returns the number of items according to the authenticated sum over all rows, without
    /// opening any.
    ///
    /// - Throws: ``Status/decode`` if the sum does not authenticate; what ``init(at:provider:)``
    ///   throws.
    public func count() throws(KeychainError) -> Int {
        try reading { state throws(KeychainError) in
            Int(state.rowSet.count)
        }
    }

    /// Authenticates every item and the set of all items. This detects every row that was changed,
    /// moved, removed, repeated or put back from an older file. A locked keychain is unlocked
    /// first.
    ///
    /// - Returns: The number of items.
    /// - Throws: ``Status/decode`` if something does not authenticate, ``Status/invalidKeychain``
    ///   if the file's parts don't fit together, for example an index and its table.
    public func verify() throws(KeychainError) -> Int {
        try file.naming { () throws(KeychainError) in
            var found = try reading { state throws(KeychainError) in
                try inspect(state).verification
            }
            if found.lockedSecrets > 0 {
                try unlockForThisProcess()
                found = try reading { state throws(KeychainError) in
                    try inspect(state).verification
                }
            }
            guard found.lockedSecrets == 0 else {
                throw UnlockedKeys.locked
            }
            guard found.damaged.isEmpty else {
                throw KeychainError(.decode)
            }
            guard !found.isStructureDamaged else {
                throw FormatVersion.notAKeychain
            }
            guard found.rowSet == .complete else {
                throw KeychainError(
                    .decode,
                    "items were removed, repeated or restored from an older copy of the keychain")
            }
            return found.items
        }
    }

    /// Authenticates everything that the available keys reach, and finds all damage, not only the
    /// first.
    ///
    /// It uses a passphrase that the process was given, but never asks for one. Nothing changes.
    /// Writers wait only if no temporary copy can be made.
    ///
    /// - Parameter progress: Called with the number of items done and the number of all items.
    /// - Throws: ``Status/decode`` if the keychain's keys or the sum over its items do not
    ///   authenticate, ``Status/invalidKeychain`` if it is not a keychain: then no item can be
    ///   read; ``Status/interactionNotAllowed`` if not even the attributes can be read while it is
    ///   locked; ``Status/authFailed`` for a wrong passphrase; ``Status/databaseLocked``,
    ///   ``Status/io``.
    public func verification(
        progress: (Int, Int) -> Void = { _, _ in }
    ) throws(KeychainError) -> Verification {
        threadLock.acquire()
        defer { threadLock.release() }
        if provider?.hasGivenPassphrase == true, try lockState() == .locked {
            try checkGivenPassphrase()
        }
        return try withoutUnlocking { state throws(KeychainError) in
            // Other programs would have to wait longer than they do.
            guard isOutsideTransactions, !acceptsRestored, let copy = try? copyBeside() else {
                return try inspect(state, progress: progress).verification
            }
            file.end()
            let store = try SealedStore(
                at: KeychainLocation(file: copy.temporary, stateFolder: location.stateFolder),
                now: now, acceptsRestored: true)
            let found = try store.inspect(state, progress: progress).verification
            _ = consume copy
            return found
        }
    }

    /// Unlocks the keychain for this process with the passphrase that it was given. Nothing changes.
    ///
    /// - Throws: ``Status/authFailed`` if that does not unlock it.
    package func checkGivenPassphrase() throws(KeychainError) {
        try whileUnlocking { () throws(KeychainError) in _ = try openWithProvider() }
    }

    /// Copies the file as the open transaction sees it.
    private func copyBeside() throws(KeychainError) -> TemporaryFile {
        // A check that was killed left such a copy, too.
        try PinnedFolder(location.dataFolder).removeAbandoned(of: location.fileName)
        let copy = try TemporaryFile(beside: location.file)
        try file.database.forEachPiece { piece throws(KeychainError) in try copy.append(piece) }
        return copy
    }

    /// Returns the findings in a copy, as far as the available keys reach; nil if they don't open
    /// it.
    func verificationIfOpen(
        progress: (Int, Int) -> Void = { _, _ in }
    ) throws(KeychainError) -> Verification? {
        try withSession { session throws(KeychainError) in
            guard case .open(let state) = session else {
                return nil
            }
            return try inspect(state, progress: progress).verification
        }
    }

    /// Checks everything that a transaction sees, in this file or in a copy of it.
    func inspect(
        _ state: Records, progress: (Int, Int) -> Void = { _, _ in }
    ) throws(KeychainError) -> Inspection {
        // The keys first, because a keybag that was tampered with would make every item seem
        // damaged.
        if try state.keys.isUnlocked() {
            try state.keys.checkUnlocked()
        }
        var inspection = Inspection(state)
        try inspection.walk(
            file.database, isStructureDamaged: try !file.isStructureSound(), progress: progress)
        return inspection
    }
}
