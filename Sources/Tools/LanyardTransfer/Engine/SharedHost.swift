package import KeychainServices

/// A host with several accounts, one of which answers requests without an account.
package struct SharedHost: Equatable, Sendable {
    /// Scheme, host and port, as the attributes of an item.
    package let attributes: ItemAttributes
    /// The accounts, the answering one first.
    package let accounts: [ByteString]

    /// Takes some logins of a host, the answering one first; nil if they share one account, or each has its
    /// own path.
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
