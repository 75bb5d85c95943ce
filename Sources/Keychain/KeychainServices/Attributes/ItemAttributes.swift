/// The attributes of an item, or those that a query compares or an update sets; nil means absent.
///
/// An attribute that the item's class lacks is refused with ``Status/noSuchAttribute``. A text has
/// up to 65,535 bytes, and all texts together have up to 1 MiB.
public struct ItemAttributes: Hashable, Sendable {
    /// The attributes that are present, in ascending order of their numbers.
    package private(set) var entries: [Entry] = []

    // MARK: Every class

    /// When the secret can be read: kSecAttrAccessible.
    public var accessible: Accessibility? {
        get { self[.accessible]?.accessibility }
        set { self[.accessible] = newValue.map { .accessibility($0) } }
    }
    /// Further conditions for reading the secret: kSecAttrAccessControl.
    public var accessControl: AccessControl? {
        get { self[.accessControl]?.accessControl }
        set { self[.accessControl] = newValue.map { .accessControl($0) } }
    }
    /// The group that the item belongs to, for example `git`: kSecAttrAccessGroup.
    public var accessGroup: ByteString? {
        get { self[.accessGroup]?.text }
        set { self[.accessGroup] = newValue.map { .text($0) } }
    }
    /// Whether the item may travel to the user's other machines: kSecAttrSynchronizable.
    public var synchronizable: Bool? {
        get { self[.synchronizable]?.flag }
        set { self[.synchronizable] = newValue.map { .flag($0) } }
    }
    /// When the item was created, set by the keychain: kSecAttrCreationDate.
    public var creationDate: Timestamp? {
        get { self[.creationDate]?.date }
        set { self[.creationDate] = newValue.map { .date($0) } }
    }
    /// When the item was last changed, set by the keychain: kSecAttrModificationDate.
    public var modificationDate: Timestamp? {
        get { self[.modificationDate]?.date }
        set { self[.modificationDate] = newValue.map { .date($0) } }
    }
    /// The item's name as users see it: kSecAttrLabel.
    public var label: ByteString? {
        get { self[.label]?.text }
        set { self[.label] = newValue.map { .text($0) } }
    }

    // MARK: Both password classes

    /// The account's name: kSecAttrAccount.
    public var account: ByteString? {
        get { self[.account]?.text }
        set { self[.account] = newValue.map { .text($0) } }
    }
    /// A description of the kind of item: kSecAttrDescription.
    public var itemDescription: ByteString? {
        get { self[.itemDescription]?.text }
        set { self[.itemDescription] = newValue.map { .text($0) } }
    }
    /// The user's comment: kSecAttrComment.
    public var comment: ByteString? {
        get { self[.comment]?.text }
        set { self[.comment] = newValue.map { .text($0) } }
    }
    /// The program that created the item: kSecAttrCreator.
    public var creator: FourCharacterCode? {
        get { self[.creator]?.code }
        set { self[.creator] = newValue.map { .code($0) } }
    }
    /// A type that the creator defines: kSecAttrType.
    public var type: FourCharacterCode? {
        get { self[.type]?.code }
        set { self[.type] = newValue.map { .code($0) } }
    }
    /// Whether lists omit the item: kSecAttrIsInvisible.
    public var isInvisible: Bool? {
        get { self[.isInvisible]?.flag }
        set { self[.isInvisible] = newValue.map { .flag($0) } }
    }
    /// Whether the item records the absence of a password: kSecAttrIsNegative.
    public var isNegative: Bool? {
        get { self[.isNegative]?.flag }
        set { self[.isNegative] = newValue.map { .flag($0) } }
    }

    // MARK: Generic passwords

    /// The service that the password is for: kSecAttrService.
    public var service: ByteString? {
        get { self[.service]?.text }
        set { self[.service] = newValue.map { .text($0) } }
    }
    /// Arbitrary data: kSecAttrGeneric.
    public var generic: ByteString? {
        get { self[.generic]?.text }
        set { self[.generic] = newValue.map { .text($0) } }
    }

    // MARK: Internet passwords

    /// The security domain, for example an HTTP realm: kSecAttrSecurityDomain.
    public var securityDomain: ByteString? {
        get { self[.securityDomain]?.text }
        set { self[.securityDomain] = newValue.map { .text($0) } }
    }
    /// The server's name or address: kSecAttrServer.
    public var server: ByteString? {
        get { self[.server]?.text }
        set { self[.server] = newValue.map { .text($0) } }
    }
    /// The protocol: kSecAttrProtocol.
    public var `protocol`: ProtocolType? {
        get { self[.protocol]?.text.map { ProtocolType(rawValue: $0) } }
        set { self[.protocol] = newValue.map { .text($0.rawValue) } }
    }
    /// How the server checks the login. The code 0 means none, and in a query matches items without
    /// a type: kSecAttrAuthenticationType.
    public var authenticationType: AuthenticationType? {
        get { self[.authenticationType]?.code.map { AuthenticationType(rawValue: $0) } }
        set { self[.authenticationType] = newValue.map { .code($0.rawValue) } }
    }
    /// The port, 1 to 65535. 0 means none, and in a query matches items without a port:
    /// kSecAttrPort.
    public var port: UInt16? {
        get { self[.port]?.number.flatMap { UInt16(exactly: $0) } }
        set { self[.port] = newValue.map { .number(UInt32($0)) } }
    }
    /// The path on the server. An empty one means none, and in a query matches items without a
    /// path: kSecAttrPath.
    public var path: ByteString? {
        get { self[.path]?.text }
        set { self[.path] = newValue.map { .text($0) } }
    }

    /// Creates a set without attributes.
    public init() {}

    /// Creates the set of attributes that a closure sets.
    ///
    /// - Throws: What the closure throws.
    package init<Failure: Error>(
        _ set: (inout ItemAttributes) throws(Failure) -> Void
    ) throws(Failure) {
        try set(&self)
    }

    /// An attribute that is present.
    package struct Entry: Hashable, Sendable {
        package let attribute: Attribute
        package var value: AttributeValue
        /// Whether the caller gave a text as data and wants it back as such. It changes no comparison with a
        /// query and no identity: the same bytes are the same text.
        package fileprivate(set) var isData = false
    }

    /// Marks a text that is present as data; to set the text again removes the mark.
    package mutating func markAsData(_ attribute: Attribute) {
        for place in entries.indices
        where entries[place].attribute == attribute && attribute.canBeData {
            entries[place].isData = true
        }
    }

    /// Removes the marks of data.
    mutating func removeDataMarks() {
        for place in entries.indices where entries[place].isData {
            entries[place].isData = false
        }
    }

    /// The value of an attribute, nil if it is absent.
    package subscript(attribute: Attribute) -> AttributeValue? {
        get {
            // To look at whole entries would copy their values.
            for place in entries.indices where entries[place].attribute == attribute {
                return entries[place].value
            }
            return nil
        }
        set {
            // They are mostly set in this order.
            if let newValue,
                entries.last.map({ $0.attribute.rawValue < attribute.rawValue }) ?? true
            {
                if entries.isEmpty {
                    entries.reserveCapacity(8)
                }
                entries.append(Entry(attribute: attribute, value: newValue))
                return
            }
            let place =
                entries.indices.first { entries[$0].attribute.rawValue >= attribute.rawValue }
                ?? entries.count
            let isThere = place < entries.count && entries[place].attribute == attribute
            switch newValue {
            case let value? where isThere:
                entries[place] = Entry(attribute: attribute, value: value)
            case let value?: entries.insert(Entry(attribute: attribute, value: value), at: place)
            case nil where isThere: entries.remove(at: place)
            case nil: break
            }
        }
    }

    /// Returns the attributes for which a closure returns true.
    package func filter(_ isKept: (Entry) -> Bool) -> ItemAttributes {
        var kept = self
        kept.entries.removeAll { !isKept($0) }
        return kept
    }

    /// The most bytes that a text attribute may have.
    static let textLimit = 65_535
    /// The most bytes that all text attributes may have together.
    static let totalLimit = 1 << 20

    /// The size of the longest text attribute, and of all of them together, in bytes.
    package var textSizes: (longest: Int, total: Int) {
        var sizes = (longest: 0, total: 0)
        for case .text(let text) in entries.lazy.map({ $0.value }) {
            sizes.longest = max(sizes.longest, text.bytes.count)
            sizes.total += text.bytes.count
        }
        return sizes
    }
}
