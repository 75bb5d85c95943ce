internal import Prompting
internal import Keychains
internal import KeychainServices
internal import Tools

/// The item that a user names to store a secret in, whether it exists or not.
struct ItemToStore {
    /// The place to store it.
    enum Place {
        /// In a group, under the given name.
        case group(String)
        /// In the group and form of a tool's helper.
        case tool(ToolFormat)

        var group: ByteString {
            switch self {
            case .group(let name): ByteString(name)
            case .tool(let tool): tool.accessGroup
            }
        }
    }

    private let itemClass: ItemClass
    private var attributes: ItemAttributes
    private let keychain: Keychain
    private let store: SearchListStore

    /// - Throws: ``Status/param`` for a group without a name, and for a name or an account that no tool can
    ///   use; ``Status/noSuchAttribute``; what opening the keychain throws.
    init(
        _ given: NamedItem, _ options: AttributeOptions, _ place: Place,
        _ keychain: KeychainOption
    ) throws(KeychainError) {
        let name = try given.name()
        try name.attributes.checkLines(of: name.itemClass)
        // Only a certificate's login, which git calls cert:///PATH, has no host.
        if case .group = place, name.itemClass == .internetPassword,
            name.attributes.server?.isEmpty ?? true,
            name.attributes.protocol != ProtocolType(scheme: "cert")
        {
            throw KeychainError(
                .param, "the URL has no host", hint: "for example https://HOST/PATH")
        }
        let named: ItemAttributes
        switch place {
        case .group:
            itemClass = name.itemClass
            named = name.attributes
        case .tool(let tool):
            if let option = options.optionForOtherPrograms {
                throw KeychainError(
                    .param, "\(tool.name) finds no login stored with \(option)")
            }
            (itemClass, named) = try tool.item(given.what, account: given.account)
        }
        attributes = try options.merged(into: named, of: itemClass, group: place.group)
        guard !place.group.isEmpty else {
            throw KeychainError(.param, "the group has no name")
        }
        let opened = try OpenKeychains(keychain.name, accessGroup: place.group.description)
        self.keychain = opened.keychain
        store = opened.store
        if options.ask {
            attributes.accessControl = AccessControl(
                accessible: attributes.accessible ?? self.keychain.accessible,
                flags: .userPresence)
        }
    }

    /// Its name in messages.
    var shownName: String { attributes.shownName ?? "an item" }

    private var query: Query { Query(identityOf: attributes, itemClass) }

    /// Whether it exists.
    func isThere() throws(KeychainError) -> Bool {
        try present() != nil
    }

    /// Throws if the item is to ask at each use, and its keychain has nothing to ask for.
    ///
    /// - Throws: ``Status/authFailed``.
    func checkAsking() throws(KeychainError) {
        guard attributes.accessControl != nil else {
            return
        }
        var query = query
        query.returns = .reference
        try store.checkAsking(try keychain.firstMatch(of: query)?.reference)
    }

    /// Returns the attributes of the existing item, nil without one.
    private func present() throws(KeychainError) -> ItemAttributes? {
        var query = query
        query.returns = .attributes
        return try keychain.firstMatch(of: query)?.attributes
    }

    /// Throws if Lanyard does not use its group and the group has no items: it may be misspelt.
    ///
    /// - Parameter hint: How to confirm a new group.
    func checkGroup(hint: String) throws(KeychainError) {
        let group = attributes.accessGroup ?? ""
        guard ToolFormat(group: group) == nil, group != "login", try !isInUse(group) else {
            return
        }
        throw KeychainError(.param, "the group '\(group)' does not exist yet", hint: hint)
    }

    private func isInUse(_ group: ByteString) throws(KeychainError) -> Bool {
        var attributes = ItemAttributes()
        attributes.accessGroup = group
        for itemClass in ItemClass.stored {
            var query = Query(itemClass, attributes)
            query.synchronizable = .any
            if try keychain.firstMatch(of: query) != nil {
                return true
            }
        }
        return false
    }

    /// Adds the item.
    ///
    /// - Throws: ``Status/duplicateItem`` if it exists.
    func add(_ secret: borrowing Secret, expiry: Timestamp? = nil) throws(KeychainError) {
        try keychain.add(itemClass, attributes, secret: try stored(secret, expiry))
    }

    /// Adds the item, or changes its secret and attributes.
    ///
    /// - Returns: Whether it existed.
    @discardableResult
    func replace(
        _ secret: borrowing Secret, expiry: Timestamp? = nil
    ) throws(KeychainError) -> Bool {
        let secret = try stored(secret, expiry)
        var raised: Accessibility?
        var wasThere = true
        try keychain.transaction { () throws(KeychainError) in
            // Looked up first: a keychain that can't be written refuses an update also of what it lacks.
            guard let present = try present() else {
                wasThere = false
                try keychain.add(itemClass, attributes, secret: secret)
                return
            }
            var changes = attributes
            let changesForNewSecret = keychain.changesForNewSecret(of: present)
            if changes.accessible == nil, let accessible = changesForNewSecret.accessible {
                changes.accessible = accessible
                raised = present.accessible
            }
            changes.isNegative = changes.isNegative ?? changesForNewSecret.isNegative
            let accessible = changes.accessible ?? present.accessible
            changes.accessControl?.accessible = accessible ?? .whenUnlocked
            try keychain.update(query, changes, secret: secret.copy())
        }
        if let raised {
            printWarning(
                "the item had the accessibility '\(raised.code)' and now has the default; "
                    + "--accessible \(raised.code) keeps it")
        }
        return wasThere
    }

    /// Returns a secret in the stored form of the item's group.
    private func stored(
        _ secret: borrowing Secret, _ expiry: Timestamp?
    ) throws(KeychainError) -> Secret {
        let tool = ToolFormat(group: attributes.accessGroup)
        try tool?.check(secret)
        guard let expiry else {
            return secret.copy()
        }
        guard let form = tool?.expiry else {
            let names = ToolFormat.all.filter { $0.expiry != nil }.map(\.name)
            throw KeychainError(
                .param, "only \(names.joined(separator: " and ")) logins can expire",
                hint: "--for \(names[0]) stores it for \(names[0])")
        }
        return form.secret(secret, expiry)
    }
}

extension ItemAttributes {
    /// Throws for parts of a URL that git rejects: git could receive no login for it (CVE-2024-52006).
    ///
    /// - Throws: ``Status/param``.
    func checkLines(of itemClass: ItemClass) throws(KeychainError) {
        let rejects = [server, path, account].contains { part in
            part?.bytes.contains { [0x00, 0x0A, 0x0D].contains($0) } ?? false
        }
        guard itemClass != .internetPassword || !rejects else {
            throw KeychainError(.param, "the URL or the account contains a line break or a NUL")
        }
    }
}
