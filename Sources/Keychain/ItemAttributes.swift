/// The attributes of an item, or those that a query compares or an update sets: what is nil is
/// absent.
///
/// An attribute that the item's class does not have is refused with ``Status/noSuchAttribute``.
/// All texts are up to 65,535 bytes long, all of them together up to 1 MiB.
public struct ItemAttributes: Hashable, Sendable {
    // MARK: Every class

    /// When the secret can be read: kSecAttrAccessible.
    public var accessible: Accessibility?
    /// Further conditions for reading it: kSecAttrAccessControl.
    public var accessControl: AccessControl?
    /// The group that the item belongs to, for example `git`: kSecAttrAccessGroup.
    public var accessGroup: ByteString?
    /// Whether the item may travel to the user's other machines: kSecAttrSynchronizable.
    public var synchronizable: Bool?
    /// When the item was made, set by the keychain: kSecAttrCreationDate.
    public var creationDate: Timestamp?
    /// When the item was last changed, set by the keychain: kSecAttrModificationDate.
    public var modificationDate: Timestamp?
    /// What a person is shown as the item's name: kSecAttrLabel.
    public var label: ByteString?

    // MARK: Both password classes

    /// The account's name: kSecAttrAccount.
    public var account: ByteString?
    /// What kind of item it is, in words: kSecAttrDescription.
    public var itemDescription: ByteString?
    /// A person's remark: kSecAttrComment.
    public var comment: ByteString?
    /// The program that made the item: kSecAttrCreator.
    public var creator: FourCharacterCode?
    /// A type of the creator's: kSecAttrType.
    public var type: FourCharacterCode?
    /// Whether lists leave the item out: kSecAttrIsInvisible.
    public var isInvisible: Bool?
    /// Whether the item says that there is no password to be had: kSecAttrIsNegative.
    public var isNegative: Bool?

    // MARK: Generic passwords

    /// The service that the password is for: kSecAttrService.
    public var service: ByteString?
    /// Free data: kSecAttrGeneric.
    public var generic: ByteString?

    // MARK: Internet passwords

    /// The security domain, for example an HTTP realm: kSecAttrSecurityDomain.
    public var securityDomain: ByteString?
    /// The server's name or address: kSecAttrServer.
    public var server: ByteString?
    /// The protocol: kSecAttrProtocol.
    public var `protocol`: ProtocolType?
    /// How the server checks the login. The code 0 is the same as none, and in a query matches items
    /// without one: kSecAttrAuthenticationType.
    public var authenticationType: AuthenticationType?
    /// The port, 1 to 65535. 0 is the same as none; in a query it matches items without a port:
    /// kSecAttrPort.
    public var port: UInt16?
    /// The path on the server; empty is the same as none, and in a query matches items without
    /// one: kSecAttrPath.
    public var path: ByteString?

    /// No attribute.
    public init() {}

    /// How many bytes a text attribute may have.
    static let textLimit = 65_535
    /// How many bytes all text attributes may have together.
    static let totalLimit = 1 << 20

    /// The text attributes that have a value.
    var texts: [ByteString] {
        [
            accessGroup, label, account, itemDescription, comment, service, generic,
            securityDomain, server, path, `protocol`?.rawValue,
        ].compactMap(\.self)
    }
}
