internal import Cryptography
internal import KeychainServices

/// Tags by which items are found without anything readable in the file.
///
/// A tag is the first 16 bytes of a keyed digest over the class (4 bytes), the field's number (1),
/// the value's length (4) and the value.
struct BlindIndex {
    private let keys: UnlockedKeys
    private let lastTags: TagCache

    init(_ keys: UnlockedKeys) {
        self.keys = keys
        lastTags = keys.lastTags
    }

    func identity(_ itemClass: ItemClass, _ attributes: ItemAttributes) -> [UInt8] {
        BlindIndex.tag(repeated(itemClass, 0, ItemIdentity(itemClass, attributes).bytes))
    }

    /// The server's letter case is set aside, so that a query can do so too.
    func server(_ server: ByteString) -> [UInt8] {
        BlindIndex.tag(
            repeated(
                .internetPassword, Attribute.server.rawValue,
                server.lowercasedASCII.bytes))
    }

    func service(_ service: ByteString) -> [UInt8] {
        BlindIndex.tag(
            repeated(.genericPassword, Attribute.service.rawValue, service.bytes))
    }

    func account(_ itemClass: ItemClass, _ account: ByteString) -> [UInt8] {
        BlindIndex.tag(repeated(itemClass, Attribute.account.rawValue, account.bytes))
    }

    func accessGroup(_ itemClass: ItemClass, _ accessGroup: ByteString) -> [UInt8] {
        BlindIndex.tag(
            repeated(itemClass, Attribute.accessGroup.rawValue, accessGroup.bytes))
    }

    /// All tags of an item. An absent value counts as an empty one.
    func tags(_ itemClass: ItemClass, _ attributes: ItemAttributes) -> IndexTags {
        IndexTags(
            identity: identity(itemClass, attributes),
            server: itemClass == .internetPassword ? server(attributes.server ?? "") : nil,
            service: itemClass == .genericPassword ? service(attributes.service ?? "") : nil,
            account: account(itemClass, attributes.account ?? ""),
            accessGroup: accessGroup(itemClass, attributes.accessGroup ?? ""))
    }

    private func digest(
        _ itemClass: ItemClass, _ field: UInt8, _ value: [UInt8]
    ) -> InlineArray<32, UInt8> {
        let code = itemClass.rawValue.rawValue
        let count = UInt32(value.count)
        let prefix: InlineArray<9, UInt8> = [
            UInt8(truncatingIfNeeded: code >> 24), UInt8(truncatingIfNeeded: code >> 16),
            UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code), field,
            UInt8(truncatingIfNeeded: count >> 24), UInt8(truncatingIfNeeded: count >> 16),
            UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count),
        ]
        return KeyedDigest.make(under: keys.indexKey, prefix.span, value.span)
    }

    /// The digest of a value that several items in a row may have.
    private func repeated(
        _ itemClass: ItemClass, _ field: UInt8, _ value: [UInt8]
    ) -> InlineArray<32, UInt8> {
        if let last = lastTags.digest(itemClass, field, value) {
            return last
        }
        let digest = digest(itemClass, field, value)
        lastTags.note(digest, itemClass, field, value)
        return digest
    }

    private static func tag(_ digest: InlineArray<32, UInt8>) -> [UInt8] {
        ByteString(copying: digest.span.extracting(first: IndexTags.tagSize)).bytes
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

    /// How many bytes a tag has.
    static let tagSize = 16

    static func == (left: IndexTags, right: IndexTags) -> Bool {
        left.identity.hasSameBytes(as: right.identity)
            && left.account.hasSameBytes(as: right.account)
            && left.accessGroup.hasSameBytes(as: right.accessGroup)
            && same(left.server, right.server) && same(left.service, right.service)
    }

    private static func same(_ left: [UInt8]?, _ right: [UInt8]?) -> Bool {
        guard let left, let right else {
            return left == nil && right == nil
        }
        return left.hasSameBytes(as: right)
    }
}
