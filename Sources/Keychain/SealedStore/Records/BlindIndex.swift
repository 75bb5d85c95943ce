internal import LanyardCryptography
internal import KeychainServices

/// The tags that find items without storing anything readable in the file.
///
/// A tag is the first 16 bytes of a keyed digest over the class (4 bytes), the field's number (1),
/// the value's length (4) and the value.
struct BlindIndex {
    private let keys: UnlockedKeys

    init(_ keys: UnlockedKeys) {
        self.keys = keys
    }

    func identity(_ itemClass: ItemClass, _ identity: ItemIdentity) -> [UInt8] {
        tag(itemClass, nil, identity.bytes)
    }

    /// Returns a server's tag without its letter case: queries can then ignore case, too.
    func server(_ server: ByteString) -> [UInt8] {
        tag(.internetPassword, .server, server.lowercasedASCII.bytes)
    }

    /// Returns the tag of an attribute that is looked up as it is.
    func value(_ itemClass: ItemClass, _ attribute: Attribute, _ value: ByteString) -> [UInt8] {
        tag(itemClass, attribute, value.bytes)
    }

    /// Returns all tags of an item with this identity. An absent value counts as an empty one.
    func tags(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, _ identity: ItemIdentity
    ) -> IndexTags {
        IndexTags(
            identity: self.identity(itemClass, identity),
            server: itemClass == .internetPassword ? server(attributes.server ?? "") : nil,
            service: itemClass.serviceColumn.map {
                value(itemClass, $0, attributes[$0]?.text ?? "")
            },
            account: value(
                itemClass, itemClass.accountColumn, attributes[itemClass.accountColumn]?.text ?? ""),
            accessGroup: value(itemClass, .accessGroup, attributes.accessGroup ?? ""))
    }

    /// Returns the tag of a value; consecutive items often share it.
    ///
    /// - Parameter field: nil for the identity, which is not a single field.
    private func tag(
        _ itemClass: ItemClass, _ field: Attribute?, _ value: [UInt8]
    ) -> [UInt8] {
        let field = field?.rawValue ?? 0
        if let last = keys.lastTags.tag(itemClass, field, value) {
            return last
        }
        let code = itemClass.rawValue.rawValue
        let count = UInt32(value.count)
        let prefix: InlineArray<9, UInt8> = [
            UInt8(truncatingIfNeeded: code >> 24), UInt8(truncatingIfNeeded: code >> 16),
            UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code), field,
            UInt8(truncatingIfNeeded: count >> 24), UInt8(truncatingIfNeeded: count >> 16),
            UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count),
        ]
        let digest = KeyedDigest.make(under: keys.indexKey, prefix.span, value.span)
        let tag = ByteString(copying: digest.span.extracting(first: IndexTags.tagSize)).bytes
        keys.lastTags.note(tag, itemClass, field, value)
        return tag
    }
}

extension ItemClass {
    /// The attribute whose tag is in the column `service`, nil if there is none.
    var serviceColumn: Attribute? {
        switch self {
        case .genericPassword: .service
        case .certificate: .publicKeyHash
        case .key: .applicationLabel
        default: nil
        }
    }

    /// The attribute whose tag is in the column `account`.
    var accountColumn: Attribute {
        switch self {
        case .certificate: .issuer
        case .key: .applicationTag
        default: .account
        }
    }
}

/// An item's tags, 16 bytes each.
struct IndexTags: Equatable {
    var identity: [UInt8]
    /// Internet passwords only.
    var server: [UInt8]?
    /// Of the ``ItemClass/serviceColumn``.
    var service: [UInt8]?
    /// Of the ``ItemClass/accountColumn``.
    var account: [UInt8]
    var accessGroup: [UInt8]

    /// The size of a tag in bytes.
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
