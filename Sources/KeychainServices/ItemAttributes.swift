/// The attributes of an item, or those that a query compares or an update sets: what is nil is
/// absent.
///
/// An attribute that the item's class does not have is refused with ``Status/noSuchAttribute``.
/// All texts are up to 65,535 bytes long, all of them together up to 1 MiB.
public struct ItemAttributes: Sendable {
    /// Shared by copies; nil for no attribute.
    private var storage: Storage?

    // MARK: Every class

    /// When the secret can be read: kSecAttrAccessible.
    public var accessible: Accessibility? {
        get { storage?.lent.values.accessible }
        set { change { $0.accessible = newValue } }
    }
    /// Further conditions for reading it: kSecAttrAccessControl.
    public var accessControl: AccessControl? {
        get { storage?.lent.values.accessControl }
        set { change { $0.accessControl = newValue } }
    }
    /// The group that the item belongs to, for example `git`: kSecAttrAccessGroup.
    public var accessGroup: ByteString? {
        get { storage?.lent.values.accessGroup }
        set { change { $0.accessGroup = newValue } }
    }
    /// Whether the item may travel to the user's other machines: kSecAttrSynchronizable.
    public var synchronizable: Bool? {
        get { storage?.lent.values.synchronizable }
        set { change { $0.synchronizable = newValue } }
    }
    /// When the item was made, set by the keychain: kSecAttrCreationDate.
    public var creationDate: Timestamp? {
        get { storage?.lent.values.creationDate }
        set { change { $0.creationDate = newValue } }
    }
    /// When the item was last changed, set by the keychain: kSecAttrModificationDate.
    public var modificationDate: Timestamp? {
        get { storage?.lent.values.modificationDate }
        set { change { $0.modificationDate = newValue } }
    }
    /// What a person is shown as the item's name: kSecAttrLabel.
    public var label: ByteString? {
        get { storage?.lent.values.label }
        set { change { $0.label = newValue } }
    }

    // MARK: Both password classes

    /// The account's name: kSecAttrAccount.
    public var account: ByteString? {
        get { storage?.lent.values.account }
        set { change { $0.account = newValue } }
    }
    /// What kind of item it is, in words: kSecAttrDescription.
    public var itemDescription: ByteString? {
        get { storage?.lent.values.itemDescription }
        set { change { $0.itemDescription = newValue } }
    }
    /// A person's remark: kSecAttrComment.
    public var comment: ByteString? {
        get { storage?.lent.values.comment }
        set { change { $0.comment = newValue } }
    }
    /// The program that made the item: kSecAttrCreator.
    public var creator: FourCharacterCode? {
        get { storage?.lent.values.creator }
        set { change { $0.creator = newValue } }
    }
    /// A type of the creator's: kSecAttrType.
    public var type: FourCharacterCode? {
        get { storage?.lent.values.type }
        set { change { $0.type = newValue } }
    }
    /// Whether lists leave the item out: kSecAttrIsInvisible.
    public var isInvisible: Bool? {
        get { storage?.lent.values.isInvisible }
        set { change { $0.isInvisible = newValue } }
    }
    /// Whether the item says that there is no password to be had: kSecAttrIsNegative.
    public var isNegative: Bool? {
        get { storage?.lent.values.isNegative }
        set { change { $0.isNegative = newValue } }
    }

    // MARK: Generic passwords

    /// The service that the password is for: kSecAttrService.
    public var service: ByteString? {
        get { storage?.lent.values.service }
        set { change { $0.service = newValue } }
    }
    /// Free data: kSecAttrGeneric.
    public var generic: ByteString? {
        get { storage?.lent.values.generic }
        set { change { $0.generic = newValue } }
    }

    // MARK: Internet passwords

    /// The security domain, for example an HTTP realm: kSecAttrSecurityDomain.
    public var securityDomain: ByteString? {
        get { storage?.lent.values.securityDomain }
        set { change { $0.securityDomain = newValue } }
    }
    /// The server's name or address: kSecAttrServer.
    public var server: ByteString? {
        get { storage?.lent.values.server }
        set { change { $0.server = newValue } }
    }
    /// The protocol: kSecAttrProtocol.
    public var `protocol`: ProtocolType? {
        get { storage?.lent.values.`protocol` }
        set { change { $0.`protocol` = newValue } }
    }
    /// How the server checks the login. The code 0 is the same as none, and in a query matches items
    /// without one: kSecAttrAuthenticationType.
    public var authenticationType: AuthenticationType? {
        get { storage?.lent.values.authenticationType }
        set { change { $0.authenticationType = newValue } }
    }
    /// The port, 1 to 65535. 0 is the same as none; in a query it matches items without a port:
    /// kSecAttrPort.
    public var port: UInt16? {
        get { storage?.lent.values.port }
        set { change { $0.port = newValue } }
    }
    /// The path on the server; empty is the same as none, and in a query matches items without
    /// one: kSecAttrPath.
    public var path: ByteString? {
        get { storage?.lent.values.path }
        set { change { $0.path = newValue } }
    }

    /// No attribute.
    public init() {}

    /// Those that an internet password has at most where a tool keeps it, all at once.
    package init(
        accessGroup: ByteString?, label: ByteString?, account: ByteString?, server: ByteString?,
        protocol: ProtocolType?, port: UInt16?, path: ByteString?
    ) {
        self.init { values in
            values.accessGroup = accessGroup
            values.label = label
            values.account = account
            values.server = server
            values.protocol = `protocol`
            values.port = port
            values.path = path
        }
    }

    /// Those whose values a closure sets, all at once, which takes less time than one after the other.
    ///
    /// - Throws: What the closure throws.
    package init<Failure: Error>(
        _ set: (inout Values) throws(Failure) -> Void
    ) throws(Failure) {
        storage = try Storage(set)
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

    /// Changes the values. Who sets many sets them all at once.
    private mutating func change(_ body: (inout Values) -> Void) {
        let values = values
        storage = Storage { new in
            new = values
            body(&new)
        }
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
