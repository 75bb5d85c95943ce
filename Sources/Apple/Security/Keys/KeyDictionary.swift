internal import KeychainServices

/// A caller's dictionary about a key, by the values of its constants.
struct KeyDictionary {
    private var pairs: [String: Any] = [:]

    /// - Throws: ``Status/param`` for a key that is not a text.
    init(_ dictionary: NSDictionary) throws(KeychainError) {
        for (key, value) in dictionary {
            guard let key = key as? String else {
                throw KeychainError(.param, "a key is not a text")
            }
            pairs[key] = value
        }
    }

    mutating func remove(_ key: String) -> Any? { pairs.removeValue(forKey: key) }

    mutating func removeFlag(_ key: String) throws(KeychainError) -> Bool? {
        guard let value = remove(key) else {
            return nil
        }
        return try ItemRequest.flag(value, key)
    }

    /// Returns both dictionaries as that of an item, where the other one's values win.
    func merging(_ other: KeyDictionary) -> NSDictionary {
        var merged = pairs.merging(other.pairs) { _, own in own }
        merged["class"] = "keys"
        return NSDictionary(dictionary: merged)
    }

    /// Returns a number of the dictionary, nil without it.
    ///
    /// - Throws: ``Status/param`` for anything but a number or the text of one.
    func number(_ attribute: Attribute) throws(KeychainError) -> UInt32? {
        guard let key = attribute.row.code?.description, let value = pairs[key] else {
            return nil
        }
        return try AttributeValue(value, attribute.row).number
    }
}
