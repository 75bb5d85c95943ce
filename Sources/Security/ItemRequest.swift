internal import KeychainServices
internal import KeychainServicesFoundation
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
    var itemClass: ItemClass?
    var attributes = ItemAttributes()
    var synchronizable = SynchronizableMatch.notSynchronizable
    var match = MatchOptions()
    var returns: ReturnOptions = []
    var data: Data?
    var item: SecKeychainItem?
    var persistentReference: PersistentReference?
    /// The items among which to search, nil for all.
    var items: [SecKeychainItem]?
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
    /// - Throws: ``Status/param`` for a key or a value that Keychain Services doesn't have;
    ///   ``Status/unimplemented`` for one that Lanyard can't do; ``Status/noSuchClass``.
    init(_ dictionary: NSDictionary, _ purpose: Purpose) throws(KeychainError) {
        self.purpose = purpose
        for (key, value) in dictionary {
            guard let key = key as? String else {
                throw KeychainError(.param, "a key is not a text")
            }
            try take(key, value)
        }
    }

    /// Whether the request is for stored items.
    private var selectsItems: Bool { purpose == .search || purpose == .change }

    /// Takes one pair of the dictionary.
    private mutating func take(_ key: String, _ value: Any) throws(KeychainError) {
        switch key {
        case "class": itemClass = try ItemClass(constant: value)
        case "nleg": _ = try ItemRequest.flag(value, key)
        case "sync" where purpose != .addition && purpose != .newValues:
            synchronizable = try ItemRequest.synchronizable(value, key)
        case _ where key.hasPrefix("r_"): try takeReturn(key, value)
        case _ where key.hasPrefix("m_"): try takeMatch(key, value)
        case _ where key.hasPrefix("v_"): try takeValue(key, value)
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
        default: throw unknown(key)
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
            items = try ItemRequest.items(value, key)
        case "m_SearchList", "m_ItemList":
            throw KeychainError(.param, "'\(key)' selects stored items")
        case "m_TrustedOnly" where (value as? NSNumber)?.boolValue == false: break
        case "m_Policy", "m_Issuers", "m_EmailAddressIfPresent", "m_SubjectContains",
            "m_SubjectStartsWith", "m_SubjectEndsWith", "m_SubjectWholeString", "m_TrustedOnly",
            "m_ValidOnDate":
            throw unimplemented(key)
        default: throw unknown(key)
        }
    }

    private mutating func takeValue(_ key: String, _ value: Any) throws(KeychainError) {
        switch key {
        case "v_Data":
            guard let value = value as? Data else {
                throw KeychainError(.param, "kSecValueData is not data")
            }
            data = value
        case "v_PersistentRef":
            guard let bytes = value as? Data, let reference = PersistentReference(Array(bytes))
            else {
                throw KeychainError(.param, "kSecValuePersistentRef is not a reference")
            }
            persistentReference = reference
        case "v_Ref":
            guard let value = value as? SecKeychainItem, purpose != .addition else {
                throw unimplemented(key)
            }
            item = value
        default: throw unknown(key)
        }
    }

    private mutating func takeUse(_ key: String, _ value: Any) throws(KeychainError) {
        switch key {
        case "u_AuthUI":
            switch value as? String {
            case "u_AuthUIA": authentication = .allow
            case "u_AuthUIF": authentication = .fail
            case "u_AuthUIS": authentication = .skip
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
        case "u_ItemList": throw unimplemented(key)
        default: throw unknown(key)
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
        let code = FourCharacterCode(ByteString(key))
        guard let code, let row = Attribute.table.first(where: { $0.code == code }) else {
            guard ItemRequest.foreignAttributes.contains(key) else {
                throw unknown(key)
            }
            foreignAttribute = key
            return
        }
        attributes[row.attribute] = try AttributeValue(value, row)
        if value is Data, purpose == .addition || purpose == .newValues {
            attributes.markAsData(row.attribute)
        }
    }

    /// The names of the keychains to search, in order; nil for those of the user's search list.
    var keychains: [String?] {
        if let searchList {
            return searchList
        }
        var names: [String?] = []
        for name in items?.map(\.keychain) ?? [keychain ?? item?.keychain]
        where !names.contains(name) {
            names.append(name)
        }
        return names
    }

    /// An attribute of certificates or keys, which passwords lack.
    var foreignAttribute: String?

    private func unknown(_ key: String) -> KeychainError {
        KeychainError(.param, "Keychain Services has no key '\(key)'")
    }

    private func unimplemented(_ key: String) -> KeychainError {
        KeychainError(.unimplemented, "Lanyard can't do what '\(key)' asks for")
    }

    /// The keys of attributes that only certificates and keys have.
    private static let foreignAttributes: Set<String> = [
        "acls", "alis", "asen", "atag", "bsiz", "cenc", "ctyp", "decr", "drve", "edat", "encr",
        "esiz", "extr", "issr", "kcls", "klbl", "modi", "next", "perm", "pkhh", "priv", "private",
        "public", "sdat", "sens", "sign", "skid", "slnr", "snrc", "subj", "tkid", "unwp", "vrfy",
        "vwht", "vyrc", "wrap",
    ]
}
