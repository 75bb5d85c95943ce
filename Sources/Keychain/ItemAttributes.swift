/// The attributes of an item, or those that a query compares or an update sets: what is nil is
/// absent.
///
/// An attribute that the item's class does not have is refused with ``Status/noSuchAttribute``.
/// All texts are up to 65,535 bytes long, all of them together up to 1 MiB.
public struct ItemAttributes: Sendable {
    /// Shared by copies until one of them changes; nil for no attribute.
    private var storage: Storage?

    // MARK: Every class

    /// When the secret can be read: kSecAttrAccessible.
    public var accessible: Accessibility? {
        get { storage?.values.accessible }
        set { own().values.accessible = newValue }
    }
    /// Further conditions for reading it: kSecAttrAccessControl.
    public var accessControl: AccessControl? {
        get { storage?.values.accessControl }
        set { own().values.accessControl = newValue }
    }
    /// The group that the item belongs to, for example `git`: kSecAttrAccessGroup.
    public var accessGroup: ByteString? {
        get { storage?.values.accessGroup }
        set { own().values.accessGroup = newValue }
    }
    /// Whether the item may travel to the user's other machines: kSecAttrSynchronizable.
    public var synchronizable: Bool? {
        get { storage?.values.synchronizable }
        set { own().values.synchronizable = newValue }
    }
    /// When the item was made, set by the keychain: kSecAttrCreationDate.
    public var creationDate: Timestamp? {
        get { storage?.values.creationDate }
        set { own().values.creationDate = newValue }
    }
    /// When the item was last changed, set by the keychain: kSecAttrModificationDate.
    public var modificationDate: Timestamp? {
        get { storage?.values.modificationDate }
        set { own().values.modificationDate = newValue }
    }
    /// What a person is shown as the item's name: kSecAttrLabel.
    public var label: ByteString? {
        get { storage?.values.label }
        set { own().values.label = newValue }
    }

    // MARK: Both password classes

    /// The account's name: kSecAttrAccount.
    public var account: ByteString? {
        get { storage?.values.account }
        set { own().values.account = newValue }
    }
    /// What kind of item it is, in words: kSecAttrDescription.
    public var itemDescription: ByteString? {
        get { storage?.values.itemDescription }
        set { own().values.itemDescription = newValue }
    }
    /// A person's remark: kSecAttrComment.
    public var comment: ByteString? {
        get { storage?.values.comment }
        set { own().values.comment = newValue }
    }
    /// The program that made the item: kSecAttrCreator.
    public var creator: FourCharacterCode? {
        get { storage?.values.creator }
        set { own().values.creator = newValue }
    }
    /// A type of the creator's: kSecAttrType.
    public var type: FourCharacterCode? {
        get { storage?.values.type }
        set { own().values.type = newValue }
    }
    /// Whether lists leave the item out: kSecAttrIsInvisible.
    public var isInvisible: Bool? {
        get { storage?.values.isInvisible }
        set { own().values.isInvisible = newValue }
    }
    /// Whether the item says that there is no password to be had: kSecAttrIsNegative.
    public var isNegative: Bool? {
        get { storage?.values.isNegative }
        set { own().values.isNegative = newValue }
    }

    // MARK: Generic passwords

    /// The service that the password is for: kSecAttrService.
    public var service: ByteString? {
        get { storage?.values.service }
        set { own().values.service = newValue }
    }
    /// Free data: kSecAttrGeneric.
    public var generic: ByteString? {
        get { storage?.values.generic }
        set { own().values.generic = newValue }
    }

    // MARK: Internet passwords

    /// The security domain, for example an HTTP realm: kSecAttrSecurityDomain.
    public var securityDomain: ByteString? {
        get { storage?.values.securityDomain }
        set { own().values.securityDomain = newValue }
    }
    /// The server's name or address: kSecAttrServer.
    public var server: ByteString? {
        get { storage?.values.server }
        set { own().values.server = newValue }
    }
    /// The protocol: kSecAttrProtocol.
    public var `protocol`: ProtocolType? {
        get { storage?.values.`protocol` }
        set { own().values.`protocol` = newValue }
    }
    /// How the server checks the login. The code 0 is the same as none, and in a query matches items
    /// without one: kSecAttrAuthenticationType.
    public var authenticationType: AuthenticationType? {
        get { storage?.values.authenticationType }
        set { own().values.authenticationType = newValue }
    }
    /// The port, 1 to 65535. 0 is the same as none; in a query it matches items without a port:
    /// kSecAttrPort.
    public var port: UInt16? {
        get { storage?.values.port }
        set { own().values.port = newValue }
    }
    /// The path on the server; empty is the same as none, and in a query matches items without
    /// one: kSecAttrPath.
    public var path: ByteString? {
        get { storage?.values.path }
        set { own().values.path = newValue }
    }

    /// No attribute.
    public init() {}

    /// Those that an internet password has at most where a tool keeps it, all at once.
    package init(
        accessGroup: ByteString?, label: ByteString?, account: ByteString?, server: ByteString?,
        protocol: ProtocolType?, port: UInt16?, path: ByteString?
    ) {
        let own = Storage(Values())
        own.values.accessGroup = accessGroup
        own.values.label = label
        own.values.account = account
        own.values.server = server
        own.values.protocol = `protocol`
        own.values.port = port
        own.values.path = path
        storage = own
    }

    /// All of them.
    package var values: Values { storage?.values ?? Values() }

    /// The bytes of the identity that they make for an item of a class.
    func identity(of itemClass: ItemClass) -> [UInt8] {
        (storage ?? Storage(Values())).identity(of: itemClass)
    }

    /// The storage, nobody else's.
    private mutating func own() -> Storage {
        if isKnownUniquelyReferenced(&storage), let storage {
            return storage
        }
        let own = Storage(values)
        storage = own
        return own
    }

    /// How many bytes a text attribute may have.
    static let textLimit = 65_535
    /// How many bytes all text attributes may have together.
    static let totalLimit = 1 << 20

    /// How many bytes the longest text attribute has, and all of them together.
    package var textSizes: (longest: Int, total: Int) { storage?.textSizes ?? (0, 0) }
}

extension ItemAttributes: Hashable {
    /// Whether both have the same attributes.
    public static func == (left: ItemAttributes, right: ItemAttributes) -> Bool {
        left.storage === right.storage
            || left.values == right.values
    }

    /// Feeds the attributes to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(values)
    }
}
