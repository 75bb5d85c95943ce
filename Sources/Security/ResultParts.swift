internal import KeychainServices
internal import KeychainServicesFoundation
internal import SecurityFunctions

/// What a caller gets of an item.
struct ResultParts {
    var itemClass: ItemClass?
    var attributes: ItemAttributes?
    var data: Data?
    var item: SecKeychainItem?
    var persistentReference: PersistentReference?

    init(data: Data? = nil) {
        self.data = data
    }

    /// - Parameter keychain: The name of the item's keychain, nil for one of the search list.
    init(_ item: borrowing MatchedItem, keychain: String?) {
        itemClass = item.itemClass
        attributes = item.attributes
        switch item.secret {
        case .some(let secret): data = Data(secret)
        case .none: data = nil
        }
        self.item = item.reference.map { SecKeychainItem($0, keychain: keychain) }
        persistentReference = item.persistentReference
    }

    /// Returns the requested parts: one alone as it is, several as a dictionary.
    func object(_ returns: ReturnOptions) -> AnyObject {
        switch returns {
        case .data: return NSData(data: data ?? Data())
        case .reference: return item ?? NSNull()
        case .persistentReference: return NSData(data: referenceBytes)
        default: break
        }
        var parts: [String: Any] = returns.contains(.attributes) ? attributeObjects : [:]
        if let itemClass {
            parts["class"] = itemClass.description
        }
        if returns.contains(.data) {
            parts["v_Data"] = data
        }
        if returns.contains(.reference) {
            parts["v_Ref"] = item
        }
        if returns.contains(.persistentReference) {
            parts["v_PersistentRef"] = referenceBytes
        }
        return NSDictionary(dictionary: parts)
    }

    private var referenceBytes: Data { Data(persistentReference?.bytes ?? []) }

    private var attributeObjects: [String: Any] {
        var objects: [String: Any] = ["sync": NSNumber(value: false)]
        for entry in attributes?.entries ?? [] {
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
