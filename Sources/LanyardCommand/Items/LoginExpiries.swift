internal import Keychains
internal import GitCredential
internal import Configuration
internal import KeychainServices
internal import SealedStore

/// When the passwords of git's logins end, as far as that can be read without asking anybody.
///
/// It is part of the secret. Only those of sealed keychains are read: to read one may be a question of
/// the desktop's in others.
struct LoginExpiries {
    private var dates: [ItemID: Timestamp] = [:]
    /// The keychains that are locked, and logins of git's in them that can't be read.
    private(set) var lockedKeychains: [String] = []

    /// No expiry of any item.
    init() {}

    /// Reads those of the items that a filter means.
    ///
    /// - Throws: What keeps the items from being read.
    init(of filter: ItemFilter, in keychain: OpenKeychains) throws(KeychainError) {
        guard filter.group.name == nil || filter.group.name == Group.git.description else {
            return
        }
        var query = filter.query(
            .internetPassword, returns: [.attributes, .reference, .readableData])
        query.attributes.accessGroup = Group.git
        let host = try filter.host()
        var unreadable: Set<String> = []
        try keychain.keychain.forEachMatch(query) { item throws(KeychainError) in
            guard let attributes = item.attributes, let reference = item.reference,
                host?.matches(attributes) != false
            else {
                return .next
            }
            switch item.secret {
            case .some(let secret): dates[reference.id] = expiry(ofStored: secret)
            case .none: unreadable.insert(keychain.store.keychainName(of: reference) ?? "")
            }
            return .next
        }
        let configuration = try Configuration()
        for name in unreadable.sorted() where try LoginExpiries.isLocked(name, configuration) {
            lockedKeychains.append(name)
        }
    }

    /// When an item's password ends; nil if it does not, or if that can't be told.
    subscript(reference: ItemReference) -> Timestamp? { dates[reference.id] }

    private static func isLocked(
        _ name: String, _ configuration: Configuration
    ) throws(KeychainError) -> Bool {
        guard try configuration.kind(ofKeychain: name) == .sealed else {
            return false
        }
        return try configuration.openSealedKeychain(name)?.lockState() == .locked
    }
}
