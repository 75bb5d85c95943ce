internal import HelperKit
internal import Keychain

/// The one item that a person names to store a secret in, be it there already or not.
struct StoredItem {
    private let itemClass: ItemClass
    private let attributes: ItemAttributes
    private let keychain: Keychain

    /// - Throws: ``Status/param`` for a group without a name, and for a name or an account that no tool
    ///   could use; ``Status/noSuchAttribute``; what opening the keychain throws.
    init(
        _ named: NamedItem, _ options: AttributeOptions, group: String,
        _ keychain: KeychainOption
    ) throws(KeychainError) {
        let name = try named.name()
        guard !name.hasLineBreakOrNUL else {
            throw KeychainError(.param, "the URL or the account has a line break or a NUL in it")
        }
        attributes = try options.merged(
            into: name.attributes, of: name.itemClass, group: ByteString(group))
        guard !group.isEmpty else {
            throw KeychainError(.param, "the group has no name")
        }
        itemClass = name.itemClass
        self.keychain = try keychain.keychain(accessGroup: group)
    }

    private var query: Query { Query(identityOf: attributes, itemClass) }

    /// Whether it is there.
    func isThere() throws(KeychainError) -> Bool {
        try present() != nil
    }

    /// The attributes of the item that is there, nil if there is none.
    private func present() throws(KeychainError) -> ItemAttributes? {
        var query = query
        query.returns = .attributes
        var present: ItemAttributes?
        try keychain.forEachMatch(query) { item throws(KeychainError) in
            present = item.attributes
            return .stop
        }
        return present
    }

    /// Adds it.
    ///
    /// - Throws: ``Status/duplicateItem`` if it is there.
    func add(_ secret: borrowing Secret) throws(KeychainError) {
        try Group.check(secret, for: attributes.accessGroup ?? "")
        try keychain.add(itemClass, attributes, secret: secret)
    }

    /// Adds it, or gives it another secret and the attributes.
    func replace(_ secret: borrowing Secret) throws(KeychainError) {
        try Group.check(secret, for: attributes.accessGroup ?? "")
        let secret = secret.copy()
        var raised: Accessibility?
        try keychain.transaction { () throws(KeychainError) in
            var changes = attributes
            if changes.accessible == nil, let present = try present() {
                changes.accessible = keychain.changesForNewSecret(of: present).accessible
                raised = changes.accessible == nil ? nil : present.accessible
            }
            do throws(KeychainError) {
                try keychain.update(query, changes, secret: secret.copy())
            } catch {
                guard error.status == .itemNotFound else {
                    throw error
                }
                try keychain.add(itemClass, attributes, secret: secret)
            }
        }
        if let raised {
            printWarning(
                "the item had the accessibility '\(raised.code)' and now has that of new items; "
                    + "--accessible \(raised.code) keeps it")
        }
    }
}

extension ItemName {
    /// Whether it is a URL that git refuses, and for which it could not be told a login
    /// (CVE-2024-52006).
    fileprivate var hasLineBreakOrNUL: Bool {
        itemClass == .internetPassword
            && [attributes.server, attributes.path, attributes.account].contains { part in
                part?.bytes.contains { [0x00, 0x0A, 0x0D].contains($0) } ?? false
            }
    }
}
