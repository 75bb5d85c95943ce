internal import LanyardConfiguration
internal import LanyardPrompting
internal import Keychains
internal import KeychainServices
internal import ToolHelpers

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
    private let place: Place
    private var attributes: ItemAttributes
    private let keychain: Keychain
    private let store: SearchListStore
    private let configuration: Configuration

    /// - Throws: ``Status/param`` for a group without a name, and for a name or an account that no tool can
    ///   use; ``Status/noSuchAttribute``; what opening the keychain throws.
    init(
        _ given: NamedItem, _ options: AttributeOptions, _ place: Place,
        _ keychain: KeychainOption
    ) throws(KeychainError) {
        self.place = place
        let name = try given.name()
        try ItemName.checkVisible(given.what)
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
        configuration = opened.configuration
        if options.ask {
            attributes.accessControl = AccessControl(
                accessible: attributes.accessible ?? self.keychain.accessible,
                flags: .userPresence)
        }
    }

    /// Its name in messages.
    var shownName: String { attributes.shownName ?? "an item" }

    /// Whether it exists.
    func isThere() throws(KeychainError) -> Bool {
        try !present().isEmpty
    }

    /// Says where a stored item goes that a team shares, in words after its name; empty for an item of this user alone.
    func shared() -> String {
        let found = (try? present()) ?? []
        let names = found.compactMap { item -> String? in
            let name = store.keychainName(of: item.reference)
            return name.flatMap {
                TeamKeychain.shares(item.attributes, in: $0, configuration) ? "'\($0)'" : nil
            }
        }
        return names.isEmpty ? "" : " in \(names.joined(separator: ", ")), which a team shares"
    }

    /// Throws if the item is to ask at each use, and its keychain has nothing to ask for.
    ///
    /// - Throws: ``Status/authFailed``.
    func checkAsking() throws(KeychainError) {
        guard attributes.accessControl != nil else {
            return
        }
        try store.checkAsking(try present().first?.reference)
    }

    /// An existing item. Several keychains may have it.
    private struct Present {
        let reference: ItemReference
        let attributes: ItemAttributes
        let identity: ItemAttributes
    }

    /// Returns the existing item. To a tool an address can have several forms, so there may be several items, of which
    /// it finds one or another.
    private func present() throws(KeychainError) -> [Present] {
        var query = Query(identityOf: attributes, itemClass)
        query.returns = [.attributes, .reference]
        query.match.limit = .all
        var isSameAddress: ((ItemAttributes, ItemAttributes) -> Bool)?
        if case .tool(let tool) = place, itemClass == .internetPassword {
            isSameAddress = tool.isSameAddress
            query.attributes.server = nil
            query.attributes.protocol = nil
            query.attributes.port = nil
            query.attributes.path = nil
        }
        var present: [Present] = []
        try keychain.forEachMatch(query) { item in
            guard let reference = item.reference, let found = item.attributes,
                isSameAddress?(found, attributes) ?? true
            else {
                return .next
            }
            let identity = found.identity(of: itemClass)
            if !present.contains(where: { $0.identity == identity }) {
                present.append(
                    Present(reference: reference, attributes: found, identity: identity))
            }
            return .next
        }
        return present
    }

    /// Throws if Lanyard does not use its group and the group has no items: it may be misspelt.
    ///
    /// - Parameter hint: How to confirm a new group.
    func checkGroup(hint: String) throws(KeychainError) {
        let group = attributes.accessGroup ?? ""
        guard ToolFormat(group: group) == nil, group != "login", try !isInUse(group) else {
            return
        }
        let meant = StoredNames.hint(atGroup: group.description, store.names, configuration)
        throw KeychainError(
            .param, "the group '\(group)' does not exist yet",
            hint: (meant.map { "\($0) Otherwise: " } ?? "") + hint)
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
            let all = try present()
            wasThere = !all.isEmpty
            let identity = attributes.identity(of: itemClass)
            if !all.contains(where: { $0.identity == identity }) {
                try keychain.add(itemClass, attributes, secret: secret)
            }
            for present in all {
                raised = try update(present, secret) ?? raised
            }
        }
        if let raised {
            printWarning(
                "the item had the accessibility '\(raised.code)' and now has the default; "
                    + "--accessible \(raised.code) keeps it")
        }
        return wasThere
    }

    /// Changes the secret and attributes of an existing item, but not its address.
    ///
    /// - Returns: The accessibility that it had, if it now has the default.
    private func update(
        _ present: Present, _ secret: borrowing Secret
    ) throws(KeychainError) -> Accessibility? {
        var changes = attributes
        changes.server = present.attributes.server
        changes.protocol = present.attributes.protocol
        changes.port = present.attributes.port
        changes.path = present.attributes.path
        var raised: Accessibility?
        let changesForNewSecret = keychain.changesForNewSecret(of: present.attributes)
        if changes.accessible == nil, let accessible = changesForNewSecret.accessible {
            changes.accessible = accessible
            raised = present.attributes.accessible
        }
        changes.isNegative = changes.isNegative ?? changesForNewSecret.isNegative
        let accessible = changes.accessible ?? present.attributes.accessible
        changes.accessControl?.accessible = accessible ?? .whenUnlocked
        try keychain.update(
            Query(identityOf: present.attributes, itemClass), changes, secret: secret.copy())
        return raised
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
        return try expiryForm().secret(secret, expiry)
    }

    /// Returns how its group stores when a login expires.
    ///
    /// - Throws: ``Status/param`` if it stores that nowhere.
    @discardableResult
    func expiryForm() throws(KeychainError) -> ToolFormat.Expiry {
        guard let form = ToolFormat(group: attributes.accessGroup)?.expiry else {
            let names = ToolFormat.all.filter { $0.expiry != nil }.map(\.name)
            throw KeychainError(
                .param, "only \(names.joined(separator: " and ")) logins can expire",
                hint: "--for \(names[0]) stores it for \(names[0])")
        }
        return form
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
