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
    /// The names of the keychains to use; nil for those of the search list.
    var keychains: [String?] = [nil]
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
        case "m_SearchList": keychains = try SecKeychain.names(value as AnyObject)
        case "m_TrustedOnly" where (value as? NSNumber)?.boolValue == false: break
        case "m_Policy", "m_ItemList", "m_Issuers", "m_EmailAddressIfPresent",
            "m_SubjectContains", "m_SubjectStartsWith", "m_SubjectEndsWith",
            "m_SubjectWholeString", "m_DiacriticInsensitive", "m_WidthInsensitive",
            "m_TrustedOnly", "m_ValidOnDate":
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
        // The prompt names the keychain, and no program can write it.
        case "u_OpPrompt": break
        case "u_Keychain": keychains = try SecKeychain.names(value as AnyObject)
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
