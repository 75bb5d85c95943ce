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
    /// The items among which to search, nil for all: kSecMatchItemList.
    public var items: [ItemReference]?
    /// The groups that an item must be of, beside its ``attributes``; nil for any. The
    /// ``Keychain`` sets it.
    public package(set) var accessGroups: AccessGroups?
    /// What the program supplies for items with an access control, nil for nothing:
    /// kSecUseAuthenticationContext.
    public var context: AuthenticationContext?
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

    /// Creates a query for an item that a keychain returned, nil if it came with neither a reference
    /// nor its attributes.
    ///
    /// A reference matches this one item. Without one, the query matches items with the same
    /// attributes, also the same dates: none after the item has changed.
    public init?(_ item: borrowing MatchedItem, returns: ReturnOptions = []) {
        if let reference = item.reference ?? item.persistentReference?.reference {
            self.init(reference, returns: returns)
            return
        }
        guard var attributes = item.attributes else {
            return nil
        }
        let isSynchronizable = attributes.synchronizable == true
        attributes.synchronizable = nil
        self.init(item.itemClass, attributes, returns: returns)
        synchronizable = isSynchronizable ? .synchronizable : .notSynchronizable
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

/// How a query compares, which items it returns first and how many, and whether it may ask the user.
///
/// The options for texts apply to the attributes of the query that are texts. ``ItemAttributes/generic``
/// and the protocol are always compared byte by byte. In the server's name only ASCII letter case
/// and ``textAnchor`` apply, and in the access group only letter case.
public struct MatchOptions: Hashable, Sendable {
    /// The most items to return; nil for the default, one: kSecMatchLimit.
    public var limit: MatchLimit?
    /// Which items come first; nil for the default, those added or changed last.
    public var order: ItemOrder?
    /// The names of the keychains to search, in order, instead of those of the search list:
    /// kSecMatchSearchList. A single keychain refuses names with ``Status/param``.
    public var searchList: [String]?
    /// Whether to ignore letter case in texts; nil for the default, no: kSecMatchCaseInsensitive.
    ///
    /// It is Unicode's letter case if both texts are UTF-8, otherwise ASCII's.
    public var caseInsensitive: Bool?
    /// Whether to ignore accents and other marks in texts; nil for the default, no:
    /// kSecMatchDiacriticInsensitive.
    ///
    /// A mark is a nonspacing mark (general category Mn) of the canonical decomposition: é and ё have
    /// one, ø and ł don't. Marks count in texts that are not UTF-8.
    public var diacriticInsensitive: Bool?
    /// Whether to ignore the width of characters in texts; nil for the default, no:
    /// kSecMatchWidthInsensitive.
    ///
    /// A fullwidth ASCII character equals the normal one, and halfwidth katakana equals the normal
    /// one. Width counts in texts that are not UTF-8.
    public var widthInsensitive: Bool?
    /// Which part of an item's text has to equal the query's text; nil for the default, the whole.
    public var textAnchor: TextAnchor?
    /// Texts in a certificate's subject that must all be there, none for any subject. This and the next four options
    /// are for certificates and identities alone.
    public var subject: [SubjectMatch] = []
    /// The normalized names of issuers, of which one must have signed the certificate; nil for any issuer:
    /// kSecMatchIssuers.
    public var issuers: [ByteString]?
    /// An e-mail address that the certificate must have unless it has none at all, in any letter case; nil for
    /// any: kSecMatchEmailAddressIfPresent.
    public var emailAddressIfPresent: ByteString?
    /// When the certificate must be valid, nil if that does not matter: kSecMatchValidOnDate.
    public var validOnDate: Timestamp?
    /// Whether the certificate must lead to one of the system's trusted roots; nil for the default, no:
    /// kSecMatchTrustedOnly.
    public var trustedOnly: Bool?
    /// Whether the user may be asked to unlock the keychain; nil for the default, yes:
    /// kSecUseAuthenticationUI.
    public var authenticationUI: AuthenticationUI?
    /// The reason to show to a user who is asked to unlock the keychain, nil for none: one line,
    /// kSecUseOperationPrompt.
    public var prompt: String?

    /// Creates the defaults.
    public init() {}
}

/// Which of the matching items come first.
public enum ItemOrder: Hashable, Sendable {
    /// Those added or changed last.
    case newestFirst
    /// Those that were not added or changed for the longest time.
    case oldestFirst
}

/// Which part of an item's text has to equal a query's text.
public enum TextAnchor: Hashable, Sendable {
    /// All of it.
    case whole
    /// Its beginning.
    case start
    /// Its end.
    case end
}

/// What happens to secrets that can only be read after asking the user.
public enum AuthenticationUI: Hashable, Sendable {
    /// The user is asked: kSecUseAuthenticationUIAllow.
    case allow
    /// The query throws ``Status/interactionNotAllowed``: kSecUseAuthenticationUIFail.
    case fail
    /// Their items are left out: kSecUseAuthenticationUISkip.
    case skip
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
    /// Not to log the read: the program looks at a part of the data that is no secret, such as an
    /// expiry date, and shows nothing else.
    package static let unlogged = ReturnOptions(rawValue: 32)
    /// Every match, as the closure never stops: a store may read several at once.
    package static let untilEnd = ReturnOptions(rawValue: 64)
}
