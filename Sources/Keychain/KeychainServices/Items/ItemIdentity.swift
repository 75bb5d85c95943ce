/// The parts of an item's primary key, which make it unique in its keychain.
///
/// An absent part equals an empty one or 0. An item without a port therefore equals one with port
/// 0, but differs from one with another port; the same goes for the authentication type.
public struct ItemIdentity: Hashable, Sendable {
    /// The parts in one byte string, each preceded by its length.
    ///
    /// The order is class, access group, synchronizable (one byte) and, for passwords, account. A generic
    /// password then has its service. An internet password has security domain, server, protocol,
    /// authentication type (empty or 4 bytes), port (2 bytes) and path. A certificate has type, issuer
    /// and serial number; a key has application label, application tag, class, type, size and effective
    /// size. Lengths have 4 bytes, and all numbers are big-endian. Part of the file format.
    public let bytes: [UInt8]

    /// Creates the identity of an item of a class with these attributes.
    public init(_ itemClass: ItemClass, _ attributes: ItemAttributes) {
        let parts = itemClass.primaryKey
        let room = parts.reduce(8) { $0 + 4 + (attributes[$1]?.byteCount ?? 4) }
        bytes = [UInt8](room: room) { bytes in
            bytes.append(counted: .code(itemClass.rawValue))
            for part in parts {
                // A code of 0 means none.
                let value = attributes[part] ?? part.row.absent
                bytes.append(counted: value?.code?.rawValue == 0 ? nil : value)
            }
        }
    }

    /// Feeds the identity to a hasher.
    public func hash(into hasher: inout Hasher) {
        // All at once, because an array feeds its bytes one by one.
        // Safe: the pointer to the array's bytes is used during the call only.
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}

extension OutputSpan<UInt8> {
    /// Appends a value, preceded by its length; an absent value is empty.
    fileprivate mutating func append(counted value: AttributeValue?) {
        append(bigEndian: UInt32(value?.byteCount ?? 0))
        value?.append(to: &self)
    }
}
