#if SecretService
internal import KeychainServices
internal import SecretServiceStore
internal import StrictJSON

/// An item of a keychain as clients of the Secret Service see it, without its secret.
struct ServedItem {
    let reference: ItemReference
    var attributes: [ByteString: ByteString]
    var label: ByteString
    var contentType: ByteString
    let created: UInt64
    let modified: UInt64
    /// Whether its secret takes more than an unlocked keychain: it is locked for clients.
    let hasConditions: Bool
    /// Whether only some programs may use it without a question.
    let hasTrustedApplications: Bool

    /// The content type of an item that was not stored through the service.
    static let usualType: ByteString = "text/plain"

    /// Creates the form of an item; nil for certificates and keys, and for what lists omit, such as a device's keys of a
    /// team.
    init?(_ reference: ItemReference, _ stored: ItemAttributes) {
        guard
            reference.itemClass == .genericPassword || reference.itemClass == .internetPassword,
            stored.isInvisible != true
        else {
            return nil
        }
        self.reference = reference
        label = stored.label ?? stored.service ?? stored.server ?? ""
        created = UInt64(max(stored.creationDate?.secondsSinceEpoch ?? 0, 0))
        modified = UInt64(max(stored.modificationDate?.secondsSinceEpoch ?? 0, 0))
        hasTrustedApplications = stored.trustedApplications != nil
        hasConditions = (try? stored.requirements.isEmpty) != true
        contentType = ServedItem.usualType
        if stored.accessGroup == OtherItem.group, let data = stored.generic,
            let other = OtherItem(data)
        {
            attributes = other.attributes
            contentType = other.contentType
            return
        }
        attributes = [:]
        for schema in itemSchemas {
            if let written = schema.identity(reference.itemClass, stored) {
                attributes = written
                if schema == GenericSchema.self {
                    // secret-tool writes none.
                    attributes[SchemaName.key] = nil
                } else if schema == DockerCredentialsSchema.self, let url = written["server"],
                    label.bytes.suffix(url.bytes.count).elementsEqual(url.bytes)
                {
                    // The list of docker's helper takes labels for URLs; Lanyard's own label ends with it.
                    label = url
                }
                return
            }
        }
    }

    /// The attributes by which items are compared: git's two names for its schema mean the same, and so do no
    /// name and the generic one.
    var compared: [ByteString: ByteString] { ServedItem.compared(attributes) }

    static func compared(_ attributes: [ByteString: ByteString]) -> [ByteString: ByteString] {
        var attributes = attributes
        switch attributes[SchemaName.key] {
        case SchemaName.git: attributes[SchemaName.key] = SchemaName.network
        case SchemaName.generic: attributes[SchemaName.key] = nil
        default: break
        }
        return attributes
    }

    /// Returns how an item is stored that a client describes: in the form of git's, docker's and Lanyard's own
    /// logins if that says the same, else in that of other programs' items.
    ///
    /// - Parameter number: Tells apart items that would be the same in the keychain: 1 for the first.
    static func stored(
        _ attributes: [ByteString: ByteString], label: ByteString, contentType: ByteString,
        number: Int = 1
    ) -> (itemClass: ItemClass, attributes: ItemAttributes) {
        // The generic name would be lost.
        if contentType == usualType, number == 1, attributes[SchemaName.key] != SchemaName.generic {
            let item = RemoteItem(
                path: "", label: label, attributes: attributes, created: 0, modified: 0)
            for schema in [
                GitPasswordSchema.self, DockerCredentialsSchema.self, GenericSchema.self,
            ] as [any ItemSchema.Type] {
                guard let (itemClass, decoded) = schema.decode(item),
                    let written = schema.identity(itemClass, decoded),
                    compared(written) == compared(attributes)
                else {
                    continue
                }
                var stored = decoded
                stored.label = label
                return (itemClass, stored)
            }
        }
        let other = OtherItem(attributes: attributes, contentType: contentType)
        return (.genericPassword, other.stored(label: label, number: number))
    }

    /// Returns what changes in the keychain for another label, other attributes or another content type; the item
    /// keeps its class and thereby its path.
    ///
    /// - Returns: nil if its class has no form for them.
    func changes(
        to attributes: [ByteString: ByteString], label: ByteString, contentType: ByteString,
        number: Int = 1
    ) -> ItemAttributes? {
        guard compared != ServedItem.compared(attributes) || contentType != self.contentType else {
            var changes = ItemAttributes()
            if label != self.label {
                changes.label = label
            }
            return changes
        }
        let old = ServedItem.stored(
            self.attributes, label: self.label, contentType: self.contentType)
        let new = ServedItem.stored(
            attributes, label: label, contentType: contentType, number: number)
        if old.itemClass == reference.itemClass, new.itemClass == reference.itemClass {
            var changes = new.attributes
            // What it had of another form would stay otherwise.
            for entry in old.attributes.entries where changes[entry.attribute] == nil {
                changes[entry.attribute] = entry.attribute.row.absent ?? .text("")
            }
            if let changed = ServedItem(reference, old.attributes.merging(changes)),
                changed.compared == ServedItem.compared(attributes)
            {
                return changes
            }
        }
        guard reference.itemClass == .genericPassword else {
            return nil
        }
        return OtherItem(attributes: attributes, contentType: contentType)
            .stored(label: label, number: number)
    }
}

/// The form in which other programs' items are stored: a generic password whose service and account are those
/// among the client's attributes that look most like it, and with all of them in ``ItemAttributes/generic``.
struct OtherItem {
    let attributes: [ByteString: ByteString]
    let contentType: ByteString

    /// The access group of such items.
    static let group: ByteString = "secret-service"

    /// Names of attributes that name a service, the best first.
    private static let services: [ByteString] = [
        "service", "application", "server", "host", "hostname", "domain", "url",
    ]
    /// Names of attributes that name an account.
    private static let accounts: [ByteString] = [
        "account", "username", "user", "login", "email", "key",
    ]

    init(attributes: [ByteString: ByteString], contentType: ByteString) {
        self.attributes = attributes
        self.contentType = contentType
    }

    /// Reads what ``data`` has written.
    init?(_ data: ByteString) {
        var attributes: [ByteString: ByteString] = [:]
        var contentType: ByteString?
        do throws(KeychainError) {
            try JSONReader.readObject(data.bytes.span) {
                name, reader throws(KeychainError) in
                switch name {
                case "attributes":
                    try reader.readObject { name, reader throws(KeychainError) in
                        attributes[name] = try reader.readText()
                    }
                case "contentType": contentType = try reader.readText()
                default: break
                }
            }
        } catch {
            return nil
        }
        guard let contentType else {
            return nil
        }
        self.init(attributes: attributes, contentType: contentType)
    }

    /// The attributes and the content type in JSON.
    private var data: ByteString {
        let written = try? JSONWriter.writeObject { writer throws(KeychainError) in
            try writer.member(object: "attributes") { writer throws(KeychainError) in
                for name in attributes.keys.sorted(by: {
                    $0.bytes.lexicographicallyPrecedes($1.bytes)
                }) {
                    try writer.member(name, attributes[name] ?? "")
                }
            }
            try writer.member("contentType", contentType)
        }
        switch written {
        case .some(let text): return text.withBytes { ByteString(copying: $0) }
        // All texts of D-Bus are UTF-8.
        case .none: return ""
        }
    }

    /// The attributes of the item in the keychain.
    func stored(label: ByteString, number: Int) -> ItemAttributes {
        var stored = ItemAttributes()
        stored.accessGroup = OtherItem.group
        stored.label = label
        stored.service = first(OtherItem.services) ?? schema ?? label
        let account = first(OtherItem.accounts) ?? ""
        stored.account =
            number == 1 ? account : ByteString(account.bytes + Array(" (\(number))".utf8))
        stored.generic = data
        return stored
    }

    private var schema: ByteString? {
        attributes[SchemaName.key].flatMap { $0 == SchemaName.generic ? nil : $0 }
    }

    private func first(_ names: [ByteString]) -> ByteString? {
        names.lazy.compactMap { attributes[$0] }.first { !$0.isEmpty }
    }
}
#endif
