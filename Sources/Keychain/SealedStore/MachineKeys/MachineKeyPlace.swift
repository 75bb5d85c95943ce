internal import Glibc
package import KeychainServices
internal import LanyardCryptography
internal import LinuxSystem

/// Changes how the machine key of a state folder is stored: plain or sealed, here or elsewhere.
///
/// Each change is one file replaced by another, so a process that is killed leaves a key that opens
/// the same keychains.
package struct MachineKeyPlace: Sendable {
    private let stateFolder: String
    private let service: SystemdCredentials

    package init(stateFolder: String, service: SystemdCredentials = .ofThisMachine) {
        self.stateFolder = stateFolder
        self.service = service
    }

    /// How a machine key is stored.
    package struct Storage: Sendable {
        /// The folder of its file.
        package let folder: String
        /// Whether that is not the state folder.
        package let isMoved: Bool
        /// Whether it is missing in the folder that it was moved to.
        package let isMissing: Bool
        /// The id, nil if it can't be read.
        package let id: [UInt8]?
        /// What it is sealed to, nil for a plain key.
        package let sealedTo: SealedTo?
        /// Why it can't be read, nil if it can.
        package let problem: KeychainError?
    }

    /// Whether systemd's service is there to seal the key.
    package var canSeal: Bool { service.isInstalled }

    /// Returns how the key is stored, nil if it is missing. A sealed key is unsealed.
    ///
    /// - Throws: What ``MachineKey/find(stateFolder:with:)`` throws.
    package func storage() throws(KeychainError) -> Storage? {
        let folder: String
        let sealed: SealedMachineKey?
        do throws(KeychainError) {
            guard let file = try MachineKeyFile.read(stateFolder: stateFolder) else {
                return nil
            }
            folder = file.folder
            if case .sealed(let key) = file.content {
                sealed = key
            } else {
                sealed = nil
            }
        } catch  where error.status == .noSuchKeychain || error.status == .decode {
            let isMissing = error.status == .noSuchKeychain
            let destination = (try? MachineKeyFile.destination(stateFolder: stateFolder)) ?? nil
            return Storage(
                folder: destination ?? stateFolder, isMoved: isMissing || destination != nil,
                isMissing: isMissing, id: nil, sealedTo: nil,
                problem: isMissing
                    ? error
                    : KeychainError(
                        .decode, error.reason, hint: MachineKey.orRenewal(error.hint)))
        }
        switch try MachineKey.find(stateFolder: stateFolder, with: service) {
        case .missing: return nil
        case .key(let key):
            return Storage(
                folder: folder, isMoved: folder != stateFolder, isMissing: false, id: key.id,
                sealedTo: sealed?.sealedTo, problem: nil)
        case .unreadable(let error):
            return Storage(
                folder: folder, isMoved: folder != stateFolder, isMissing: false, id: sealed?.id,
                sealedTo: sealed?.sealedTo, problem: error)
        }
    }

    /// Creates a sealed key if there is none yet. The plain key is never written.
    ///
    /// - Returns: Whether it was created.
    /// - Throws: ``Status/notAvailable`` if systemd refuses.
    package func makeSealed() throws(KeychainError) -> Bool {
        guard try MachineKeyFile.read(stateFolder: stateFolder) == nil else {
            return false
        }
        let sealed = try SealedMachineKey(MachineKey.random(), with: service)
        try PrivatePlace.makeFolder(stateFolder)
        return try MachineKeyFile.create(.sealed(sealed), in: stateFolder)
    }

    /// Seals the key, or seals a sealed one again. The key stays the same.
    ///
    /// - Throws: ``Status/notAvailable`` if systemd refuses; ``Status/authFailed`` if the key can't
    ///   be unsealed.
    package func seal() throws(KeychainError) {
        try change { key throws(KeychainError) in
            .sealed(try SealedMachineKey(key, with: service))
        }
    }

    /// Replaces the sealed key by the plain one.
    ///
    /// - Throws: ``Status/authFailed`` if it can't be unsealed.
    package func unseal() throws(KeychainError) {
        try change { .plain($0) }
    }

    private func change(
        _ body: (MachineKey) throws(KeychainError) -> MachineKeyContent
    ) throws(KeychainError) {
        // Unsealed first: that takes the same lock.
        guard let key = try MachineKey.read(stateFolder: stateFolder, with: service) else {
            throw missing
        }
        let lock = try MachineKeyLock(waitingIn: stateFolder)
        guard let file = try MachineKeyFile.read(stateFolder: stateFolder) else {
            throw missing
        }
        let content = try body(key)
        // Another program may have made a new key meanwhile.
        guard id(of: file) == key.id else {
            throw KeychainError(.databaseLocked, "the machine key has changed", hint: "try again")
        }
        try MachineKeyFile.replace(with: content, in: file.folder)
        if case .sealed(let sealed) = file.content {
            sealed.forget()
        }
        _ = consume lock
    }

    private func id(of file: MachineKeyFile) -> [UInt8]? {
        switch file.content {
        case .plain(let key): key.id
        case .sealed(let sealed): sealed.id
        case .moved: nil
        }
    }

    /// Makes a new key because the present one can't be read, sealed if possible. The unreadable file
    /// stays beside it: what systemd refuses today it may unseal tomorrow.
    ///
    /// - Returns: Where the unreadable file is now, nil if there is none.
    /// - Throws: ``Status/param`` if the present key can be read.
    @discardableResult
    package func replaceUnreadable() throws(KeychainError) -> String? {
        let former = presentDigest
        switch try MachineKey.find(stateFolder: stateFolder, with: service) {
        case .unreadable: break
        case .missing:
            _ = try MachineKey.readOrMake(stateFolder: stateFolder)
            return nil
        case .key: throw KeychainError(.param, "the machine key can be read")
        }
        let key = try MachineKey.random()
        let content: MachineKeyContent
        do throws(KeychainError) {
            content = canSeal ? .sealed(try SealedMachineKey(key, with: service)) : .plain(key)
        } catch {
            throw KeychainError(
                error.status, error.reason,
                hint:
                    "try again later; until then set LANYARD_PASSPHRASE_FILE to a file with the recovery key"
            )
        }
        let lock = try MachineKeyLock(waitingIn: stateFolder)
        let path = MachineKey.path(in: stateFolder)
        // Another program may have made a new key meanwhile.
        guard presentDigest == former else {
            return nil
        }
        let kept = "\(path).unreadable-\(Hexadecimal.encode(try RandomBytes.make(4)))"
        // Under a second name: there is a file at every moment. Some file systems have no hard links.
        do throws(SystemCallError) {
            do throws(SystemCallError) {
                try SystemCalls.link(path, kept)
            } catch {
                try SystemCalls.rename(path, kept)
            }
        } catch {
            throw error.keychainError("can't rename '\(path)'")
        }
        try MachineKeyFile.replace(with: content, in: stateFolder)
        _ = consume lock
        return kept
    }

    /// The digest of the file in the state folder, nil if it is missing or too large.
    private var presentDigest: [UInt8]? {
        let path = MachineKey.path(in: stateFolder)
        let content = (try? PrivatePlace.readIfThere(path, limit: MachineKeyContent.limit)) ?? nil
        return content?.withBytes { KeyedDigest.plain($0) }
    }

    /// Moves the file to another folder, or back to the state folder.
    ///
    /// - Parameter folder: An absolute path; created if it is missing.
    /// - Throws: ``Status/duplicateKeychain`` if another machine key is there,
    ///   ``Status/writePermissions`` if others can access the folder.
    package func move(to folder: String) throws(KeychainError) {
        let lock = try MachineKeyLock(waitingIn: stateFolder)
        guard let file = try MachineKeyFile.read(stateFolder: stateFolder) else {
            throw missing
        }
        try finishMove(to: file)
        try PrivatePlace.makeFolder(folder)
        let former = file.folder
        // A folder can have several paths.
        guard !PrivatePlace.areSame(former, folder) else {
            return
        }
        let isBack = PrivatePlace.areSame(stateFolder, folder)
        if !isBack {
            try copy(file.content, to: folder)
        }
        if former != stateFolder {
            try noteFormer(former)
        }
        // For a move back, the pointer is what is replaced.
        try MachineKeyFile.replace(
            with: isBack ? file.content : .moved(folder: folder), in: stateFolder)
        if former != stateFolder {
            try? SystemCalls.unlink(MachineKey.path(in: former))
        }
        CacheTag.remove(from: former)
        try? SystemCalls.unlink(formerNote)
        _ = consume lock
    }

    /// Copies the key to a folder that has nothing else.
    private func copy(
        _ content: MachineKeyContent, to folder: String
    ) throws(KeychainError) {
        let bytes = content.encoded
        let path = MachineKey.path(in: folder)
        let another = KeychainError(
            .duplicateKeychain, "another machine key is at '\(path)'", hint: "choose another folder"
        )
        var isThere = false
        if let present = try PrivatePlace.readIfThere(path, limit: MachineKeyContent.limit),
            present.count > 0
        {
            // A move that was interrupted leaves the same one.
            guard present.isEqual(to: bytes) else {
                throw another
            }
            isThere = true
        }
        guard try MachineKeyPlace.hasKeyOnly(folder) else {
            throw KeychainError(
                .param,
                "the folder '\(folder)' has other files, which backups would leave out, too",
                hint: "lanyard machine-key move \("\(folder)/lanyard".shellQuoted)")
        }
        if !isThere {
            isThere = try bytes.withBytes { bytes throws(KeychainError) in
                try PrivatePlace.createFile(path, bytes)
            }
        }
        guard isThere else {
            throw another
        }
    }

    /// Whether a folder has no files but those of a machine key, of which a killed program may have left some.
    private static func hasKeyOnly(_ folder: String) throws(KeychainError) -> Bool {
        try PrivatePlace.files(in: folder).allSatisfy { name in
            name.hasPrefix(MachineKey.fileName) || name.hasPrefix(CacheTag.fileName)
        }
    }

    /// The file that says from which folder the key is being moved, in the form of ``MachineKeyContent``.
    private var formerNote: String { "\(MachineKey.path(in: stateFolder)).former" }

    /// Notes the folder, which the pointer won't name any more when the key there has to be removed.
    private func noteFormer(_ folder: String) throws(KeychainError) {
        try MachineKeyContent.moved(folder: folder).encoded.withBytes {
            bytes throws(KeychainError) in
            try PrivatePlace.replaceFile(formerNote, bytes)
        }
    }

    /// Removes the key that a move has left in the former folder, because it was interrupted.
    private func finishMove(to file: MachineKeyFile) throws(KeychainError) {
        let limit = MachineKeyContent.limit
        guard let note = try PrivatePlace.readIfThere(formerNote, limit: limit) else {
            return
        }
        if case .moved(let former) = try MachineKeyContent(decoding: note),
            !PrivatePlace.areSame(former, file.folder),
            let left = try PrivatePlace.readIfThere(MachineKey.path(in: former), limit: limit),
            left.isEqual(to: file.content.encoded)
        {
            try? SystemCalls.unlink(MachineKey.path(in: former))
            CacheTag.remove(from: former)
        }
        try? SystemCalls.unlink(formerNote)
    }

    /// Makes backup programs leave out the folder of a plain key, or include it: they know the tag as
    /// that of a cache. A folder outside the state folder gets none if it has other files.
    ///
    /// - Parameter isWanted: Whether no keychain needs the key, and backups nothing else in its folder.
    package func tag(_ isWanted: Bool) throws(KeychainError) {
        guard let file = try MachineKeyFile.read(stateFolder: stateFolder) else {
            return
        }
        var isCache = false
        if isWanted, case .plain = file.content {
            isCache = file.folder == stateFolder
            if !isCache {
                isCache = try MachineKeyPlace.hasKeyOnly(file.folder)
            }
        }
        if isCache {
            _ = try PrivatePlace.createFile(
                CacheTag.path(in: file.folder), CacheTag.text.bytes.span)
        } else {
            CacheTag.remove(from: file.folder)
        }
    }

    /// Returns the folder of the key's file, nil if there is none.
    ///
    /// - Throws: ``Status/noSuchKeychain`` if it was moved and is missing there, and what reading throws.
    package func folder() throws(KeychainError) -> String? {
        try MachineKeyFile.read(stateFolder: stateFolder)?.folder
    }

    /// Makes backup programs include the folder, ahead of a change after which a keychain may need the
    /// key: a program that is killed then leaves no tag.
    static func untag(_ location: KeychainLocation) {
        try? MachineKeyPlace(stateFolder: location.stateFolder).tag(false)
    }

    private var missing: KeychainError {
        KeychainError(
            .noSuchKeychain, "there is no machine key yet",
            hint: "the first keychain creates it: lanyard keychain create NAME")
    }
}

/// The file that marks a folder as a cache: bford.info/cachedir.
private enum CacheTag {
    static let text: StaticString = """
        Signature: 8a477f597d28d172789f06886806bc55
        # Lanyard's machine key is in this folder. A copy of your home folder without it opens
        # nothing; the recovery key opens the keychains on any machine.

        """

    static let fileName = "CACHEDIR.TAG"

    static func path(in folder: String) -> String { "\(folder)/\(fileName)" }

    /// Removes Lanyard's own tag, and none of another program.
    static func remove(from folder: String) {
        let path = path(in: folder)
        guard let number = try? SystemCalls.openForReading(path) else {
            return
        }
        let file = Descriptor(owning: number)
        let size = text.utf8CodeUnitCount
        if (try? SystemCalls.read(file.number, size + 1, at: 0)) == text.bytes {
            try? SystemCalls.unlink(path)
        }
    }
}
