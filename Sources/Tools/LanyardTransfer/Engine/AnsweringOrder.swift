internal import KeychainServices

/// Lets the same account answer for a host as before an import.
///
/// Programs use the first login in their file; a keychain uses the one added or changed last.
package struct AnsweringOrder {
    /// Which logins of a host take precedence.
    package enum Rule: Sendable {
        /// Those of the keychain precede those of the file.
        case keychainFirst
        /// Those of the file precede those of the keychain: the file's program asks it first.
        case fileFirst
    }

    /// A host for which the keychain or the file has several logins.
    private struct Host {
        /// The keychain's logins before the import, the answering one first.
        var before: [ItemAttributes] = []
        /// The file's logins, in its order.
        var imported: [ItemAttributes] = []
        var identities: Set<ItemIdentity> = []

        mutating func append(_ attributes: ItemAttributes) {
            if identities.insert(ItemIdentity(.internetPassword, attributes)).inserted {
                imported.append(attributes)
            }
        }
    }

    private let rule: Rule
    /// The first login of each host. Most hosts have only one.
    private var firsts: [ItemIdentity: ItemAttributes] = [:]
    private var lookedAt: Set<ItemIdentity> = []
    private var several: [ItemIdentity: Host] = [:]
    /// The hosts with several logins, in the order of discovery.
    private var order: [ItemIdentity] = []
    /// Whether the keychain had no login before the import and needs no lookups; nil before the first
    /// lookup.
    private var wasEmpty: Bool?

    init(_ rule: Rule) {
        self.rule = rule
    }

    /// Records a login of the file.
    mutating func append(_ item: NewItem) {
        guard let host = AnsweringOrder.host(of: item) else {
            return
        }
        if several[host] != nil {
            several[host]?.append(item.attributes)
        } else if let first = firsts[host] {
            if ItemIdentity(.internetPassword, first) != item.identity {
                addHost(host)
                several[host]?.append(item.attributes)
            }
        } else {
            firsts[host] = item.attributes
        }
    }

    /// Records a keychain's logins for the hosts of some items, before the first item is stored there.
    mutating func look(
        for items: some Sequence<NewItem>, in keychain: Keychain
    ) throws(KeychainError) {
        if wasEmpty == nil {
            wasEmpty = try keychain.hasNoLogin()
        }
        guard wasEmpty == false else {
            return
        }
        for item in items {
            guard let host = AnsweringOrder.host(of: item), lookedAt.insert(host).inserted else {
                continue
            }
            let before = try AnsweringOrder.logins(sameHostAs: item.attributes, in: keychain)
            if !before.isEmpty {
                addHost(host)
                several[host]?.before = before
            }
        }
    }

    private mutating func addHost(_ host: ItemIdentity) {
        if several[host] == nil {
            var logins = Host()
            if let first = firsts[host] {
                logins.append(first)
            }
            several[host] = logins
            order.append(host)
        }
    }

    /// Restores the order in which logins answer for the hosts of added or changed items.
    ///
    /// - Throws: What the keychain throws.
    func restore(
        hostsOf items: some Sequence<NewItem>, in keychain: Keychain
    ) throws(KeychainError) {
        guard !order.isEmpty else {
            return
        }
        for host in Set(items.compactMap { AnsweringOrder.host(of: $0) }) {
            try restore(host, in: keychain)
        }
    }

    private func restore(
        _ host: ItemIdentity, in keychain: Keychain
    ) throws(KeychainError) {
        let logins = wanted(host)
        guard logins.count > 1, let first = logins.first else {
            return
        }
        let present = try AnsweringOrder.logins(sameHostAs: first, in: keychain)
        for login in logins.changed(toFollow: present).reversed() {
            // The latest item answers. This update changes nothing else.
            var changes = ItemAttributes()
            changes.server = login.server
            try keychain.update(Query(identityOf: login, .internetPassword), changes)
        }
    }

    /// Returns the hosts that have several accounts now, with the one that answers first.
    ///
    /// - Parameter keychain: Nil to predict the result in a dry run.
    func sharedHosts(in keychain: Keychain?) throws(KeychainError) -> [SharedHost] {
        var shared: [SharedHost] = []
        for host in order {
            let logins = wanted(host)
            guard logins.count > 1, let first = logins.first else {
                continue
            }
            let present =
                if let keychain {
                    try AnsweringOrder.logins(sameHostAs: first, in: keychain)
                } else {
                    logins
                }
            if let host = SharedHost(present) {
                shared.append(host)
            }
        }
        return shared
    }

    /// Returns all logins of a host, the one that has to answer first. A single one needs no look-up.
    private func wanted(_ host: ItemIdentity) -> [ItemAttributes] {
        guard let logins = several[host] else {
            return []
        }
        var seen: Set<ItemIdentity> = []
        let all =
            rule == .keychainFirst
            ? logins.before + logins.imported : logins.imported + logins.before
        return all.filter { seen.insert(ItemIdentity(.internetPassword, $0)).inserted }
    }

    /// Returns the attributes that a tool always requests, nil for an item without a host.
    private static func host(of item: NewItem) -> ItemIdentity? {
        guard item.itemClass == .internetPassword, item.attributes.server != nil else {
            return nil
        }
        return ItemIdentity(.internetPassword, host(of: item.attributes))
    }

    private static func host(of item: ItemAttributes) -> ItemAttributes {
        ItemAttributes { host in
            host.accessGroup = item.accessGroup
            host.server = item.server
            host.protocol = item.protocol ?? ProtocolType(rawValue: "")
            host.port = item.port ?? 0
        }
    }

    /// Returns the logins of a host, the answering one first.
    private static func logins(
        sameHostAs item: ItemAttributes, in keychain: Keychain
    ) throws(KeychainError) -> [ItemAttributes] {
        var query = Query(.internetPassword, host(of: item), returns: .attributes)
        query.match.limit = .all
        var logins: [ItemAttributes] = []
        try keychain.forEachMatch(query) { login in
            if let attributes = login.attributes {
                logins.append(attributes)
            }
            return .next
        }
        return logins
    }
}

extension [ItemAttributes] {
    /// Returns the leading logins to update in the keychain, last one first, to bring its logins into this
    /// order.
    fileprivate func changed(toFollow present: [ItemAttributes]) -> ArraySlice<ItemAttributes> {
        var places: [ItemIdentity: Int] = [:]
        for (place, item) in present.enumerated() {
            let identity = ItemIdentity(.internetPassword, item)
            places[identity] = places[identity] ?? place
        }
        let wanted = filter { places[ItemIdentity(.internetPassword, $0)] != nil }
        var rest = wanted.count
        var next = Int.max
        while rest > 0, let place = places[ItemIdentity(.internetPassword, wanted[rest - 1])],
            place < next
        {
            next = place
            rest -= 1
        }
        return wanted[..<rest]
    }
}

extension Keychain {
    /// Whether no host has a login.
    fileprivate func hasNoLogin() throws(KeychainError) -> Bool {
        do throws(KeychainError) {
            return try firstMatch(of: Query(.internetPassword)) == nil
        } catch  where error.status == .decode {
            // A damaged login counts.
            return false
        }
    }
}
