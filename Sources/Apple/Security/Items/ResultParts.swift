internal import LanyardCertificates
internal import KeychainServices
internal import KeychainServicesFoundation
internal import SecurityFunctions

/// What a caller gets of an item.
struct ResultParts {
    var itemClass: ItemClass?
    var attributes: ItemAttributes?
    var data: Data?
    /// The object of kSecReturnRef: of certificates, keys and identities their own.
    var reference: AnyObject?
    var persistentReference: PersistentReference?

    init(data: Data? = nil) {
        self.data = data
    }

    /// - Parameters:
    ///   - data: The item's data if the item lacks it, nil otherwise.
    ///   - keychain: The name of the item's keychain, nil for one of the search list.
    ///   - access: What uses of a key have.
    /// - Throws: ``Status/decode`` for a damaged certificate.
    init(
        _ item: borrowing MatchedItem, data: Data? = nil, _ keychain: String?, _ access: KeyAccess
    ) throws(KeychainError) {
        itemClass = item.itemClass
        attributes = item.attributes
        switch item.secret {
        case .some(let secret): self.data = Data(secret)
        case .none: self.data = data
        }
        persistentReference = item.persistentReference
        if let reference = item.reference {
            let stored = SecKeychainItem(reference, keychain: keychain)
            self.reference = try reference.itemClass.object(
                stored, attributes ?? ItemAttributes(), self.data, access)
        }
    }

    /// Returns the requested parts: one alone as it is, several as a dictionary.
    func object(_ returns: ReturnOptions) throws(KeychainError) -> AnyObject {
        switch returns {
        case .data: return NSData(data: data ?? Data())
        case .reference: return reference ?? NSNull()
        case .persistentReference: return NSData(data: referenceBytes)
        default: break
        }
        var parts: [String: Any] =
            returns.contains(.attributes) ? (attributes ?? ItemAttributes()).objects : [:]
        if let itemClass {
            parts["class"] = itemClass.description
        }
        if returns.contains(.data) {
            parts["v_Data"] = data
        }
        if returns.contains(.reference) {
            parts["v_Ref"] = reference
        }
        if returns.contains(.persistentReference) {
            parts["v_PersistentRef"] = referenceBytes
        }
        return NSDictionary(dictionary: parts)
    }

    private var referenceBytes: Data { Data(persistentReference?.bytes ?? []) }
}

extension ItemAttributes {
    /// The attributes as a caller gets them, by the values of their constants.
    var objects: [String: Any] {
        var objects: [String: Any] = ["sync": NSNumber(value: false)]
        for entry in entries {
            let row = entry.attribute.row
            guard let code = row.code else {
                continue
            }
            // The type is text to Keychain Services, although it is a code.
            objects[code.description] =
                entry.attribute == .authenticationType
                ? entry.value.code?.description as Any
                : entry.value.object(row.form, isData: entry.isData)
        }
        return objects
    }
}

extension ItemClass {
    /// Returns the object that a program gets for an item.
    fileprivate func object(
        _ item: SecKeychainItem, _ attributes: ItemAttributes, _ data: Data?, _ access: KeyAccess
    ) throws(KeychainError) -> AnyObject {
        switch self {
        case .key:
            return SecKey(
                .stored(
                    SecKey.Stored(
                        item: item, attributes: attributes, access: access, publicKey: nil)))
        case .certificate: return SecCertificate(try Certificate.read(data), item: item)
        case .identity:
            let own = ItemReference(itemClass: .certificate, id: item.reference.id)
            let certificate = SecCertificate(
                try Certificate.read(data),
                item: SecKeychainItem(own, keychain: item.keychain))
            return SecIdentity(certificate, item: item, access)
        default: return item
        }
    }
}

extension Certificate {
    fileprivate static func read(_ data: Data?) throws(KeychainError) -> Certificate {
        let der = data ?? Data()
        return try Certificate(der: der.span)
    }
}

extension ReturnOptions {
    /// The options with what the objects of a class are made of.
    func forObjects(of itemClass: ItemClass?) -> ReturnOptions {
        guard contains(.reference) else {
            return self
        }
        return switch itemClass {
        case .certificate, .identity: union([.attributes, .data])
        case .key: union(.attributes)
        default: self
        }
    }
}
