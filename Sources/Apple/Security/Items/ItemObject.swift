internal import LanyardCertificates
internal import KeychainServices
internal import SecurityFunctions

/// What a program has of an item: the value of kSecValueRef, or an element of a list of items.
enum ItemObject {
    /// An item of any class in a keychain: a SecKeychainItem or a persistent reference.
    case stored(SecKeychainItem)
    case certificate(SecCertificate)
    case key(SecKey)
    case identity(SecIdentity)

    /// - Throws: ``Status/param`` for any other object.
    init(_ value: Any, _ key: String) throws(KeychainError) {
        switch value {
        case let item as SecKeychainItem: self = .stored(item)
        case let certificate as SecCertificate: self = .certificate(certificate)
        case let securityKey as SecKey: self = .key(securityKey)
        case let identity as SecIdentity: self = .identity(identity)
        default:
            guard let bytes = value as? Data, let persistent = PersistentReference(Array(bytes))
            else {
                throw KeychainError(.param, "the value of '\(key)' is not a reference")
            }
            self = .stored(SecKeychainItem(persistent.reference, keychain: nil))
        }
    }

    /// Returns the objects of a list, or of a single object.
    ///
    /// - Throws: ``Status/param`` for any other object.
    static func list(_ value: Any, _ key: String) throws(KeychainError) -> [ItemObject] {
        var objects: [ItemObject] = []
        for element in value as? [Any] ?? [value] {
            objects.append(try ItemObject(element, key))
        }
        return objects
    }

    /// The item in its keychain, nil for an object that is of none.
    var item: SecKeychainItem? {
        switch self {
        case .stored(let item): item
        case .certificate(let certificate): certificate.item
        case .key(let key): key.stored?.item
        case .identity(let identity): identity.item
        }
    }

    /// The class of the item.
    var itemClass: ItemClass {
        switch self {
        case .stored(let item): item.reference.itemClass
        case .certificate: .certificate
        case .key: .key
        case .identity: .identity
        }
    }

    /// The attributes by which an item with this content is found.
    var contentAttributes: ItemAttributes {
        var attributes = ItemAttributes()
        switch self {
        case .stored: break
        case .certificate(let certificate):
            attributes = certificate.certificate.contentAttributes
        case .identity(let identity):
            attributes = identity.certificate.certificate.contentAttributes
        case .key(let key):
            let all = key.attributes
            attributes.keyClass = all.keyClass
            attributes.keyType = all.keyType
            attributes.applicationLabel = all.applicationLabel
        }
        return attributes
    }
}

extension Certificate {
    /// The attributes that only this certificate has.
    fileprivate var contentAttributes: ItemAttributes {
        var content = ItemAttributes()
        let attributes = attributes
        content.certificateType = attributes.certificateType
        content.issuer = attributes.issuer
        content.serialNumber = attributes.serialNumber
        content.publicKeyHash = attributes.publicKeyHash
        return content
    }
}
