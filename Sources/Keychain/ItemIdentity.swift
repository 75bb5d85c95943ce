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
        // Most have room in it, and so are written without growing.
        bytes.reserveCapacity(160)
        func part(_ text: ByteString?) {
            UInt32(text?.bytes.count ?? 0).appendBigEndianBytes(to: &bytes)
            if let text {
                bytes.append(contentsOf: text.bytes)
            }
        }
        func part<Number: FixedWidthInteger>(_ number: Number) {
            UInt32(MemoryLayout<Number>.size).appendBigEndianBytes(to: &bytes)
            number.appendBigEndianBytes(to: &bytes)
        }
        part(itemClass.rawValue.rawValue)
        part(attributes.accessGroup)
        part(attributes.synchronizable == true ? 1 : 0 as UInt8)
        part(attributes.account)
        if itemClass == .internetPassword {
            part(attributes.securityDomain)
            part(attributes.server)
            part(attributes.protocol?.rawValue)
            let authenticationType = attributes.authenticationType?.rawValue.rawValue ?? 0
            if authenticationType == 0 {
                part(nil)
            } else {
                part(authenticationType)
            }
            part(attributes.port ?? 0)
            part(attributes.path)
        } else {
            part(attributes.service)
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
