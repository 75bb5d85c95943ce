internal import KeychainServices

/// Maps a URL to an item: an internet password in the access group `docker`.
extension RegistryURL {
    /// Limits a URL's length, which keeps the label that repeats it within the limit of a text.
    static let limit = 65_535 - labelPrefix.utf8CodeUnitCount

    private static let labelPrefix: StaticString = "Registry credentials for "

    /// The attributes that only items of this URL have: each part, with absent ones as none.
    var place: ItemAttributes {
        var attributes = ItemAttributes()
        attributes.accessGroup = DockerCredentialHelper.accessGroup
        attributes.server = parts?.host ?? text
        attributes.protocol = protocolType ?? ProtocolType(rawValue: "")
        attributes.port = parts?.port ?? 0
        attributes.path = parts?.path ?? ""
        return attributes
    }

    /// ``place`` without negative items, which are not logins.
    var placeOfLogins: ItemAttributes {
        var attributes = place
        attributes.isNegative = false
        return attributes
    }

    /// Returns the attributes of a new item for this URL.
    func newItem(account: ByteString) -> ItemAttributes {
        var attributes = place
        attributes.protocol = protocolType
        attributes.port = parts?.port
        attributes.path = parts?.path
        attributes.account = account
        attributes.label = ByteString(RegistryURL.labelPrefix.bytes + text.bytes)
        return attributes
    }

    private var protocolType: ProtocolType? {
        parts?.scheme.map { ProtocolType(scheme: $0) }
    }

    /// Reads the URL of an item; nil if no URL produces such an item.
    ///
    /// For an item from ``newItem(account:)``, it is the same text. Items of other programs may have a path
    /// without its leading slash.
    init?(_ attributes: ItemAttributes) {
        guard let text = ServerURL.text(attributes) else {
            return nil
        }
        self.init(text)
    }
}
