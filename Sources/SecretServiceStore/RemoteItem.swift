#if SecretService
internal import CLibsecret
internal import KeychainServices

/// An item as the Secret Service has it, without its secret.
struct RemoteItem {
    let path: String
    var attributes: [ByteString: ByteString]
    var label: ByteString
    /// Whether the service keeps attributes that a change leaves out, like KeePassXC.
    let keepsOldAttributes: Bool
    /// Seconds since the epoch.
    let created: Int64
    let modified: Int64

    /// Creates an item from what libsecret has loaded.
    init?(_ item: UnsafeMutablePointer<SecretItem>) {
        // Safe: the item is alive, and the table and the label are copies.
        guard let table = unsafe secret_item_get_attributes(item) else {
            return nil
        }
        defer { unsafe g_hash_table_unref(table) }
        var attributes: [ByteString: ByteString] = [:]
        unsafe forEachEntry(of: table) { key, value in
            let key = unsafe ByteString(copying: key.assumingMemoryBound(to: CChar.self))
            unsafe attributes[key] = ByteString(copying: value.assumingMemoryBound(to: CChar.self))
        }
        let label = unsafe secret_item_get_label(item)
        defer { unsafe g_free(label) }
        self.init(
            path: unsafe String(cString: g_dbus_proxy_get_object_path(item.asProxy)),
            label: unsafe label.map { unsafe ByteString(copying: $0) } ?? "",
            attributes: attributes,
            created: unsafe Int64(clamping: secret_item_get_created(item)),
            modified: unsafe Int64(clamping: secret_item_get_modified(item)))
    }

    init(
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
    var isSealed: Bool {
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
    var shownName: String {
        guard label.isEmpty else {
            return label.description
        }
        return attributes.filter { $0.key != SchemaName.key }
            .map { "\($0.key)=\($0.value)" }.sorted().joined(separator: " ")
    }

    /// The name of the item's schema.
    var schema: ByteString? { attributes[SchemaName.key] }
}

/// The attribute for the name of an item's schema, and the possible names.
enum SchemaName {
    static let key: ByteString = "xdg:schema"
    /// git-credential-libsecret writes it from git 2.41 on, and no longer searches for a name.
    static let git: ByteString = "org.git.Password"
    /// It searches for and writes this one before that.
    static let network: ByteString = "org.gnome.keyring.NetworkPassword"
    static let docker: ByteString = "io.docker.Credentials"
    static let generic: ByteString = "org.freedesktop.Secret.Generic"
    static let lanyard: ByteString = "lanyard.Item"
    static let all = [git, network, docker, generic, lanyard]
}
#endif
