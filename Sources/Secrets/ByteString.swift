/// The value of a text attribute: bytes, by convention UTF-8.
///
/// Two byte strings are equal if their bytes are. Unlike `String`, whose equality takes different
/// spellings of a character as one, this never lets a look-alike of a server or an account match,
/// and it keeps names that are not UTF-8 as they came. The corresponding type is CFString.
public struct ByteString: Hashable, Sendable {
    /// The bytes, any values, any number.
    public let bytes: [UInt8]

    /// A byte string of these bytes.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A byte string of a span's bytes.
    public init(copying span: Span<UInt8>) {
        // Safe: the span's own bytes, which are copied.
        bytes = unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// The UTF-8 encoding of a string.
    public init(_ string: String) {
        bytes = Array(string.utf8)
    }

    /// Whether both have the same bytes.
    public static func == (left: ByteString, right: ByteString) -> Bool {
        left.bytes.hasSameBytes(as: right.bytes)
    }

    /// Feeds the bytes to a hasher.
    public func hash(into hasher: inout Hasher) {
        // All at once: an array feeds them one by one.
        // Safe: the array's own bytes, for the call.
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }

    /// Whether there is no byte in it.
    public var isEmpty: Bool { bytes.isEmpty }

    /// With the letters A to Z of ASCII made small, all other bytes as they are.
    public var lowercasedASCII: ByteString {
        guard bytes.contains(where: { (0x41...0x5A).contains($0) }) else {
            return self
        }
        return ByteString(bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
    }

    /// The first bytes, as many as a limit from 4 up allows, not cut inside a character of UTF-8.
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

    /// Whether both are the same text, letter case set aside: Unicode's where both are UTF-8,
    /// ASCII's otherwise.
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
    /// The UTF-8 encoding of a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension ByteString: CustomStringConvertible {
    /// The bytes as text; what is not UTF-8 is shown as U+FFFD.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
