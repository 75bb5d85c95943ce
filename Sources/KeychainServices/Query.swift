/// Which items are meant, and what of them to return.
///
/// An item is meant if it equals every attribute that the query has. The corresponding type is the
/// dictionary that SecItemCopyMatching takes.
public struct Query: Hashable, Sendable {
    /// The class of the items. Without it the query is refused with ``Status/param``: kSecClass.
    public var itemClass: ItemClass?
    /// What the items' attributes must equal; `synchronizable` stands outside, in
    /// ``synchronizable``.
    public var attributes = ItemAttributes()
    /// Which items are meant as to whether they are synchronizable: kSecAttrSynchronizable.
    public var synchronizable = SynchronizableMatch.notSynchronizable
    /// The one item meant, or nil: kSecValueRef.
    public var reference: ItemReference?
    /// The one item meant, or nil; in update and delete no attribute may stand beside it:
    /// kSecValuePersistentRef.
    public var persistentReference: PersistentReference?
    /// How to compare, and how many to return; only for copy matching.
    public var match = MatchOptions()
    /// What to return of each item; nothing asks only whether there is one.
    public var returns: ReturnOptions = []

    /// A query for the items of a class that equal these attributes.
    public init(
        _ itemClass: ItemClass? = nil, _ attributes: ItemAttributes = ItemAttributes(),
        returns: ReturnOptions = []
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.returns = returns
    }

    /// A query for the item that is referred to.
    public init(_ reference: ItemReference, returns: ReturnOptions = []) {
        self.init(reference.itemClass, returns: returns)
        self.reference = reference
        synchronizable = .any
    }

    /// A query for the item that is referred to.
    public init(_ reference: PersistentReference, returns: ReturnOptions = []) {
        self.init(reference.reference.itemClass, returns: returns)
        persistentReference = reference
        synchronizable = .any
    }
}

/// Which items a query means as to whether they are synchronizable.
public enum SynchronizableMatch: Hashable, Sendable {
    /// Those that are not: the default.
    case notSynchronizable
    /// Those that are.
    case synchronizable
    /// Both. The corresponding constant is kSecAttrSynchronizableAny.
    case any
}

/// How a query compares, and how many items it returns.
public struct MatchOptions: Hashable, Sendable {
    /// How many items to return, nil for the default, which is one: kSecMatchLimit.
    public var limit: MatchLimit?
    /// Whether letter case is set aside in texts (not in ``ItemAttributes/generic``, which is data,
    /// nor in the protocol; in the server's name only ASCII's letters), nil for the default, which is no: kSecMatchCaseInsensitive.
    public var caseInsensitive: Bool?
    /// What a certificate's subject contains. Passwords have none: anything but nil is refused with
    /// ``Status/param``: kSecMatchSubjectContains.
    public var subjectContains: ByteString?

    /// The defaults.
    public init() {}
}

/// How many items a query returns at most.
public enum MatchLimit: Hashable, Sendable {
    /// One: kSecMatchLimitOne.
    case one
    /// All: kSecMatchLimitAll.
    case all
    /// A number from 1.
    case atMost(Int)
}

/// What a query returns of each item.
public struct ReturnOptions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// The options whose bits are set.
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
    /// The secret of an item where it can be read without asking anybody, with what the process was
    /// given if need be; none of any other item, nor of a store that might ask.
    package static let readableData = ReturnOptions(rawValue: 16)
}
