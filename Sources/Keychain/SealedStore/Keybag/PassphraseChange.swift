internal import LanyardCryptography
public import KeychainServices
internal import LinuxSystem

/// A change of a keychain's passphrase, in two steps: it is prepared, which reveals its losses, and
/// then applied at once.
public final class PassphraseChange {
    /// The losses of a change.
    public struct Losses: Hashable, Sendable {
        /// The number of items deleted because they require a passphrase.
        public let itemsForPassphrase: Int
        /// The number of those that ask at each use; the others are stored only with a passphrase.
        public let itemsThatAsk: Int
        /// The attributes of the first three of them.
        public let firstForPassphrase: [ItemAttributes]
        /// The number of items deleted because they are bound to another machine and can't be read
        /// here.
        public let itemsElsewhere: Int
        /// The names of the security keys that stop working.
        public let securityKeys: [String]
        /// Whether the recovery key stops working.
        public let recoveryKey: Bool

        /// The number of items deleted.
        public var items: Int { itemsForPassphrase + itemsElsewhere }

        init(
            itemsForPassphrase: Int, itemsThatAsk: Int = 0,
            firstForPassphrase: [ItemAttributes] = [],
            itemsElsewhere: Int, securityKeys: [String] = [], recoveryKey: Bool
        ) {
            self.itemsForPassphrase = itemsForPassphrase
            self.itemsThatAsk = itemsThatAsk
            self.firstForPassphrase = firstForPassphrase
            self.itemsElsewhere = itemsElsewhere
            self.securityKeys = securityKeys
            self.recoveryKey = recoveryKey
        }
    }

    /// The losses of this change.
    public let losses: Losses

    private let store: SealedStore
    private let edit: (inout KeybagDraft) throws(KeychainError) -> Void

    /// Prepares the passphrase of a keychain that has none. All secrets are encrypted again under
    /// new keys; a recovery key opens those only if the process was given it.
    ///
    /// - Parameters:
    ///   - passphrase: 1 to 1024 bytes, without line breaks and NULs.
    ///   - isPortable: Whether the passphrase alone opens the keychain on other machines, where an
    ///     attacker can try to guess it; otherwise only the recovery key does.
    /// - Throws: ``Status/duplicateItem`` if there is a passphrase already, ``Status/param`` if the new one is
    ///   invalid; what reading throws.
    public static func set(
        _ passphrase: borrowing Secret, isPortable: Bool = false, of store: SealedStore
    ) throws(KeychainError) -> PassphraseChange {
        try check(passphrase)
        let passphrase = passphrase.copy()
        return try set(
            to: { () throws(KeychainError) in passphrase.copy() }, isPortable: isPortable,
            of: store)
    }

    /// Prepares the same, for a passphrase that the user types once the losses are known.
    ///
    /// - Parameters:
    ///   - passphrase: As in ``set(_:isPortable:of:)``.
    ///   - consent: Called with the losses before `passphrase`; throws to change nothing.
    /// - Throws: As ``set(_:isPortable:of:)``, and what the closures throw.
    public static func set(
        to passphrase: () throws(KeychainError) -> Secret, isPortable: Bool = false,
        of store: SealedStore, consent: (Losses) throws(KeychainError) -> Void = { _ in }
    ) throws(KeychainError) -> PassphraseChange {
        guard try !store.storedKeybag().hasPassphrase else {
            throw isSet
        }
        try store.openWithGivenRecoveryKey()
        try openPresence(of: store)
        return try PassphraseChange.consented(store, passphrase, consent) {
            draft, new throws(KeychainError) in
            // Another program may have been faster.
            guard !draft.hasPassphrase else {
                throw isSet
            }
            draft.isPortable = isPortable
            draft.setPassphrase(new.source, new.key.copy())
            try draft.renewSecretKeys()
        }
    }

    /// Prepares a change to a new passphrase: its losses are known before the user types it.
    private static func consented(
        _ store: SealedStore, _ passphrase: () throws(KeychainError) -> Secret,
        _ consent: (Losses) throws(KeychainError) -> Void,
        _ edit: @escaping (inout KeybagDraft, NewPassphrase) throws(KeychainError) -> Void
    ) throws(KeychainError) -> PassphraseChange {
        let any = try NewPassphrase.unusable()
        try consent(
            PassphraseChange(store) { draft throws(KeychainError) in try edit(&draft, any) }
                .losses)
        let new = try NewPassphrase(passphrase())
        return try PassphraseChange(store) { draft throws(KeychainError) in try edit(&draft, new) }
    }

    /// Throws if a new passphrase is invalid, before the user has to type it again.
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
                .param, "the new passphrase must be one line of up to 1024 bytes")
        }
    }

    private static var isSet: KeychainError {
        KeychainError(
            .duplicateItem, "the keychain already has a passphrase",
            hint: "lanyard passphrase change")
    }

    /// Prepares a new passphrase. The old one or the recovery key comes from the process's
    /// environment, or the user is asked, even while the keychain is unlocked.
    ///
    /// - Parameters:
    ///   - isPortable: As in ``set(_:isPortable:of:)``; nil leaves it unchanged.
    ///   - renewsKeys: Whether to encrypt all secrets again under new keys, which makes the old
    ///     passphrase and an older copy of the file useless for them.
    ///   - consent: As in ``set(to:isPortable:of:consent:)``.
    /// - Throws: ``Status/authFailed`` if there is no passphrase or the old one is wrong;
    ///   ``Status/interactionNotAllowed``, ``Status/userCanceled``, ``Status/param``.
    public static func change(
        to passphrase: () throws(KeychainError) -> Secret, isPortable: Bool? = nil,
        renewsKeys: Bool = false, of store: SealedStore,
        consent: (Losses) throws(KeychainError) -> Void = { _ in }
    ) throws(KeychainError) -> PassphraseChange {
        try store.openForChange(.changePassphrase)
        if renewsKeys {
            try openPresence(of: store)
        }
        return try PassphraseChange.consented(store, passphrase, consent) {
            draft, new throws(KeychainError) in
            draft.isPortable = isPortable ?? draft.isPortable
            draft.setPassphrase(new.source, new.key.copy())
            if renewsKeys {
                try draft.renewSecretKeys()
            }
        }
    }

    /// Prepares the removal of the passphrase. Afterwards the keychain is always unlocked on its
    /// machine, and items that require a passphrase are deleted.
    ///
    /// - Throws: As ``change(to:isPortable:renewsKeys:of:consent:)``.
    public static func remove(of store: SealedStore) throws(KeychainError) -> PassphraseChange {
        try store.openForChange(.removePassphrase)
        return try PassphraseChange(store) { draft throws(KeychainError) in
            draft.remove(.passphrase)
            draft.isPortable = true
        }
    }

    /// Prepares the removal of the recovery key, if there is one. All secrets are encrypted again
    /// under new keys, which makes the recovery key and an older copy of the file useless for them.
    ///
    /// - Throws: What ``change(to:isPortable:renewsKeys:of:consent:)`` throws.
    public static func removeRecoveryKey(
        of store: SealedStore
    ) throws(KeychainError) -> PassphraseChange {
        if try store.storedKeybag().hasPassphrase {
            try store.openForChange(.renewKeys)
            try openPresence(of: store)
        } else {
            try openPresence(of: store)
            let sources = try store.storedKeybag().sources.filter { $0.kind == .presence }
            guard sources.isEmpty || sources.contains(where: store.atHand.sources.contains) else {
                throw KeychainError(
                    .param, "then nothing would open the items that ask",
                    hint: plugIn("two security keys", store)
                        + ", or run lanyard recovery-key create --replace")
            }
        }
        return try PassphraseChange(store) { draft throws(KeychainError) in
            draft.remove(.recoveryKey)
            try draft.renewSecretKeys()
        }
    }

    /// Opens the items that ask, by all security keys that are here, and without a passphrase also by the
    /// recovery key: new keys for them need the old ones.
    ///
    /// - Throws: ``Status/param`` if an enrolled security key would open them, but none was asked.
    private static func openPresence(of store: SealedStore) throws(KeychainError) {
        guard try !store.enrollments().isEmpty else {
            return
        }
        if try !store.storedKeybag().hasPassphrase {
            try store.openPresence(for: .renewKeys)
        }
        try store.openEnrollments()
        let isOpen = try store.withoutUnlocking { state throws(KeychainError) in
            guard let key = state.keys.keybag.classKey(.presence) else {
                return true
            }
            return try state.keys.find(key) != nil
        }
        guard isOpen else {
            throw KeychainError(
                .param, "the recovery key does not open the items that ask: they would be lost",
                hint: plugIn("a security key that opens them", store))
        }
    }

    /// Says what to plug in. With a given passphrase or recovery key, no touch is asked for.
    private static func plugIn(_ keys: String, _ store: SealedStore) -> String {
        store.provider?.hasGivenPassphrase == true
            ? "plug in \(keys), and run it without LANYARD_PASSPHRASE_FILE" : "plug in \(keys)"
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
                itemsForPassphrase: readable, itemsThatAsk: change.itemsThatAsk,
                firstForPassphrase: readable > 0 ? try change.firstItemsToDelete(atMost: 3) : [],
                itemsElsewhere: try change.itemsToDelete() - readable,
                securityKeys: state.keys.keybag.enrollments
                    .filter { !change.keybag.enrollments.contains($0) }.map { $0.name },
                recoveryKey: state.keys.keybag.source(.recoveryKey) != nil
                    && change.keybag.source(.recoveryKey) == nil)
        }
    }

    /// Applies the change, all of it or nothing, and locks the keychain for all programs.
    ///
    /// - Parameter progress: Called with the number of secrets encrypted again and the number of
    ///   all.
    /// - Throws: ``Status/param`` if it would delete more than ``losses`` says; what writing
    ///   throws.
    public func apply(progress: (Int, Int) -> Void = { _, _ in }) throws(KeychainError) {
        try store.withoutAsking { () throws(KeychainError) in
            try store.changeKeybag(deletable: losses.items, progress: progress, edit)
            try? store.lockForOthers(firstUnlock: true)
        }
    }
}

/// A new passphrase, stretched.
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

    /// Returns one that no user knows, to find out what a change loses.
    static func unusable() throws(KeychainError) -> NewPassphrase {
        let salt = try RandomBytes.make(PassphraseStretching.saltSize)
        return NewPassphrase(
            try KeySource.newPassphrase(PassphraseStretching(salt: salt)),
            try RandomBytes.makeKey())
    }

    private init(_ source: KeySource, _ key: consuming Secret) {
        self.source = source
        self.key = key
    }
}
