/// Four bytes that read as text and serve as a number: how Keychain Services spells its classes,
/// protocols, authentication types, creators and types.
///
/// The corresponding type is FourCharCode.
public struct FourCharacterCode: RawRepresentable, Hashable, Sendable {
    /// The four bytes, the first in the most significant place.
    public let rawValue: UInt32

    /// The code with these four bytes.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The code of a text of exactly four bytes, nil for any other.
    public init?(_ text: ByteString) {
        guard text.bytes.count == 4 else {
            return nil
        }
        self.init(rawValue: text.bytes.reduce(0) { $0 << 8 | UInt32($1) })
    }

    /// The four bytes, spaces at the end included.
    public var text: ByteString { ByteString(rawValue.bigEndianBytes) }
}

extension FourCharacterCode: ExpressibleByStringLiteral {
    /// The code of a literal, which has exactly four ASCII characters.
    public init(stringLiteral value: StaticString) {
        precondition(value.utf8CodeUnitCount == 4, "a four-character code has four characters")
        self.init(rawValue: (0..<4).reduce(0) { $0 << 8 | UInt32(value.byte(at: $1)) })
    }
}

extension FourCharacterCode: CustomStringConvertible {
    /// The four characters.
    public var description: String { text.description }
}
