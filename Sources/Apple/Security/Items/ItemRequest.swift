internal import KeychainServices
internal import SecurityFunctions

/// What the dictionary of a SecItem function asks for.
struct ItemRequest {
    /// What the dictionary is for.
    enum Purpose {
        case addition
        case search
        /// To select items that are updated or deleted.
        case change
        /// The new values of an update.
        case newValues
    }

    /// What to do about a locked secret.
    enum Authentication {
        case allow
        case fail
        case skip
    }

    let purpose: Purpose
    /// The class that decides which attribute a key means: of an update's new values the query's.
    let attributeClass: ItemClass?
    var itemClass: ItemClass?
    var attributes = ItemAttributes()
    var synchronizable = SynchronizableMatch.notSynchronizable
    var match = MatchOptions()
    var returns: ReturnOptions = []
    var data: Data?
    /// The value of kSecValueRef.
    var object: ItemObject?
    var persistentReference: PersistentReference?
    /// The items among which to search, nil for all; or those to add.
    var items: [ItemObject]?
    /// What the certificate of an item must be good for, nil if that does not matter.
    var policy: SecPolicy?
    /// The names of the keychains to search, in order; nil for those of the user's search list.
    var searchList: [String?]?
    /// The name of the keychain to use, nil for those of the user's search list.
    var keychain: String?
    var authentication = Authentication.allow
    /// What the program supplies for items with an access control.
    var context: AuthenticationContext?
    /// The reason to show to a user who is asked, nil for none.
    var prompt: String?

    /// Reads a dictionary.
    ///
    /// - Parameter queryClass: The class of the items that an update changes.
    /// - Throws: ``Status/param`` for a key or a value that Keychain Services doesn't have;
    ///   ``Status/unimplemented`` for one that Lanyard can't do; ``Status/noSuchClass``;
    ///   ``Status/noSuchAttribute``.
    init(
        _ dictionary: NSDictionary, _ purpose: Purpose, queryClass: ItemClass? = nil
    ) throws(KeychainError) {
        self.purpose = purpose
        var pairs: [(key: String, value: Any)] = []
        for (key, value) in dictionary {
            guard let key = key as? String else {
                throw KeychainError(.param, "a key is not a text")
            }
            switch key {
            case "class": itemClass = try ItemClass(constant: value)
            case "v_Ref":
                guard !(value is Data) else {
                    throw KeychainError(.param, "kSecValueRef is not a reference")
                }
                object = try ItemObject(value, key)
            case "v_PersistentRef":
                persistentReference = try ItemRequest.persistentReference(value)
            default: pairs.append((key, value))
            }
        }
        attributeClass =
            itemClass ?? object?.itemClass ?? persistentReference?.reference.itemClass
            ?? queryClass
        pairs.sort { ItemRequest.rank($0.key) < ItemRequest.rank($1.key) }
        for (key, value) in pairs {
            try take(key, value)
        }
    }

    /// The order in which keys are taken that say the same: the last one counts.
    private static func rank(_ key: String) -> Int {
        switch key {
        case "u_NoAuthUI": 0
        case "u_AuthCtx": 2
        default: 1
        }
    }

    /// Whether the request is for stored items.
    private var selectsItems: Bool { purpose == .search || purpose == .change }

    /// Takes one pair of the dictionary.
    private mutating func take(_ key: String, _ value: Any) throws(KeychainError) {
        switch key {
        case "nleg": _ = try ItemRequest.flag(value, key)
        case "sync" where selectsItems:
            synchronizable = try ItemRequest.synchronizable(value, key)
        case _ where key.hasPrefix("r_"): try takeReturn(key, value)
        case _ where key.hasPrefix("m_"): try takeMatch(key, value)
        case "v_Data":
            guard let value = value as? Data else {
                throw KeychainError(.param, "kSecValueData is not data")
            }
            data = value
        case _ where key.hasPrefix("u_"): try takeUse(key, value)
        default: try takeAttribute(key, value)
        }
    }

    private mutating func takeReturn(_ key: String, _ value: Any) throws(KeychainError) {
        let part: ReturnOptions
        switch key {
        case "r_Data": part = .data
        case "r_Attributes": part = .attributes
        case "r_Ref": part = .reference
        case "r_PersistentRef": part = .persistentReference
        default: throw ItemRequest.unknown(key)
        }
        if try ItemRequest.flag(value, key) {
            returns.insert(part)
        }
    }

    private mutating func takeMatch(_ key: String, _ value: Any) throws(KeychainError) {
        switch key {
        case "m_Limit": match.limit = try MatchLimit(constant: value)
        case "m_CaseInsensitive":
            match.caseInsensitive = try ItemRequest.flag(value, key) ? true : nil
        case "m_DiacriticInsensitive":
            match.diacriticInsensitive = try ItemRequest.flag(value, key) ? true : nil
        case "m_WidthInsensitive":
            match.widthInsensitive = try ItemRequest.flag(value, key) ? true : nil
        case "m_SearchList" where selectsItems:
            searchList = try SecKeychain.names(value as AnyObject)
        case "m_ItemList" where selectsItems:
            items = try ItemObject.list(value, key)
        case "m_SearchList", "m_ItemList":
            throw KeychainError(.param, "'\(key)' selects stored items")
        case "m_Policy":
            guard let value = value as? SecPolicy else {
                throw KeychainError(.param, "kSecMatchPolicy is not a SecPolicy")
            }
            policy = value
        default:
            guard try match.takeCertificateOption(key, value) else {
                throw ItemRequest.unknown(key)
            }
        }
    }

    private mutating func takeUse(_ key: String, _ value: Any) throws(KeychainError) {
        switch key {
        case "u_AuthUI":
            switch value as? String {
            case "u_AuthUIA": authentication = .allow
            case "u_AuthUIF": authentication = .fail
            case "u_AuthUIS" where purpose == .search: authentication = .skip
            case "u_AuthUIS":
                throw KeychainError(.param, "only a search can skip what needs a question")
            default: throw KeychainError(.param, "kSecUseAuthenticationUI has no such value")
            }
        case "u_NoAuthUI":
            if try ItemRequest.flag(value, key) {
                authentication = .fail
            }
        case "u_OpPrompt":
            guard let text = value as? String else {
                throw KeychainError(.param, "kSecUseOperationPrompt is not a text")
            }
            prompt = text
        case "u_Keychain" where purpose != .newValues:
            guard let value = value as? SecKeychain else {
                throw KeychainError(.param, "kSecUseKeychain is not a keychain")
            }
            keychain = value.name
        case "u_Keychain":
            throw KeychainError(.param, "an item can't move to another keychain")
        case "u_AuthCtx": try take(value as? LAContext)
        case "u_ItemList" where purpose != .newValues:
            items = try ItemObject.list(value, key)
        default: throw ItemRequest.unknown(key)
        }
    }

    private mutating func take(_ context: LAContext?) throws(KeychainError) {
        guard let context else {
            throw KeychainError(.param, "kSecUseAuthenticationContext is not an LAContext")
        }
        self.context = context.authentication
        prompt = context.localizedReason.isEmpty ? prompt : context.localizedReason
        if context.interactionNotAllowed {
            authentication = .fail
        }
    }

    private mutating func takeAttribute(_ key: String, _ value: Any) throws(KeychainError) {
        guard let row = Attribute.Row(constant: key, attributeClass) else {
            return try UnstoredAttribute.check(key, value, attributeClass)
        }
        attributes[row.attribute] = try AttributeValue(value, row)
        if value is Data, purpose == .addition || purpose == .newValues {
            attributes.markAsData(row.attribute)
        }
    }

    /// The class of the items, as far as the dictionary says it.
    var selectedClass: ItemClass? { itemClass ?? attributeClass ?? items?.first?.itemClass }

    /// The names of the keychains to search, in order; nil for those of the user's search list.
    var keychains: [String?] {
        if let searchList {
            return searchList
        }
        var names: [String?] = []
        for name in items?.map({ $0.item?.keychain }) ?? [keychain ?? object?.item?.keychain]
        where !names.contains(name) {
            names.append(name)
        }
        return names
    }

    static func unknown(_ key: String) -> KeychainError {
        KeychainError(.param, "Keychain Services has no key '\(key)'")
    }
}
