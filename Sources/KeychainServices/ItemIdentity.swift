/// What makes an item unique in its keychain: the parts of its primary key.
///
/// An absent part is the same as an empty one or 0, so an item without a port differs from one
/// with a port, but not from one with port 0; the same goes for the authentication type.
public struct ItemIdentity: Hashable, Sendable {
    /// The parts in one byte string, each with its length before it.
    ///
    /// The order is class, access group, synchronizable (one byte), account, and then for a generic
    /// password service, for an internet password security domain, server, protocol, authentication
    /// type (empty or 4 bytes), port (2 bytes) and path. Lengths are 4 bytes, all numbers have
    /// their most significant byte first. Part of the file format.
    public let bytes: [UInt8]

    /// The identity of an item of a class with these attributes.
    public init(_ itemClass: ItemClass, _ attributes: ItemAttributes) {
        let parts = itemClass.primaryKey
        let room = parts.reduce(8) { $0 + 4 + (attributes[$1]?.byteCount ?? 4) }
        bytes = [UInt8](room: room) { bytes in
            bytes.append(counted: .code(itemClass.rawValue))
            for part in parts {
                // A code of 0 is none.
                let value = attributes[part] ?? part.row.absent
                bytes.append(counted: value?.code?.rawValue == 0 ? nil : value)
            }
        }
    }

    /// Feeds the identity to a hasher.
    public func hash(into hasher: inout Hasher) {
        // All at once: an array feeds its bytes one by one.
        // Safe: the array's own bytes, for the call.
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}

extension OutputSpan<UInt8> {
    /// Appends a value with its length before it; an absent one is empty.
    fileprivate mutating func append(counted value: AttributeValue?) {
        append(bigEndian: UInt32(value?.byteCount ?? 0))
        value?.append(to: &self)
    }
}
