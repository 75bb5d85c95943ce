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
        var parts: [[UInt8]] = [
            itemClass.rawValue.text.bytes,
            attributes.accessGroup?.bytes ?? [],
            [attributes.synchronizable == true ? 1 : 0],
            attributes.account?.bytes ?? [],
        ]
        if itemClass == .internetPassword {
            let port = attributes.port ?? 0
            let authenticationType = attributes.authenticationType?.rawValue
            parts += [
                attributes.securityDomain?.bytes ?? [],
                attributes.server?.bytes ?? [],
                attributes.protocol?.rawValue.bytes ?? [],
                authenticationType?.rawValue == 0 ? [] : authenticationType?.text.bytes ?? [],
                [UInt8(port >> 8), UInt8(port & 0xFF)],
                attributes.path?.bytes ?? [],
            ]
        } else {
            parts.append(attributes.service?.bytes ?? [])
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parts.reduce(0) { $0 + 4 + $1.count })
        for part in parts {
            let length = UInt32(part.count)
            for shift in [24, 16, 8, 0] as [UInt32] {
                bytes.append(UInt8(truncatingIfNeeded: length >> shift))
            }
            bytes += part
        }
        self.bytes = bytes
    }
}
