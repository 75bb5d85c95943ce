public import KeychainServices
internal import LinuxSystem

extension SealedStore {
    /// Deletes a keychain's file with everything in it, also one that can't be opened any more; of one
    /// that has disappeared, what is known of it. The machine key stays: it serves every keychain here.
    ///
    /// - Throws: ``Status/noSuchKeychain`` if there is none; ``Status/readOnly``,
    ///   ``Status/writePermissions``, ``Status/io``.
    ///
    /// The corresponding function is SecKeychainDelete.
    public static func delete(at location: KeychainLocation) throws(KeychainError) {
        let anchor = KeychainAnchor(location)
        guard try PrivatePlace.exists(location.file) else {
            guard try PrivatePlace.exists(anchor.path) else {
                throw KeychainError(.noSuchKeychain, "there is no keychain at '\(location.file)'")
            }
            return anchor.remove()
        }
        // The keys would open a copy of the file.
        try? SealedStore(at: location).lock(firstUnlock: true)
        do throws(SystemCallError) {
            // The journal after the file: without its file it is nothing, the reverse would undo it.
            try SystemCalls.unlink(location.file)
        } catch {
            throw error.keychainError("can't delete the keychain '\(location.file)'")
        }
        try? SystemCalls.unlink("\(location.file)-journal")
        anchor.remove()
    }
}
