/// A search for items: which ones, and what to return of them.
///
/// An item matches if it equals every attribute of the query. The corresponding type is the
/// dictionary that SecItemCopyMatching takes.
public struct Query: Hashable, Sendable {
    /// The class of the items: kSecClass. A query without it is refused with ``Status/param``.
    public var itemClass: ItemClass?
    /// The attributes that an item must equal, except `synchronizable`, which is in
    /// ``synchronizable``.
    public var attributes = ItemAttributes()
    /// Whether to match synchronizable items: kSecAttrSynchronizable.
    public var synchronizable = SynchronizableMatch.notSynchronizable
    /// The one item to match, or nil: kSecValueRef.
    public var reference: ItemReference?
    /// The one item to match, or nil: kSecValuePersistentRef. Update and delete refuse attributes
    /// next to it.
    public var persistentReference: PersistentReference?
    /// The groups that an item must be of, beside its ``attributes``; nil for any. The
    /// ``Keychain`` sets it.
    public package(set) var accessGroups: AccessGroups?
    /// How to compare, and how many items to return; for copy matching only.
    public var match = MatchOptions()
    /// The parts of each item to return; an empty set only asks whether one exists.
    public var returns: ReturnOptions = []

    /// Creates a query for the items of a class that equal these attributes.
    public init(
        _ itemClass: ItemClass? = nil, _ attributes: ItemAttributes = ItemAttributes(),
        returns: ReturnOptions = []
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.returns = returns
    }

    /// Creates a query for the item of a reference.
    public init(_ reference: ItemReference, returns: ReturnOptions = []) {
        self.init(reference.itemClass, returns: returns)
        self.reference = reference
        synchronizable = .any
    }

    /// Creates a query for the item of a persistent reference.
    public init(_ reference: PersistentReference, returns: ReturnOptions = []) {
        self.init(reference.reference.itemClass, returns: returns)
        persistentReference = reference
        synchronizable = .any
    }
}

/// Whether a query matches synchronizable items.
public enum SynchronizableMatch: Hashable, Sendable {
    /// Only items that are not synchronizable: the default.
    case notSynchronizable
    /// Only synchronizable items.
    case synchronizable
    /// Both. The corresponding constant is kSecAttrSynchronizableAny.
    case any
}

/// How a query compares, and how many items it returns.
public struct MatchOptions: Hashable, Sendable {
    /// The most items to return; nil for the default, one: kSecMatchLimit.
    public var limit: MatchLimit?
    /// Whether to ignore letter case in texts; nil for the default, no: kSecMatchCaseInsensitive.
    ///
    /// Case always counts in ``ItemAttributes/generic``, which is data, and in the protocol. In the
    /// server's name only ASCII letters are affected.
    public var caseInsensitive: Bool?
    /// A text in a certificate's subject: kSecMatchSubjectContains. Passwords have no subject, so
    /// anything but nil is refused with ``Status/param``.
    public var subjectContains: ByteString?

    /// Creates the defaults.
    public init() {}
}

/// The most items that a query returns.
public enum MatchLimit: Hashable, Sendable {
    /// One: kSecMatchLimitOne.
    case one
    /// All: kSecMatchLimitAll.
    case all
    /// A number of at least 1.
    case atMost(Int)
}

/// The parts of each item that a query returns.
public struct ReturnOptions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The secret: kSecReturnData.
    public static let data = ReturnOptions(rawValue: 1)
    /// The attributes: kSecReturnAttributes.
    public static let attributes = ReturnOptions(rawValue: 2)
    /// A reference: kSecReturnRef.
    public static let reference = ReturnOptions(rawValue: 4)
    /// A persistent reference: kSecReturnPersistentRef.
    public static let persistentReference = ReturnOptions(rawValue: 8)
    /// The secret, if it can be read without asking the user, at most with a passphrase that the
    /// process was given; otherwise nil. A store that might ask returns nil for every item.
    package static let readableData = ReturnOptions(rawValue: 16)
}
