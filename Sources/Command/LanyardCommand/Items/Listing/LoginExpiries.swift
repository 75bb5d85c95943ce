internal import Keychains
internal import LanyardConfiguration
internal import KeychainServices
internal import SealedStore
internal import ToolHelpers

/// The expiry dates of tools' logins, as far as they can be read without asking the user.
///
/// They are part of the secret. Only those of sealed keychains are read: in others, the desktop might ask
/// the user.
struct LoginExpiries {
    private var dates: [ItemID: Timestamp] = [:]
    /// The locked keychains with unreadable logins.
    private(set) var lockedKeychains: [String] = []

    /// Creates an empty value.
    init() {}

    /// Reads those of the items that pass a filter.
    ///
    /// - Throws: Errors of reading the items.
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
            tool.isForServers ? .internetPassword : .genericPassword,
            returns: [.attributes, .reference, .readableData, .unlogged])
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

    /// Returns when an item's password expires; nil for never or unknown.
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
