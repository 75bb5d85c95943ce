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
        var bytes: [UInt8] = []
        bytes.reserveCapacity(128)
        func part(_ part: [UInt8]?) {
            UInt32(part?.count ?? 0).appendBigEndianBytes(to: &bytes)
            if let part {
                bytes += part
            }
        }
        part(itemClass.rawValue.text.bytes)
        part(attributes.accessGroup?.bytes)
        part([attributes.synchronizable == true ? 1 : 0])
        part(attributes.account?.bytes)
        if itemClass == .internetPassword {
            let authenticationType = attributes.authenticationType?.rawValue
            part(attributes.securityDomain?.bytes)
            part(attributes.server?.bytes)
            part(attributes.protocol?.rawValue.bytes)
            part(authenticationType?.rawValue == 0 ? nil : authenticationType?.text.bytes)
            part((attributes.port ?? 0).bigEndianBytes)
            part(attributes.path?.bytes)
        } else {
            part(attributes.service?.bytes)
        }
        self.bytes = bytes
    }

    /// Feeds the identity to a hasher.
    public func hash(into hasher: inout Hasher) {
        // All at once: an array feeds its bytes one by one.
        // Safe: the array's own bytes, for the call.
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}
