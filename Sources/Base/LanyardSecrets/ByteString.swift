/// The value of a text attribute: bytes, by convention UTF-8.
///
/// Two byte strings are equal if their bytes are. `String` treats different spellings of a
/// character as equal; this type never lets a look-alike of a server or an account match. It also
/// preserves names that are not UTF-8. The corresponding type is CFString.
public struct ByteString: Hashable, Sendable {
    /// The bytes: any values, any number.
    public let bytes: [UInt8]

    /// Creates a byte string from bytes.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Creates a byte string from a span's bytes.
    public init(copying span: Span<UInt8>) {
        // Safe: the span's own bytes, which are copied.
        bytes = unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// Creates the UTF-8 encoding of a string.
    public init(_ string: String) {
        bytes = Array(string.utf8)
    }

    /// Whether both have the same bytes.
    public static func == (left: ByteString, right: ByteString) -> Bool {
        left.bytes.hasSameBytes(as: right.bytes)
    }

    /// Feeds the bytes to a hasher.
    public func hash(into hasher: inout Hasher) {
        // All at once, because an array feeds them one by one.
        // Safe: the array's own bytes, used during the call only.
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }

    /// Whether it has no bytes.
    public var isEmpty: Bool { bytes.isEmpty }

    /// The bytes with ASCII letters in lower case and all others unchanged.
    public var lowercasedASCII: ByteString {
        guard bytes.contains(where: { (0x41...0x5A).contains($0) }) else {
            return self
        }
        return ByteString(bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
    }

    /// Returns as many of the first bytes as a limit of at least 4 allows, without splitting a
    /// UTF-8 character.
    package func cut(to limit: Int) -> ByteString {
        guard bytes.count > limit else {
            return self
        }
        var end = limit
        while end > limit - 4, bytes[end] & 0xC0 == 0x80 {
            end -= 1
        }
        return ByteString(Array(bytes[..<end]))
    }

    /// Whether both are the same text, ignoring letter case: Unicode's if both are UTF-8, otherwise
    /// ASCII's.
    public func isEqualIgnoringCase(_ other: ByteString) -> Bool {
        if self == other {
            return true
        }
        guard let mine = String(validating: bytes, as: UTF8.self),
            let others = String(validating: other.bytes, as: UTF8.self)
        else {
            return lowercasedASCII == other.lowercasedASCII
        }
        return mine.lowercased().utf8.elementsEqual(others.lowercased().utf8)
    }
}

extension ByteString: ExpressibleByStringLiteral {
    /// Creates the UTF-8 encoding of a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension ByteString: CustomStringConvertible {
    /// The bytes as text; invalid UTF-8 becomes U+FFFD.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
