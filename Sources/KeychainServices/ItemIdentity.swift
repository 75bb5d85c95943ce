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
        let parts = itemClass.primaryKey.map { part in
            // A code of 0 is none.
            let value = (attributes[part] ?? part.row.absent).flatMap {
                $0.code?.rawValue == 0 ? nil : $0
            }
            return value ?? .text("")
        }
        let all = [.code(itemClass.rawValue)] + parts
        bytes = [UInt8](room: all.reduce(0) { $0 + 4 + $1.byteCount }) { bytes in
            for value in all {
                bytes.append(bigEndian: UInt32(value.byteCount))
                value.append(to: &bytes)
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
