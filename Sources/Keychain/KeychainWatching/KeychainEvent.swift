public import KeychainServices

/// Something that happened to a keychain or to the search list, whichever program did it.
///
/// An event never contains a secret. The corresponding types are SecKeychainEvent and
/// SecKeychainCallbackInfo.
public struct KeychainEvent: Sendable {
    /// The kind of an event.
    public struct Kind: Hashable, Sendable {
        /// The kind as a word, for example `default-changed`.
        public let name: String

        /// An item was added: kSecAddEvent.
        public static let added = Kind(name: "added")
        /// An item's attributes or its secret were changed: kSecUpdateEvent.
        public static let updated = Kind(name: "updated")
        /// An item was deleted: kSecDeleteEvent.
        public static let deleted = Kind(name: "deleted")
        /// A keychain was locked, or its time was over: kSecLockEvent.
        public static let locked = Kind(name: "locked")
        /// A keychain was unlocked for all programs of the user: kSecUnlockEvent.
        public static let unlocked = Kind(name: "unlocked")
        /// Another keychain has become the default one: kSecDefaultChangedEvent.
        public static let defaultChanged = Kind(name: "default-changed")
        /// The search list was changed: kSecKeychainListChangedEvent.
        public static let keychainListChanged = Kind(name: "keychain-list-changed")
        /// A keychain, one of its items or the configuration can't be read, for example because another
        /// keychain file has replaced it. What happens meanwhile is reported when it can be read again.
        public static let unreadable = Kind(name: "unreadable")
    }

    /// What happened.
    public let kind: Kind
    /// The name of the keychain that it happened to, or of the new default keychain. nil for the search
    /// list and the configuration, and for a default that is chosen by trying.
    public let keychain: String?
    /// The item that was added, updated or deleted; nil for other events. Its persistent reference stays the
    /// same until it is deleted.
    public let item: ItemReference?
    /// The item's attributes; of a deleted item, those that it had last.
    public let attributes: ItemAttributes?
    /// The names of the keychains in the new search list, in their order; nil for other events.
    public let keychains: [String]?
    /// Why it can't be read; nil for other events.
    public let error: KeychainError?

    init(
        _ kind: Kind, keychain: String? = nil, item: ItemReference? = nil,
        attributes: ItemAttributes? = nil, keychains: [String]? = nil, error: KeychainError? = nil
    ) {
        self.kind = kind
        self.keychain = keychain
        self.item = item
        self.attributes = attributes
        self.keychains = keychains
        self.error = error
    }
}
