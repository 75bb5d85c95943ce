internal import Cryptography
public import KeychainServices
internal import LinuxSystem

/// A change of a keychain's passphrase: prepared, so that what is lost by it can be told before, and
/// then made in one step.
public final class PassphraseChange {
    /// What can't be kept.
    public struct Losses: Hashable, Sendable {
        /// How many items are deleted that may only be kept with a passphrase.
        public let itemsForPassphrase: Int
        /// How many items are deleted that are for one machine only and can't be read here.
        public let itemsElsewhere: Int
        /// Whether the recovery key opens the keychain no more.
        public let recoveryKey: Bool

        /// How many items are deleted.
        public var items: Int { itemsForPassphrase + itemsElsewhere }
    }

    /// What the change takes away.
    public let losses: Losses

    private let store: SealedStore
    private let edit: (inout KeybagDraft) throws(KeychainError) -> Void

    /// Sets the passphrase of a keychain that has none. All secrets are sealed anew, under new keys; a
    /// recovery key is a way to them only if the process was given it.
    ///
    /// - Parameters:
    ///   - passphrase: 1 to 1024 bytes, without line breaks and NULs.
    ///   - isPortable: Whether the passphrase alone opens the keychain on other machines, where it can be
    ///     guessed; else that takes the recovery key.
    /// - Throws: ``Status/param`` if there is a passphrase already or the new one can't be one; what
    ///   reading throws.
    public static func set(
        _ passphrase: borrowing Secret, isPortable: Bool = false, of store: SealedStore
    ) throws(KeychainError) -> PassphraseChange {
        guard try !store.storedKeybag().hasPassphrase else {
            throw isSet
        }
        let new = try NewPassphrase(passphrase)
        try store.openWithGivenRecoveryKey()
        return try PassphraseChange(store) { draft throws(KeychainError) in
            // Another program may have been faster.
            guard !draft.hasPassphrase else {
                throw isSet
            }
            draft.isPortable = isPortable
            draft.setPassphrase(new.source, new.key.copy())
            try draft.renewSecretKeys()
        }
    }

    /// Throws what would be thrown for a new passphrase that can't be one, before a person types it
    /// again.
    ///
    /// - Throws: ``Status/param``.
    public static func check(_ passphrase: borrowing Secret) throws(KeychainError) {
        let isLine = passphrase.withBytes { bytes in
            bytes.indices.allSatisfy {
                ![0, UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(bytes[$0])
            }
        }
        guard passphrase.count > 0 else {
            throw KeychainError(.param, "the new passphrase is empty")
        }
        guard isLine, passphrase.count <= 1024 else {
            throw KeychainError(
                .param, "the new passphrase is not one line of up to 1024 bytes")
        }
    }

    private static var isSet: KeychainError {
        KeychainError(
            .param, "the keychain has a passphrase already", hint: "lanyard passphrase change")
    }

    /// Changes the passphrase. The old one, or the recovery key, is what the process was given or a
    /// person is asked for, also while the keychain is unlocked.
    ///
    /// - Parameters:
    ///   - isPortable: As in ``set(_:isPortable:of:)``; nil leaves it as it is.
    ///   - renewsKeys: Seals all secrets anew, under new keys, so that the old passphrase and an older
    ///     copy of the file are of no use for them.
    /// - Throws: ``Status/authFailed`` if there is no passphrase or the old one is wrong;
    ///   ``Status/interactionNotAllowed``, ``Status/userCanceled``, ``Status/param``.
    public static func change(
        to passphrase: () throws(KeychainError) -> Secret, isPortable: Bool? = nil,
        renewsKeys: Bool = false, of store: SealedStore
    ) throws(KeychainError) -> PassphraseChange {
        try store.openForChange()
        let new = try NewPassphrase(passphrase())
        return try PassphraseChange(store) { draft throws(KeychainError) in
            draft.isPortable = isPortable ?? draft.isPortable
            draft.setPassphrase(new.source, new.key.copy())
            if renewsKeys {
                try draft.renewSecretKeys()
            }
        }
    }

    /// Removes the passphrase, after which the keychain is always unlocked on its machine. What may
    /// only be kept with a passphrase is deleted.
    ///
    /// - Throws: As ``change(to:isPortable:renewsKeys:of:)``.
    public static func remove(of store: SealedStore) throws(KeychainError) -> PassphraseChange {
        try store.openForChange()
        return try PassphraseChange(store) { draft throws(KeychainError) in
            draft.remove(.passphrase)
            draft.isPortable = true
        }
    }

    /// Removes the recovery key, if there is one, and seals all secrets anew, under new keys, so that
    /// a recovery key and an older copy of the file are of no use for them.
    ///
    /// - Throws: What ``change(to:isPortable:renewsKeys:of:)`` throws.
    public static func removeRecoveryKey(
        of store: SealedStore
    ) throws(KeychainError) -> PassphraseChange {
        if try store.storedKeybag().hasPassphrase {
            try store.openForChange()
        }
        return try PassphraseChange(store) { draft throws(KeychainError) in
            draft.remove(.recoveryKey)
            try draft.renewSecretKeys()
        }
    }

    private init(
        _ store: SealedStore, _ edit: @escaping (inout KeybagDraft) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        self.store = store
        self.edit = edit
        try store.unlockIfNeeded()
        losses = try store.reading { state throws(KeychainError) in
            guard try state.keys.isUnlocked() else {
                throw UnlockedKeys.locked
            }
            guard
                let change = try KeybagChange(of: state, store.atHand.sources, store.location, edit)
            else {
                return Losses(itemsForPassphrase: 0, itemsElsewhere: 0, recoveryKey: false)
            }
            let readable = try change.itemsToDelete(readable: true)
            return Losses(
                itemsForPassphrase: readable,
                itemsElsewhere: try change.itemsToDelete() - readable,
                recoveryKey: state.keys.keybag.source(.recoveryKey) != nil
                    && change.keybag.source(.recoveryKey) == nil)
        }
    }

    /// Makes the change, all of it or nothing, and locks the keychain for all programs.
    ///
    /// - Parameter progress: Told how many of how many secrets are sealed anew.
    /// - Throws: ``Status/param`` if more would be deleted than ``losses`` says; what writing throws.
    public func apply(progress: (Int, Int) -> Void = { _, _ in }) throws(KeychainError) {
        try store.withoutAsking { () throws(KeychainError) in
            try store.changeKeybag(deletable: losses.items, progress: progress, edit)
            try? store.lockForOthers(firstUnlock: true)
        }
    }
}

/// A passphrase that is to be, stretched.
private final class NewPassphrase {
    let source: KeySource
    let key: Secret

    init(_ passphrase: borrowing Secret) throws(KeychainError) {
        try PassphraseChange.check(passphrase)
        let stretching = PassphraseStretching(
            salt: try RandomBytes.make(PassphraseStretching.saltSize))
        source = try KeySource.newPassphrase(stretching)
        key = try stretching.key(passphrase)
    }
}
