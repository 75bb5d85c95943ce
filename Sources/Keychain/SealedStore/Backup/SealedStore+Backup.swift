public import KeychainServices
internal import LinuxSystem
internal import SQLiteFile

extension SealedStore {
    /// Copies the keychain to another file, byte by byte and in one state, while other programs may
    /// use it. The same keys open the copy; a locked keychain can be copied as well.
    ///
    /// - Parameters:
    ///   - path: An absolute path in an existing folder.
    ///   - replacing: Whether the copy may replace an earlier copy of this keychain. It replaces
    ///     nothing else, and only if the new copy has no damage.
    /// - Returns: The findings in the copy, as far as the available keys reach; nil if they don't
    ///   open it.
    /// - Throws: ``Status/duplicateKeychain`` if the path is taken, ``Status/param`` for a file
    ///   that may not be replaced; ``Status/decode``, ``Status/invalidKeychain`` for a keychain
    ///   that is damaged as a whole; ``Status/diskFull``, ``Status/writePermissions``,
    ///   ``Status/io``.
    @discardableResult
    public func backUp(
        to path: String, replacing: Bool = false
    ) throws(KeychainError) -> Verification? {
        threadLock.acquire()
        defer { threadLock.release() }
        try checkNoTransaction()
        try checkPlace(ofBackup: path, replacing: replacing)
        let copy = try TemporaryFile(beside: path, in: .any)
        defer { file.end() }
        // Throws if the keychain is damaged as a whole. One that can't be opened here can be
        // copied.
        _ = try file.naming { () throws(KeychainError) in try begin(.reading) }
        try file.database.forEachPiece { piece throws(KeychainError) in try copy.append(piece) }
        file.end()
        // Checks the copy, because other programs would have to wait for the keychain.
        let found = try inspectBackup(copy.temporary)
        guard replacing else {
            guard try copy.make() else {
                throw isThereAlready(path)
            }
            return found
        }
        guard found?.isSound ?? true else {
            throw KeychainError(
                .decode, "the keychain is damaged: the earlier copy was not replaced",
                hint: "lanyard verify")
        }
        try copy.replace()
        return found
    }

    /// Opens a copy of a keychain for checking, in any folder and of any age.
    ///
    /// - Parameters:
    ///   - file: An absolute path.
    ///   - stateFolder: The folder of the machine key.
    /// - Throws: As ``init(at:provider:)``; ``Status/writePermissions`` if other users can create
    ///   files in the folder.
    public static func openBackup(
        _ file: String, stateFolder: String, provider: (any PassphraseProvider)? = nil
    ) throws(KeychainError) -> SealedStore {
        try SealedStore(
            // The path as its name: the file's own name may be that of a keychain in use.
            at: KeychainLocation(file: file, stateFolder: stateFolder, name: file),
            provider: provider,
            now: SystemCalls.now, acceptsRestored: true, folderRule: .isNotWritableByOthers)
    }

    private func inspectBackup(_ file: String) throws(KeychainError) -> Verification? {
        try SealedStore(
            at: KeychainLocation(file: file, stateFolder: location.stateFolder, name: file),
            now: now, acceptsRestored: true, folderRule: .any
        ).verificationIfOpen()
    }

    private func checkPlace(
        ofBackup path: String, replacing: Bool
    ) throws(KeychainError) {
        let folder = PrivatePlace.folder(of: path)
        guard try PrivatePlace.exists(folder) else {
            throw KeychainError(
                .writePermissions, "the folder '\(folder)' for the copy does not exist",
                hint: "mkdir -p \(folder.shellQuoted)")
        }
        guard try PrivatePlace.exists(path) else {
            return
        }
        guard replacing else {
            throw isThereAlready(path)
        }
        try PrivatePlace.checkFile(path)
        guard !PrivatePlace.areSame(path, location.file) else {
            throw KeychainError(.param, "'\(path)' is the keychain itself")
        }
        guard let present = try keychainID(ofBackup: path),
            present == (try storedKeybag().keychainID)
        else {
            throw KeychainError(
                .param, "'\(path)' is not an earlier copy of this keychain",
                hint: "give the copy another name")
        }
    }

    /// Returns the id of a copied keychain, nil for another file.
    private func keychainID(ofBackup path: String) throws(KeychainError) -> [UInt8]? {
        do throws(KeychainError) {
            return try SealedStore.openBackup(path, stateFolder: location.stateFolder)
                .storedKeybag()
                .keychainID
        } catch {
            // Where other users can create files, as in /tmp, SQLite must not look for a journal next to it.
            guard error.status == .writePermissions else {
                return nil
            }
            return try? KeychainRestore(of: path, to: location).keychainID
        }
    }

    private func isThereAlready(_ path: String) -> KeychainError {
        KeychainError(
            .duplicateKeychain, "'\(path)' already exists",
            hint: "--replace replaces an earlier copy of the same keychain")
    }
}
