internal import Glibc
public import KeychainServices
internal import LinuxSystem

/// A copy of a keychain on its way back to the keychain's place: looked at first, then put there in one
/// step.
public final class KeychainRestore {
    /// Names the keychain that the file is a copy of: 16 bytes.
    public let keychainID: [UInt8]
    /// What was found in the copy as far as the keys at hand reach; nil if they don't open it.
    public let found: Verification?

    private let location: KeychainLocation
    /// The copy, beside its place.
    private var copy: TemporaryFile?

    private static let pieceSize = 1 << 20

    /// Copies a file beside its place, and looks at the copy.
    ///
    /// - Parameters:
    ///   - file: An absolute path, wherever that is and whoever can read it.
    ///   - location: Where the keychain is to be.
    /// - Throws: ``Status/noSuchKeychain`` if there is no such file, ``Status/param`` if it is the
    ///   keychain itself, ``Status/invalidKeychain`` if it is no keychain; what making files throws.
    public init(of file: String, to location: KeychainLocation) throws(KeychainError) {
        guard !PrivatePlace.areSame(file, location.file) else {
            throw KeychainError(.param, "'\(file)' is the keychain itself")
        }
        let source = try KeychainRestore.open(file)
        try PrivatePlace.makeFolder(location.dataFolder)
        let copy = try TemporaryFile(beside: location.file)
        while true {
            let piece: Secret
            do throws(SystemCallError) {
                piece = try SystemCalls.readSecret(source.number, KeychainRestore.pieceSize)
            } catch {
                throw error.keychainError("can't read '\(file)'")
            }
            guard piece.count > 0 else {
                break
            }
            try piece.withBytes { bytes throws(KeychainError) in try copy.append(bytes) }
        }
        self.location = location
        (keychainID, found) = try KeychainRestore.look(at: copy.temporary, file, location)
        self.copy = consume copy
    }

    private static func open(_ file: String) throws(KeychainError) -> Descriptor {
        guard let number = try PrivatePlace.openThroughOwnLinks(file) else {
            throw KeychainError(.noSuchKeychain, "there is no file '\(file)' that can be read")
        }
        let descriptor = Descriptor(owning: number)
        let status: stat
        do throws(SystemCallError) {
            status = try SystemCalls.fstat(number)
        } catch {
            throw error.keychainError("can't look at '\(file)'")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw KeychainError(.param, "'\(file)' is not a file")
        }
        return descriptor
    }

    private static func look(
        at copy: String, _ file: String, _ location: KeychainLocation
    ) throws(KeychainError) -> ([UInt8], Verification?) {
        do throws(KeychainError) {
            let store = try SealedStore(
                at: KeychainLocation(file: copy, stateFolder: location.stateFolder),
                now: SystemCalls.now, acceptsRestored: true)
            return (try store.storedKeybag().keychainID, try store.verificationIfOpen())
        } catch {
            throw KeychainError(error.status, "'\(file)' can't be put back: \(error.reason)")
        }
    }

    /// Whether there is something in the place of the keychain.
    ///
    /// - Throws: ``Status/io``.
    public func hasPlaceTaken() throws(KeychainError) -> Bool {
        try PrivatePlace.exists(location.file)
    }

    /// Puts the copy in its place. What is there is moved into a new folder beside it, with the journal
    /// that may belong to it.
    ///
    /// - Parameter folder: The name that the new folder is to have; a number is added if it is taken.
    /// - Returns: That folder; nil if nothing was there.
    /// - Throws: ``Status/databaseLocked`` if another program keeps the keychain busy;
    ///   ``Status/duplicateKeychain`` if something has come to its place meanwhile; what making files
    ///   throws.
    public func apply(keepingPresentIn folder: String) throws(KeychainError) -> String? {
        guard let copy = copy.take() else {
            throw KeychainError(.param, "the copy was put back already")
        }
        guard try hasPlaceTaken() else {
            guard try copy.make() else {
                throw KeychainError(
                    .duplicateKeychain, "there is something at '\(location.file)' by now",
                    hint: "try again")
            }
            return nil
        }
        // A journal is played back by that; one that writes just now is waited for.
        let present = try lockPresent()
        let folder = try makeFolder(folder)
        try move("-journal", to: folder)
        try keepPresent(in: folder)
        try copy.replace()
        present?.file.end()
        return folder
    }

    /// Keeps others from writing what is there; one that can't be opened nobody can write.
    private func lockPresent() throws(KeychainError) -> SealedStore? {
        do throws(KeychainError) {
            let present = try SealedStore(
                at: location, now: SystemCalls.now, acceptsRestored: true)
            _ = try present.beginWriting()
            return present
        } catch {
            guard error.status != .databaseLocked else {
                throw error
            }
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

    /// Gives what is there a second name, so that there is a keychain at every moment.
    private func keepPresent(in folder: String) throws(KeychainError) {
        do throws(SystemCallError) {
            try SystemCalls.link(location.file, "\(folder)/\(location.fileName)")
        } catch {
            // Not every file system knows second names.
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
    /// Names the keychain, as its file says: 16 bytes, for telling one from another.
    ///
    /// - Throws: What reading throws.
    public func keychainID() throws(KeychainError) -> [UInt8] { try storedKeybag().keychainID }
}
