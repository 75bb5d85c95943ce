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
        get { storage?.lent.values.accessible }
        set { own().lent.values.accessible = newValue }
    }
    /// Further conditions for reading it: kSecAttrAccessControl.
    public var accessControl: AccessControl? {
        get { storage?.lent.values.accessControl }
        set { own().lent.values.accessControl = newValue }
    }
    /// The group that the item belongs to, for example `git`: kSecAttrAccessGroup.
    public var accessGroup: ByteString? {
        get { storage?.lent.values.accessGroup }
        set { own().lent.values.accessGroup = newValue }
    }
    /// Whether the item may travel to the user's other machines: kSecAttrSynchronizable.
    public var synchronizable: Bool? {
        get { storage?.lent.values.synchronizable }
        set { own().lent.values.synchronizable = newValue }
    }
    /// When the item was made, set by the keychain: kSecAttrCreationDate.
    public var creationDate: Timestamp? {
        get { storage?.lent.values.creationDate }
        set { own().lent.values.creationDate = newValue }
    }
    /// When the item was last changed, set by the keychain: kSecAttrModificationDate.
    public var modificationDate: Timestamp? {
        get { storage?.lent.values.modificationDate }
        set { own().lent.values.modificationDate = newValue }
    }
    /// What a person is shown as the item's name: kSecAttrLabel.
    public var label: ByteString? {
        get { storage?.lent.values.label }
        set { own().lent.values.label = newValue }
    }

    // MARK: Both password classes

    /// The account's name: kSecAttrAccount.
    public var account: ByteString? {
        get { storage?.lent.values.account }
        set { own().lent.values.account = newValue }
    }
    /// What kind of item it is, in words: kSecAttrDescription.
    public var itemDescription: ByteString? {
        get { storage?.lent.values.itemDescription }
        set { own().lent.values.itemDescription = newValue }
    }
    /// A person's remark: kSecAttrComment.
    public var comment: ByteString? {
        get { storage?.lent.values.comment }
        set { own().lent.values.comment = newValue }
    }
    /// The program that made the item: kSecAttrCreator.
    public var creator: FourCharacterCode? {
        get { storage?.lent.values.creator }
        set { own().lent.values.creator = newValue }
    }
    /// A type of the creator's: kSecAttrType.
    public var type: FourCharacterCode? {
        get { storage?.lent.values.type }
        set { own().lent.values.type = newValue }
    }
    /// Whether lists leave the item out: kSecAttrIsInvisible.
    public var isInvisible: Bool? {
        get { storage?.lent.values.isInvisible }
        set { own().lent.values.isInvisible = newValue }
    }
    /// Whether the item says that there is no password to be had: kSecAttrIsNegative.
    public var isNegative: Bool? {
        get { storage?.lent.values.isNegative }
        set { own().lent.values.isNegative = newValue }
    }

    // MARK: Generic passwords

    /// The service that the password is for: kSecAttrService.
    public var service: ByteString? {
        get { storage?.lent.values.service }
        set { own().lent.values.service = newValue }
    }
    /// Free data: kSecAttrGeneric.
    public var generic: ByteString? {
        get { storage?.lent.values.generic }
        set { own().lent.values.generic = newValue }
    }

    // MARK: Internet passwords

    /// The security domain, for example an HTTP realm: kSecAttrSecurityDomain.
    public var securityDomain: ByteString? {
        get { storage?.lent.values.securityDomain }
        set { own().lent.values.securityDomain = newValue }
    }
    /// The server's name or address: kSecAttrServer.
    public var server: ByteString? {
        get { storage?.lent.values.server }
        set { own().lent.values.server = newValue }
    }
    /// The protocol: kSecAttrProtocol.
    public var `protocol`: ProtocolType? {
        get { storage?.lent.values.`protocol` }
        set { own().lent.values.`protocol` = newValue }
    }
    /// How the server checks the login. The code 0 is the same as none, and in a query matches items
    /// without one: kSecAttrAuthenticationType.
    public var authenticationType: AuthenticationType? {
        get { storage?.lent.values.authenticationType }
        set { own().lent.values.authenticationType = newValue }
    }
    /// The port, 1 to 65535. 0 is the same as none; in a query it matches items without a port:
    /// kSecAttrPort.
    public var port: UInt16? {
        get { storage?.lent.values.port }
        set { own().lent.values.port = newValue }
    }
    /// The path on the server; empty is the same as none, and in a query matches items without
    /// one: kSecAttrPath.
    public var path: ByteString? {
        get { storage?.lent.values.path }
        set { own().lent.values.path = newValue }
    }

    /// No attribute.
    public init() {}

    /// Those that an internet password has at most where a tool keeps it, all at once.
    package init(
        accessGroup: ByteString?, label: ByteString?, account: ByteString?, server: ByteString?,
        protocol: ProtocolType?, port: UInt16?, path: ByteString?
    ) {
        let own = Storage(Values())
        own.lent.values.accessGroup = accessGroup
        own.lent.values.label = label
        own.lent.values.account = account
        own.lent.values.server = server
        own.lent.values.protocol = `protocol`
        own.lent.values.port = port
        own.lent.values.path = path
        storage = own
    }

    /// All of them.
    package var values: Values { storage?.lent.values ?? Values() }

    /// Lends all of them, which takes less time than to ask for one after the other.
    package func withValues<Failure: Error>(
        _ body: (borrowing Values) throws(Failure) -> Void
    ) throws(Failure) {
        if let storage {
            try storage.lent.lend(to: body)
        } else {
            try body(Values())
        }
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
    package var textSizes: (longest: Int, total: Int) {
        var sizes = (longest: 0, total: 0)
        withValues { sizes = $0.textSizes() }
        return sizes
    }
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
