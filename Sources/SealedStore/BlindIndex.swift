internal import Cryptography
internal import Keychain

/// Tags by which items are found without anything readable in the file.
///
/// A tag is the first 16 bytes of a keyed digest over the class (4 bytes), the field's number (1),
/// the value's length (4) and the value.
struct BlindIndex {
    private let keys: UnlockedKeys

    init(_ keys: UnlockedKeys) {
        self.keys = keys
    }

    func identity(_ itemClass: ItemClass, _ attributes: ItemAttributes) -> [UInt8] {
        identity(itemClass, ItemIdentity(itemClass, attributes))
    }

    private func identity(_ itemClass: ItemClass, _ identity: ItemIdentity) -> [UInt8] {
        tag(itemClass, 0, identity.bytes)
    }

    /// The server's letter case is set aside, so that a query can do so too.
    func server(_ server: ByteString) -> [UInt8] {
        tag(
            .internetPassword, AttributesCoding.Field.server.rawValue,
            server.lowercasedASCII.bytes)
    }

    func service(_ service: ByteString) -> [UInt8] {
        tag(.genericPassword, AttributesCoding.Field.service.rawValue, service.bytes)
    }

    func account(_ itemClass: ItemClass, _ account: ByteString) -> [UInt8] {
        tag(itemClass, AttributesCoding.Field.account.rawValue, account.bytes)
    }

    func accessGroup(_ itemClass: ItemClass, _ accessGroup: ByteString) -> [UInt8] {
        tag(itemClass, AttributesCoding.Field.accessGroup.rawValue, accessGroup.bytes)
    }

    /// All tags of an item. An absent value counts as an empty one.
    func tags(_ itemClass: ItemClass, _ attributes: ItemAttributes) -> IndexTags {
        tags(itemClass, attributes, ItemIdentity(itemClass, attributes))
    }

    /// All tags of an item whose identity is known.
    func tags(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, _ identity: ItemIdentity
    ) -> IndexTags {
        IndexTags(
            identity: self.identity(itemClass, identity),
            server: itemClass == .internetPassword ? server(attributes.server ?? "") : nil,
            service: itemClass == .genericPassword ? service(attributes.service ?? "") : nil,
            account: account(itemClass, attributes.account ?? ""),
            accessGroup: accessGroup(itemClass, attributes.accessGroup ?? ""))
    }

    private func tag(_ itemClass: ItemClass, _ field: UInt8, _ value: [UInt8]) -> [UInt8] {
        let digest = HMACSHA256(keys.indexKey)
        var prefix = ByteWriter(capacity: 9)
        prefix.number(itemClass.rawValue.rawValue)
        prefix.number(field)
        prefix.number(UInt32(value.count))
        digest.update(prefix.bytes)
        digest.update(value)
        return digest.finish(first: 16)
    }
}

/// An item's tags, 16 bytes each.
struct IndexTags: Equatable {
    var identity: [UInt8]
    /// Internet passwords only.
    var server: [UInt8]?
    /// Generic passwords only.
    var service: [UInt8]?
    var account: [UInt8]
    var accessGroup: [UInt8]
}
