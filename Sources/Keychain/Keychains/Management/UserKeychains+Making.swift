public import LanyardConfiguration
public import KeychainServices
internal import LinuxSystem
internal import SealedStore

extension UserKeychains {
    /// Creates an empty keychain in a sealed file, which is always unlocked.
    ///
    /// - Parameters:
    ///   - name: Up to 64 letters, digits, `_`, `-` and `.`.
    ///   - file: The file's absolute path; nil for the folder for keychains.
    /// - Throws: ``Status/duplicateKeychain`` if the name or the file is taken; ``Status/param`` for an
    ///   invalid name or path; what ``SealedStore/make(at:)`` throws.
    ///
    /// The corresponding function is SecKeychainCreate.
    public mutating func create(
        _ name: String, file: String? = nil
    ) throws(KeychainError) {
        _ = try make(name, file: file)
    }

    /// Creates an empty keychain with a passphrase, and unlocks it if the kernel stores keys.
    ///
    /// - Throws: As ``create(_:file:)``; ``Status/param`` for an empty or too long passphrase.
    public mutating func create(
        _ name: String, file: String? = nil, passphrase: borrowing Secret
    ) throws(KeychainError) {
        try PassphraseChange.check(passphrase)
        let location = try make(name, file: file)
        do throws(KeychainError) {
            let store = try SealedStore(
                at: location,
                provider: CallerPassphrase(passphrase.copy(), keychain: name, configuration))
            try PassphraseChange.set(passphrase, of: store).apply()
            // Without keys in the kernel it stays locked, and each use asks.
            _ = try? store.unlock(timeout: configuration.autolock(ofKeychain: name).limit)
        } catch {
            try? SealedStore.delete(at: location)
            try? configuration.forget(keychain: name)
            throw error
        }
    }

    /// Gives a name to a keychain of another kind, which its plugin knows.
    ///
    /// - Parameters:
    ///   - kind: `secret-service`, or the kind of another plugin.
    ///   - settings: For the plugin, for example its `collection`.
    ///   - plugin: The plugin's absolute path; nil for one of Lanyard's own.
    ///   - check: Tries it out; the name is removed again if it throws.
    /// - Throws: ``Status/duplicateKeychain``, ``Status/param``, what `check` throws.
    public mutating func add(
        _ name: String, kind: String, settings: KeyValuePairs<String, String> = [:],
        plugin: String? = nil,
        check: (Configuration) throws(KeychainError) -> Void = { _ throws(KeychainError) in }
    ) throws(KeychainError) {
        guard let kind = KeychainKind(name: kind), kind != .sealed else {
            throw KeychainError(
                .param, "'\(kind)' is not a kind of keychain",
                hint: "use 'sealed' or 'secret-service'")
        }
        try checkIsNew(name)
        try configuration.set(kind.name, for: "kind", ofKeychain: name)
        do throws(KeychainError) {
            for (key, value) in settings {
                try configuration.set(value, for: key, ofKeychain: name)
            }
            if let plugin {
                try configuration.set(plugin, for: "plugin", ofKeychain: name)
            }
            try check(configuration)
        } catch {
            try configuration.forget(keychain: name)
            throw error
        }
    }

    /// The effects of deleting a keychain.
    public enum Deletion: Hashable, Sendable {
        /// Its file was deleted with everything in it.
        case deleted
        /// Its file was missing: the name was removed.
        case forgotten
        /// It is of this other kind: the name was removed, and the items stay.
        case itemsStay(kind: String)
        /// Its file is also that of this other keychain: the name was removed, and the file stays.
        case fileStays(other: String)
    }

    /// Deletes a sealed keychain with everything in it, or the name of a keychain of another kind. If another
    /// keychain has the same file, it deletes the name alone.
    ///
    /// - Throws: ``Status/noSuchKeychain``; ``Status/param`` if only the other name can be deleted; what
    ///   ``SealedStore/delete(at:)`` throws.
    ///
    /// The corresponding function is SecKeychainDelete.
    @discardableResult
    public mutating func delete(_ name: String) throws(KeychainError) -> Deletion {
        let isNamed = configuration.namedKeychains.contains(name)
        let kind = try configuration.kind(ofKeychain: name)
        guard kind == .sealed else {
            guard isNamed else {
                throw KeychainError(
                    .noSuchKeychain, "the configuration has no keychain '\(name)'",
                    hint: "see lanyard keychain list")
            }
            try configuration.forget(keychain: name)
            return .itemsStay(kind: kind.name)
        }
        let location = try configuration.location(ofKeychain: name)
        let exists = try PrivatePlace.exists(location.file)
        if exists, let other = try otherName(of: name) {
            // Without its section, the keychain would still be there.
            guard try location.file != configuration.places.keychain(name).file else {
                throw KeychainError(
                    .param, "the keychain '\(other)' has the same file '\(location.file)'",
                    hint: "lanyard keychain delete \(other) removes that name alone")
            }
            try SealedStore.forget(at: location)
            try configuration.forget(keychain: name)
            return .fileStays(other: other)
        }
        let isVanished = try SealedStore.isVanished(at: location)
        if exists || isVanished {
            try SealedStore.delete(at: location)
            BackgroundExchange.forget(name, configuration.places)
        } else if !isNamed {
            throw KeychainError(
                .noSuchKeychain, "keychain '\(name)' not found", hint: "see lanyard keychain list")
        }
        try configuration.forget(keychain: name)
        return exists ? .deleted : .forgotten
    }

    /// Returns the name of another keychain with the same file, nil if there is none.
    package func otherName(of name: String) throws(KeychainError) -> String? {
        try configuration.keychain(
            withFile: configuration.location(ofKeychain: name).file, except: name)
    }

    private mutating func make(
        _ name: String, file: String?
    ) throws(KeychainError) -> KeychainLocation {
        guard try configuration.kind(ofKeychain: name) == .sealed else {
            throw exists(name)
        }
        let standard = try configuration.location(ofKeychain: name)
        let places = configuration.places
        guard let file, file != standard.file else {
            // Another program may have taken the name since the configuration was read.
            try SealedStore.make(at: standard) { () throws(KeychainError) in
                let present = try Configuration(places: places)
                guard try present.kind(ofKeychain: name) == .sealed,
                    try present.location(ofKeychain: name).file == standard.file
                else {
                    throw exists(name)
                }
            } registering: { () throws(KeychainError) in
            }
            return standard
        }
        guard file.hasPrefix("/") else {
            throw KeychainError(.param, "the file of a keychain needs an absolute path")
        }
        try checkIsNew(name)
        let location = KeychainLocation(file: file, stateFolder: places.state, name: name)
        var isMade = false
        do throws(KeychainError) {
            try SealedStore.make(at: location) { () throws(KeychainError) in
                try UserKeychains(Configuration(places: places)).checkIsNew(name)
            } registering: { () throws(KeychainError) in
                isMade = true
                try configuration.set(file, for: "file", ofKeychain: name)
            }
        } catch {
            if isMade {
                // An unregistered keychain would block the next attempt.
                try? SealedStore.delete(at: location)
                throw error
            }
            // A taken name has a hint of its own.
            guard error.status == .duplicateKeychain, error.hint == nil else {
                throw error
            }
            if let other = try configuration.keychain(withFile: file) {
                throw KeychainError(
                    error.status, "'\(file)' is the file of the keychain '\(other)'")
            }
            // A process may have ended before it gave the file its name.
            let command = "lanyard config set keychain.\(name).file \(file.shellQuoted)"
            throw KeychainError(
                error.status, error.reason, hint: "if it is a keychain: \(command)")
        }
        return location
    }

    /// Throws if the name is taken, even by a file in the folder for keychains, which the configuration
    /// would hide.
    private func checkIsNew(_ name: String) throws(KeychainError) {
        _ = try configuration.places.keychain(name)
        guard try !configuration.keychains().contains(name), name != Configuration.login else {
            throw exists(name)
        }
    }

    private func exists(_ name: String) -> KeychainError {
        KeychainError(
            .duplicateKeychain, "the keychain '\(name)' already exists",
            hint: "choose another name; see lanyard keychain list")
    }
}
