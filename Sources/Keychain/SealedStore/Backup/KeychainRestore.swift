internal import Glibc
public import KeychainServices
internal import LinuxSystem

/// A copy of a keychain that is about to replace it: checked first, then moved into place in one
/// step.
public final class KeychainRestore {
    /// The id of the keychain that was copied: 16 bytes.
    public let keychainID: [UInt8]
    /// The findings in the copy, as far as the available keys reach; nil before ``open(asking:)`` if
    /// they don't open it.
    public private(set) var found: Verification?

    private let location: KeychainLocation
    /// The copy, next to the keychain's place.
    private var copy: TemporaryFile?
    private let copyLocation: KeychainLocation
    /// The keys that opened it; nil if this machine's key does.
    private var keys: SourceKeys?
    /// Who was asked for them.
    private var provider: (any PassphraseProvider)?

    private static let pieceSize = 1 << 20

    /// Copies a file next to the keychain's place and checks the copy.
    ///
    /// - Parameters:
    ///   - file: An absolute path, in any folder and with any permissions.
    ///   - location: The keychain's place.
    ///   - progress: Called with the number of items checked and the number of all items.
    /// - Throws: ``Status/itemNotFound`` if the file is missing, ``Status/param`` if it is the
    ///   keychain itself, ``Status/invalidKeychain`` if it is not a keychain, ``Status/authFailed``
    ///   if no passphrase or recovery key opens it here; what making files throws.
    public init(
        of file: String, to location: KeychainLocation,
        progress: (Int, Int) -> Void = { _, _ in }
    ) throws(KeychainError) {
        guard !PrivatePlace.areSame(file, location.file) else {
            throw KeychainError(.param, "'\(file)' is the keychain itself")
        }
        let source = try KeychainRestore.open(file)
        // What follows the last page is no part of it.
        var rest = try KeychainRestore.size(of: source, file) ?? .max
        try PrivatePlace.makeFolder(location.dataFolder)
        let copy = try TemporaryFile(beside: location.file)
        while rest > 0 {
            let piece: Secret
            do throws(SystemCallError) {
                piece = try SystemCalls.readSecret(
                    source.number, min(rest, KeychainRestore.pieceSize))
            } catch {
                throw error.keychainError("can't read '\(file)'")
            }
            guard piece.count > 0 else {
                break
            }
            try piece.withBytes { bytes throws(KeychainError) in try copy.append(bytes) }
            rest -= piece.count
        }
        self.location = location
        copyLocation = KeychainLocation(
            file: copy.temporary, stateFolder: location.stateFolder, name: file)
        (keychainID, found) = try KeychainRestore.look(at: copyLocation, file, progress)
        self.copy = consume copy
    }

    private static func open(_ file: String) throws(KeychainError) -> Descriptor {
        guard let number = try PrivatePlace.openThroughOwnLinks(file) else {
            throw LinkedFile.notFound(file)
        }
        let descriptor = Descriptor(owning: number)
        guard try PrivatePlace.status(of: number, file).st_mode & S_IFMT == S_IFREG else {
            throw KeychainError(.param, "'\(file)' is not a file")
        }
        return descriptor
    }

    /// Looks at the beginning of a file before all of it is copied: it may be any other large file.
    ///
    /// - Returns: The keychain's size by its header, nil if that does not say.
    private static func size(
        of source: borrowing Descriptor, _ file: String
    ) throws(KeychainError) -> Int? {
        let header: [UInt8]
        do throws(SystemCallError) {
            header = try SystemCalls.read(source.number, 100, at: 0)
        } catch {
            throw error.keychainError("can't read '\(file)'")
        }
        do throws(KeychainError) {
            return try FormatVersion.size(by: header)
        } catch {
            throw notAKeychain(file)
        }
    }

    private static func notAKeychain(_ file: String) -> KeychainError {
        KeychainError(.invalidKeychain, hint: "name a copy that lanyard backup made").naming(file)
    }

    private static func look(
        at copy: KeychainLocation, _ file: String, _ progress: (Int, Int) -> Void
    ) throws(KeychainError) -> ([UInt8], Verification?) {
        do throws(KeychainError) {
            let store = try SealedStore(at: copy, now: SystemCalls.now, acceptsRestored: true)
            let keybag = try store.storedKeybag()
            let found = try store.verificationIfOpen(progress: progress)
            if found == nil, let refusal = store.atHand.refusal(of: keybag) {
                throw refusal
            }
            return (keybag.keychainID, found)
        } catch {
            guard error.status != .invalidKeychain else {
                throw notAKeychain(file)
            }
            let reason = naming(file, insteadOf: copy.file, in: error.reason)
            throw KeychainError(
                error.status, "can't restore '\(file)': \(reason)", hint: error.hint)
        }
    }

    /// Returns a reason with the user's file in place of the copy, which the user does not know. Without the module
    /// _StringProcessing: every helper would link it.
    private static func naming(_ file: String, insteadOf copy: String, in reason: String) -> String
    {
        let (text, path) = (Array(reason.utf8), Array(copy.utf8))
        guard let start = text.indices.first(where: { text[$0...].starts(with: path) }) else {
            return reason
        }
        return String(
            decoding: text[..<start] + Array(file.utf8) + text[(start + path.count)...],
            as: UTF8.self)
    }

    /// Opens and checks the copy with its recovery key or passphrase, unless this machine's key
    /// opens it.
    ///
    /// - Parameter progress: Called with the number of items checked and the number of all items.
    /// - Throws: ``Status/interactionNotAllowed``, ``Status/userCanceled`` or
    ///   ``Status/authFailed`` without the right key.
    public func open(
        asking provider: any PassphraseProvider, progress: (Int, Int) -> Void = { _, _ in }
    ) throws(KeychainError) {
        guard found == nil else {
            return
        }
        let store = try SealedStore(
            at: copyLocation, provider: provider, now: SystemCalls.now, acceptsRestored: true)
        _ = try store.whileUnlocking { () throws(KeychainError) in try store.openWithProvider() }
        found = try store.verificationIfOpen(progress: progress)
        keys = store.atHand.sources
        self.provider = provider
    }

    /// Opens the copy to look at its items, with the key that opened it.
    ///
    /// - Throws: What opening it throws.
    public func openCopy() throws(KeychainError) -> SealedStore {
        let store = try SealedStore(
            at: copyLocation, now: SystemCalls.now, acceptsRestored: true)
        if let keys {
            store.atHand.sources = keys
        }
        return store
    }

    /// Whether the keychain's place is taken.
    ///
    /// - Throws: ``Status/io``.
    public func hasPlaceTaken() throws(KeychainError) -> Bool {
        try PrivatePlace.exists(location.file)
    }

    /// Moves the copy into place. A present keychain moves into a new folder next to it, together
    /// with any journal; so does a journal whose keychain is gone.
    ///
    /// - Parameter folder: The name for the new folder; a number is added if it is taken.
    /// - Returns: That folder; nil if no keychain was there.
    /// - Throws: ``Status/databaseLocked`` if another program keeps the keychain busy;
    ///   ``Status/duplicateKeychain`` if the place has been taken meanwhile; what making files
    ///   throws.
    public func apply(keepingPresentIn folder: String) throws(KeychainError) -> String? {
        guard let copy = copy.take() else {
            throw KeychainError(.param, "the copy was already restored")
        }
        // The copy may need the machine key, unlike what it replaces.
        MachineKeyPlace.untag(location)
        guard try hasPlaceTaken() else {
            // SQLite would play the journal of an earlier keychain back into the copy.
            if try PrivatePlace.exists("\(location.file)-journal") {
                try move("-journal", to: makeFolder(folder))
            }
            // The record outlives a keychain file that was moved away.
            acceptAhead(inPlaceOf: (try? KeychainAnchor(location).read())?.keychainID)
            guard try copy.make() else {
                throw KeychainError(
                    .duplicateKeychain, "'\(location.file)' now exists",
                    hint: "try again")
            }
            return nil
        }
        // No program writes the record meanwhile.
        let turn = try UnlockLock(.work, at: location, timeout: SealedStore.usualBusyTimeout)
        // Locking plays back a journal and waits for a program that is writing.
        let present = try lockPresent()
        let folder = try makeFolder(folder)
        try move("-journal", to: folder)
        try keepPresent(in: folder)
        acceptAhead(inPlaceOf: present?.atHand.opened?.keybag.keychainID)
        try copy.replace()
        present?.file.end()
        _ = consume turn
        return folder
    }

    /// Records an older copy of a keychain before it takes that one's place: other programs then refuse
    /// neither, and no change comes in between. ``accept()`` does the rest.
    private func acceptAhead(inPlaceOf id: [UInt8]?) {
        guard id == keychainID else {
            return
        }
        try? openCopy().withoutUnlocking { state throws(KeychainError) in
            try KeychainAnchor(location).accept(state.keys.keybag, change: state.rowSet.change)
        }
    }

    /// Accepts the copy in the keychain's place, with the key that opened it.
    ///
    /// - Throws: What ``SealedStore/acceptRestored(at:provider:)`` throws.
    public func accept() throws(KeychainError) {
        guard let keys else {
            return try SealedStore.acceptRestored(at: location)
        }
        try SealedStore.acceptRestored(at: location, keys: keys, provider: provider)
    }

    /// Keeps other programs from writing the present keychain; one that can't be opened can't be
    /// written either.
    private func lockPresent() throws(KeychainError) -> SealedStore? {
        do throws(KeychainError) {
            let present = try SealedStore(
                at: location, now: SystemCalls.now, acceptsRestored: true)
            _ = try present.beginWriting()
            return present
        } catch  where error.status != .databaseLocked {
            return nil
        }
    }

    private func makeFolder(_ name: String) throws(KeychainError) -> String {
        let name = "\(location.dataFolder)/\(name)"
        var folder = name
        var number = 1
        while try PrivatePlace.exists(folder) {
            number += 1
            folder = "\(name)-\(number)"
        }
        try PrivatePlace.makeFolder(folder)
        return folder
    }

    /// Gives the present keychain a second name: at every moment a keychain exists.
    private func keepPresent(in folder: String) throws(KeychainError) {
        do throws(SystemCallError) {
            try SystemCalls.link(location.file, "\(folder)/\(location.fileName)")
        } catch {
            // Some file systems have no hard links.
            try move("", to: folder)
        }
    }

    private func move(_ suffix: String, to folder: String) throws(KeychainError) {
        let file = location.file + suffix
        guard try PrivatePlace.exists(file) else {
            return
        }
        do throws(SystemCallError) {
            try SystemCalls.rename(file, "\(folder)/\(location.fileName)\(suffix)")
        } catch {
            throw error.keychainError("can't move '\(file)'")
        }
    }
}

extension SealedStore {
    /// Returns the keychain's id as stored in its file: 16 bytes that tell keychains apart.
    ///
    /// - Throws: What reading throws.
    public func keychainID() throws(KeychainError) -> [UInt8] { try storedKeybag().keychainID }
}
