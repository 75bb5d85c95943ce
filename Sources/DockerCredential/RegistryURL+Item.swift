internal import KeychainServices

/// How a URL maps to an item: an internet password in the access group `docker`.
extension RegistryURL {
    /// How long a URL may be, so that the label that repeats it is no longer than a text may be.
    static let limit = 65_535 - labelPrefix.utf8CodeUnitCount

    private static let labelPrefix: StaticString = "Registry credentials for "

    /// What the items of this URL equal, and no other's: each part, absent as none.
    var place: ItemAttributes {
        var attributes = ItemAttributes()
        attributes.accessGroup = DockerCredentialHelper.accessGroup
        attributes.server = parts?.host ?? text
        attributes.protocol = protocolType ?? ProtocolType(rawValue: "")
        attributes.port = parts?.port ?? 0
        attributes.path = parts?.path ?? ""
        return attributes
    }

    /// ``place``, but for a negative item, which is no login.
    var placeOfLogins: ItemAttributes {
        var attributes = place
        attributes.isNegative = false
        return attributes
    }

    /// What a new item of this URL has.
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

    /// The URL of an item; nil if no URL has one like it.
    ///
    /// Of an item that ``newItem(account:)`` made it is the same text. One that another program
    /// made may have a path without the slash before it.
    init?(_ attributes: ItemAttributes) {
        guard let text = ServerURL.text(attributes) else {
            return nil
        }
        self.init(text)
    }
}
