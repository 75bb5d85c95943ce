internal import LanyardConfiguration
internal import KeychainPlugin
public import KeychainServices
internal import SealedStore

extension UserKeychains {
    /// Returns whether a keychain is locked. A default keychain that doesn't exist yet is not.
    ///
    /// - Throws: What reading throws; ``Status/notAvailable`` if a plugin can't be reached.
    ///
    /// The corresponding function is SecKeychainGetStatus.
    public func isLocked(_ name: String) throws(KeychainError) -> Bool {
        guard try configuration.kind(ofKeychain: name) == .sealed else {
            return try configuration.pluginStatus(ofKeychain: name).isLocked
        }
        return try configuration.openSealedKeychain(name)?.lockState() == .locked
    }

    /// Locks a keychain at once for all programs of the user.
    ///
    /// - Throws: What ``SealedStore/lock(firstUnlock:)`` throws; ``Status/notAvailable`` if a plugin
    ///   can't be reached.
    ///
    /// The corresponding function is SecKeychainLock.
    public func lock(_ name: String) throws(KeychainError) {
        if try configuration.kind(ofKeychain: name) == .sealed {
            try configuration.lockSealedKeychain(name)
        } else {
            try configuration.pluginStore(ofKeychain: name).lock()
        }
    }

    /// Locks the sealed keychains whose settings say so.
    ///
    /// - Throws: The last error of several; the other keychains are locked.
    public func lock(on event: LockEvent) throws(KeychainError) {
        var failure: KeychainError?
        for name in Set(try configuration.keychains() + [Configuration.login]).sorted() {
            do throws(KeychainError) {
                guard try configuration.kind(ofKeychain: name) == .sealed else {
                    continue
                }
                // An invalid setting must not leave the others unlocked.
                if try event.locks(settings(of: name)) {
                    try lock(name)
                }
            } catch {
                failure = KeychainError(
                    error.status, "the keychain '\(name)' is not locked: \(error.reason)",
                    hint: error.hint)
            }
        }
        if let failure {
            throw failure
        }
    }

    /// Locks every keychain for all programs of the user, including secrets readable after the first
    /// unlock, and even if a file or the configuration is damaged.
    ///
    /// - Parameter warn: Called with the error of each keychain that is likely to contain logins and
    ///   can't be reached.
    /// - Throws: The last error of several; the other keychains are locked.
    ///
    /// The corresponding function is SecKeychainLockAll.
    public static func lockAll(
        warn: (KeychainError) -> Void = { _ in }
    ) throws(KeychainError) {
        // It needs neither the configuration nor the keychains' files, and locks even a damaged or
        // unmounted keychain.
        let places = try Places()
        let configuration = try? Configuration(places: places)
        // Those without their anchor.
        for name in (try? configuration?.keychains()) ?? [] {
            try? configuration?.lockSealedKeychain(name, firstUnlock: true)
        }
        let sealed = Result { () throws(KeychainError) in
            try SealedStore.lockAll(stateFolder: places.state)
        }
        // They may take a second to answer.
        let failure = configuration.flatMap { UserKeychains($0).lockOthers(warn: warn) }
        try sealed.get()
        if let failure {
            throw failure
        }
    }

    /// Unlocks a keychain for all programs of the user, for the time in its settings. A sealed keychain
    /// uses what the process was given, else asks the user; other kinds ask in their own way.
    ///
    /// - Throws: As ``SealedStore/unlock(timeout:)``.
    ///
    /// The corresponding function is SecKeychainUnlock.
    public func unlock(_ name: String) throws(KeychainError) {
        if try configuration.kind(ofKeychain: name) == .sealed {
            try configuration.openSealedKeychain(name)?
                .unlock(timeout: configuration.autolock(ofKeychain: name).limit)
            return
        }
        try configuration.pluginStore(ofKeychain: name).unlock()
        // It works now: earlier failures don't count.
        if try configuration.kind(ofKeychain: name) == .secretService {
            _ = try SecretServiceProbe(keychain: name, configuration).status()
        }
    }

    /// Unlocks a sealed keychain with its passphrase, and asks no one.
    ///
    /// - Throws: As ``SealedStore/unlock(timeout:)``; ``Status/param`` for another kind of keychain.
    public func unlock(
        _ name: String, passphrase: borrowing Secret
    ) throws(KeychainError) {
        let store = try SealedStore(
            at: configuration.location(ofKeychain: name),
            provider: CallerPassphrase(passphrase.copy(), keychain: name, configuration))
        try store.unlock(timeout: configuration.autolock(ofKeychain: name).limit)
    }

    /// Locks every keychain in use or with a section of its own, except sealed files.
    ///
    /// - Returns: The error of an open keychain that could not be locked.
    private func lockOthers(warn: (KeychainError) -> Void) -> KeychainError? {
        var names = (try? configuration.searchList().names) ?? []
        names += configuration.namedKeychains.filter { !names.contains($0) }
        var failure: KeychainError?
        for name in names {
            guard let kind = try? configuration.kind(ofKeychain: name), kind != .sealed else {
                continue
            }
            do throws(KeychainError) {
                try lockIfOpen(name, warn: warn)
            } catch {
                failure = KeychainError(
                    error.status, "the keychain '\(name)' is not locked: \(error.reason)",
                    hint: error.hint)
            }
        }
        return failure
    }

    private func lockIfOpen(
        _ name: String, warn: (KeychainError) -> Void
    ) throws(KeychainError) {
        let isLocked: Bool
        do throws(KeychainError) {
            isLocked = try configuration.pluginStatus(ofKeychain: name).isLocked
        } catch {
            // Lanyard's own service is locked with the keychains that it serves.
            if error.status != .duplicateKeychain,
                configuration.namedKeychains.contains(name) || configuration.hasUsedSecretService
            {
                warn(
                    KeychainError(
                        error.status, "the keychain '\(name)' was not locked: \(error.reason)"))
            }
            return
        }
        if !isLocked {
            try lock(name)
        }
    }
}

extension Configuration {
    /// Locks a sealed keychain, by its file only if no program has used it on this machine.
    fileprivate func lockSealedKeychain(
        _ name: String, firstUnlock: Bool = false
    ) throws(KeychainError) {
        guard
            try !SealedStore.lock(at: location(ofKeychain: name), firstUnlock: firstUnlock)
        else {
            return
        }
        try openSealedKeychain(name)?.lock(firstUnlock: firstUnlock)
    }
}
