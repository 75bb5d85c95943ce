package import KeychainServices

/// A host with several accounts, of which one answers where none is named.
package struct SharedHost: Equatable, Sendable {
    /// Scheme, host and port, as the attributes of an item.
    package let attributes: ItemAttributes
    /// The accounts, the one that answers first.
    package let accounts: [ByteString]

    /// The host of some logins, the one that answers first; nil if they have one account, or each has a
    /// path of its own.
    init?(_ logins: [ItemAttributes]) {
        var accounts: [ByteString] = []
        var seen: Set<ByteString> = []
        for login in logins where seen.insert(login.account ?? "").inserted {
            accounts.append(login.account ?? "")
        }
        let paths = Set(logins.compactMap { $0.path?.isEmpty == false ? $0.path : nil })
        guard let first = logins.first, accounts.count > 1, paths.count < logins.count else {
            return nil
        }
        attributes = ItemAttributes { host in
            host.accessGroup = first.accessGroup
            host.server = first.server
            host.protocol = first.protocol
            host.port = first.port
        }
        self.accounts = accounts
    }
}
