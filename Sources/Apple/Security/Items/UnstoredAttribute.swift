internal import KeychainServices

/// The attributes of Keychain Services that Lanyard doesn't store.
enum UnstoredAttribute {
    /// Throws unless an item has no use for the attribute, because every item here has this value.
    ///
    /// - Throws: ``Status/param`` for a key that Keychain Services doesn't have; ``Status/noSuchAttribute`` for a
    ///   class without the attribute; ``Status/unimplemented`` for a value that Lanyard can't have.
    static func check(
        _ key: String, _ value: Any, _ itemClass: ItemClass?
    ) throws(KeychainError) {
        guard flags[key] != nil || others.contains(key) else {
            throw ItemRequest.unknown(key)
        }
        guard let itemClass,
            ofEveryClass.contains(key) || [.certificate, .key, .identity].contains(itemClass)
        else {
            throw KeychainError(.noSuchAttribute, "passwords have no attribute '\(key)'")
        }
        guard let always = flags[key], try ItemRequest.flag(value, key) == always else {
            throw KeychainError(.unimplemented, "Lanyard can't store the attribute '\(key)'")
        }
    }

    /// Flags of keys, with the value that every key has.
    private static let flags = [
        "asen": false, "extr": true, "modi": true, "next": false, "sens": false, "snrc": false,
        "vyrc": false,
    ]

    private static let ofEveryClass: Set<String> = ["acls", "vwht"]

    private static let others: Set<String> = [
        "acls", "alis", "edat", "priv", "private", "public", "sdat", "tkid", "vwht",
    ]
}
