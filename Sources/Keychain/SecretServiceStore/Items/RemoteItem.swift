package import KeychainServices

/// An item as the Secret Service has it, without its secret.
package struct RemoteItem {
    package let path: String
    package var attributes: [ByteString: ByteString]
    package var label: ByteString
    /// Whether the service keeps attributes that a change leaves out, like KeePassXC.
    package let keepsOldAttributes: Bool
    /// Seconds since the epoch.
    package let created: Int64
    package let modified: Int64

    package init(
        path: String, label: ByteString, attributes: [ByteString: ByteString], created: Int64,
        modified: Int64
    ) {
        self.path = path
        self.label = label
        self.attributes = attributes
        self.created = created
        self.modified = modified
        keepsOldAttributes = attributes["Uuid"] != nil
        if keepsOldAttributes {
            // KeePassXC shows its own fields among the attributes. They must not be set.
            for field in RemoteItem.fieldsOfKeePassXC {
                self.attributes[field] = nil
            }
            for (key, value) in attributes
            where value == ExtraAttributes.gone && ExtraAttributes.isOwn(key) {
                self.attributes[key] = nil
            }
        }
    }

    /// Whether the item may belong to this program, but can't be read before the collection is
    /// unlocked. In a file that is not open yet, gnome-keyring finds items, but only has digests of
    /// their attributes.
    package var isSealed: Bool {
        guard attributes.keys.contains(where: { $0.bytes.starts(with: RemoteItem.digestPrefix) })
        else {
            return false
        }
        return schema.map(SchemaName.all.contains) ?? true
    }

    private static let digestPrefix = Array("gkr:compat:hashed:".utf8)

    private static let fieldsOfKeePassXC: [ByteString] = [
        "FDO_SECRETS_CONTENT_TYPE", "Notes", "Path", "Title", "URL", "UserName", "Uuid",
    ]

    /// The item's name for users: its label, otherwise its attributes.
    package var shownName: String {
        guard label.isEmpty else {
            return label.description
        }
        return attributes.filter { $0.key != SchemaName.key }
            .map { "\($0.key)=\($0.value)" }.sorted().joined(separator: " ")
    }

    /// The name of the item's schema.
    package var schema: ByteString? { attributes[SchemaName.key] }
}
