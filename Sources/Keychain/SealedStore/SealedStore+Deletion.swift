public import KeychainServices
internal import LinuxSystem

extension SealedStore {
    /// Deletes a keychain's file with all its items, even if it can't be opened any more. If the
    /// file has disappeared, only the record of it is deleted. The machine key stays, because every
    /// keychain here needs it.
    ///
    /// - Throws: ``Status/noSuchKeychain`` if it does not exist; ``Status/databaseLocked`` if another
    ///   program changes its keys; ``Status/readOnly``, ``Status/writePermissions``, ``Status/io``.
    ///
    /// The corresponding function is SecKeychainDelete.
    public static func delete(at location: KeychainLocation) throws(KeychainError) {
        // Unlocked keys would still open a copy of the file.
        try? SealedStore(at: location).lock(firstUnlock: true)
        // A program that is writing the record would otherwise bring it back.
        let turn = try UnlockLock(.work, at: location, timeout: usualBusyTimeout)
        try deleteFiles(at: location)
        _ = consume turn
    }

    /// Deletes what this machine records of a keychain under its name. Its file stays, for another keychain that has
    /// the same one.
    ///
    /// - Throws: ``Status/databaseLocked`` if another program changes its keys; ``Status/readOnly``,
    ///   ``Status/writePermissions``, ``Status/io``.
    package static func forget(at location: KeychainLocation) throws(KeychainError) {
        let turn = try UnlockLock(.work, at: location, timeout: usualBusyTimeout)
        KeychainAnchor(location).remove()
        _ = consume turn
    }

    private static func deleteFiles(at location: KeychainLocation) throws(KeychainError) {
        let anchor = KeychainAnchor(location)
        guard try PrivatePlace.exists(location.file) else {
            guard try PrivatePlace.exists(anchor.path) else {
                throw KeychainError(.noSuchKeychain, "there is no keychain at '\(location.file)'")
            }
            try? SystemCalls.unlink("\(location.file)-journal")
            UseLogFile(location).remove()
            return anchor.remove()
        }
        do throws(SystemCallError) {
            // The journal goes last: without it the file may be inconsistent.
            try SystemCalls.unlink(location.file)
        } catch {
            throw error.keychainError("can't delete the keychain '\(location.file)'")
        }
        try? SystemCalls.unlink("\(location.file)-journal")
        UseLogFile(location).remove()
        anchor.remove()
    }
}
