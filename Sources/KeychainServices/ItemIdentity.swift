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
        var room = 0
        attributes.withValues { room = $0.identityRoom(itemClass) }
        // Lent twice, as a closure that has them would have a copy.
        bytes = [UInt8](room: room) { bytes in
            attributes.withValues { $0.appendIdentity(itemClass, to: &bytes) }
        }
    }

    /// Feeds the identity to a hasher.
    public func hash(into hasher: inout Hasher) {
        // All at once: an array feeds its bytes one by one.
        // Safe: the array's own bytes, for the call.
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}

extension ItemAttributes.Values {
    /// How many bytes the identity of an item of a class has at most.
    borrowing func identityRoom(_ itemClass: ItemClass) -> Int {
        // What is always there: the class, a flag and two texts, and of an internet password a type and a
        // port.
        let room = 8 + 5 + count(accessGroup) + count(account)
        guard itemClass == .internetPassword else {
            return room + count(service)
        }
        return room + 8 + 6 + count(securityDomain) + count(server)
            + count(`protocol`?.rawValue) + count(path)
    }

    private borrowing func count(_ text: ByteString?) -> Int { 4 + (text?.bytes.count ?? 0) }

    /// Appends the bytes of the identity that the values make.
    borrowing func appendIdentity(_ itemClass: ItemClass, to bytes: inout OutputSpan<UInt8>) {
        bytes.append(counted: itemClass.rawValue.rawValue)
        bytes.append(counted: accessGroup)
        bytes.append(counted: synchronizable == true ? 1 : 0 as UInt8)
        bytes.append(counted: account)
        guard itemClass == .internetPassword else {
            return bytes.append(counted: service)
        }
        bytes.append(counted: securityDomain)
        bytes.append(counted: server)
        bytes.append(counted: `protocol`?.rawValue)
        let type = authenticationType?.rawValue.rawValue ?? 0
        if type == 0 {
            bytes.append(counted: nil)
        } else {
            bytes.append(counted: type)
        }
        bytes.append(counted: port ?? 0)
        bytes.append(counted: path)
    }
}

extension OutputSpan<UInt8> {
    /// Appends a text with its length before it; an absent one is empty.
    fileprivate mutating func append(counted text: ByteString?) {
        append(bigEndian: UInt32(text?.bytes.count ?? 0))
        if let text {
            append(copying: text.bytes)
        }
    }

    /// Appends a number with its length before it.
    fileprivate mutating func append(counted number: some FixedWidthInteger) {
        append(bigEndian: UInt32(number.bitWidth / 8))
        append(bigEndian: number)
    }
}
