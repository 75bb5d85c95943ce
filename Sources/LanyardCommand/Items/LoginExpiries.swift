internal import Keychains
internal import Configuration
internal import KeychainServices
internal import SealedStore
internal import Tools

/// When the passwords of tools' logins end, as far as that can be read without asking anybody.
///
/// It is part of the secret. Only those of sealed keychains are read: to read one may be a question of
/// the desktop's in others.
struct LoginExpiries {
    private var dates: [ItemID: Timestamp] = [:]
    /// The keychains that are locked, and logins in them that can't be read.
    private(set) var lockedKeychains: [String] = []

    /// No expiry of any item.
    init() {}

    /// Reads those of the items that a filter means.
    ///
    /// - Throws: What keeps the items from being read.
    init(of filter: ItemFilter, in keychain: OpenKeychains) throws(KeychainError) {
        var unreadable: Set<String> = []
        for tool in ToolFormat.all where [nil, tool.name].contains(filter.group.name) {
            if let expiry = tool.expiry {
                try read(expiry, of: tool, filter, in: keychain, &unreadable)
            }
        }
        let configuration = try Configuration()
        for name in unreadable.sorted() where try LoginExpiries.isLocked(name, configuration) {
            lockedKeychains.append(name)
        }
    }

    private mutating func read(
        _ expiry: ToolFormat.Expiry, of tool: ToolFormat, _ filter: ItemFilter,
        in keychain: OpenKeychains, _ unreadable: inout Set<String>
    ) throws(KeychainError) {
        var query = filter.query(
            .internetPassword, returns: [.attributes, .reference, .readableData])
        query.attributes.accessGroup = tool.accessGroup
        let host = try filter.host()
        try keychain.keychain.forEachMatch(query) { item throws(KeychainError) in
            guard let attributes = item.attributes, let reference = item.reference,
                host?.matches(attributes) != false
            else {
                return .next
            }
            switch item.secret {
            case .some(let secret): dates[reference.id] = expiry.date(secret)
            case .none: unreadable.insert(keychain.store.keychainName(of: reference) ?? "")
            }
            return .next
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
