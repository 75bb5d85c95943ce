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
        bytes = attributes.identity(of: itemClass)
    }

    /// Feeds the identity to a hasher.
    public func hash(into hasher: inout Hasher) {
        // All at once: an array feeds its bytes one by one.
        // Safe: the array's own bytes, for the call.
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}

extension ItemAttributes.Storage {
    /// The bytes of the identity that the values make.
    func identity(of itemClass: ItemClass) -> [UInt8] {
        let isInternet = itemClass == .internetPassword
        // What is always there: the class, a flag, three or six texts, a type and a port.
        var capacity = 8 + 5 + 3 * 4
        capacity += count(values.accessGroup) + count(values.account)
        if isInternet {
            capacity += 3 * 4 + 8 + 6
            capacity +=
                count(values.securityDomain) + count(values.server)
                + count(values.`protocol`?.rawValue) + count(values.path)
        } else {
            capacity += count(values.service)
        }
        return [UInt8](room: capacity) { bytes in
            bytes.append(counted: itemClass.rawValue.rawValue)
            bytes.append(counted: values.accessGroup)
            bytes.append(counted: values.synchronizable == true ? 1 : 0 as UInt8)
            bytes.append(counted: values.account)
            guard isInternet else {
                return bytes.append(counted: values.service)
            }
            bytes.append(counted: values.securityDomain)
            bytes.append(counted: values.server)
            bytes.append(counted: values.`protocol`?.rawValue)
            let type = values.authenticationType?.rawValue.rawValue ?? 0
            if type == 0 {
                bytes.append(counted: nil)
            } else {
                bytes.append(counted: type)
            }
            bytes.append(counted: values.port ?? 0)
            bytes.append(counted: values.path)
        }
    }

    private func count(_ text: ByteString?) -> Int { text?.bytes.count ?? 0 }
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
