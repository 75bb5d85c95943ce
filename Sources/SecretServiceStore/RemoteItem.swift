#if SecretService
internal import KeychainServices

/// An item as the Secret Service has it, without its secret.
struct RemoteItem {
    /// The interface of items.
    static let interface = "org.freedesktop.Secret.Item"

    let path: String
    var attributes: [ByteString: ByteString]
    var label: ByteString
    let isLocked: Bool
    /// Whether attributes that are not set anew stay what they were, as KeePassXC has it.
    let keepsOldAttributes: Bool
    /// Seconds since the epoch.
    let created: Int64
    let modified: Int64

    /// What an item's properties say.
    ///
    /// - Parameter properties: The answer to GetAll.
    init?(_ path: String, properties: borrowing Variant) {
        let properties = properties.child(0)
        guard let attributes = properties.value("Attributes", "a{ss}")?.attributeList else {
            return nil
        }
        self.path = path
        self.attributes = attributes
        keepsOldAttributes = attributes["Uuid"] != nil
        if keepsOldAttributes {
            // KeePassXC shows its own fields among the attributes. They are not to be set.
            for field in RemoteItem.fieldsOfKeePassXC {
                self.attributes[field] = nil
            }
            for (key, value) in attributes
            where value == ExtraAttributes.gone && ExtraAttributes.isOwn(key) {
                self.attributes[key] = nil
            }
        }
        label = properties.value("Label", "s")?.text ?? ""
        isLocked = properties.value("Locked", "b")?.isTrue ?? false
        created = Int64(clamping: properties.value("Created", "t")?.number ?? 0)
        modified = Int64(clamping: properties.value("Modified", "t")?.number ?? 0)
    }

    /// Whether the item may be of this program's concern, but can't be read before the collection is
    /// unlocked: gnome-keyring finds items of a file that it has not opened yet, but has only
    /// digests of their attributes.
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

    /// What a person knows the item by: its label, or else its attributes.
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

/// Where the name of an item's schema stands, and which names there are.
enum SchemaName {
    static let key: ByteString = "xdg:schema"
    /// What git-credential-libsecret writes from git 2.41 on, when it no longer asks for the name.
    static let git: ByteString = "org.git.Password"
    /// What it asks for and writes before that.
    static let network: ByteString = "org.gnome.keyring.NetworkPassword"
    static let docker: ByteString = "io.docker.Credentials"
    static let generic: ByteString = "org.freedesktop.Secret.Generic"
    static let lanyard: ByteString = "lanyard.Item"
    static let all = [git, network, docker, generic, lanyard]
}
#endif
